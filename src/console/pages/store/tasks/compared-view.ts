import type { Difference, Reconciled, Side } from '../../../../operations/reconciliation/report.ts';
import type { ComparedStore } from '../../../../operations/tasks/task-result.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { lines } from '../../../../web/lines.ts';
import { money, table, tag } from '../../../frame/parts.ts';
import type { Words } from '../../../words/words.ts';
import { followUp, type TaskView } from './task-parts.ts';

/** Both sides of each difference, what is done about it, and the verb that heals. */
export function comparedView(view: TaskView, { results, isWhole, more, heals }: ComparedStore): Html {
  const { words, hasService } = view;
  const { compared: say } = words.tasks;
  const healed = results.reduce((sum, one) => sum + one.healed, 0);
  const count = results.reduce((sum, { differences }) => sum + differences.length, more);
  const verdict = count > 0 ? say.differences(count) : isWhole ? say.alike : say.partly;
  const unchecked = [...new Set(results.flatMap((one) => one.unchecked.map((why) => why[words.lang])))];
  const missed = html`<h2>${say.unchecked}</h2>
<ul>${lines(unchecked.map((why) => html`<li>${why}</li>`))}</ul>
`;
  return html`<p><strong class="${count > 0 ? 'problem' : ''}">${verdict}</strong>${healed === 0 ? '' : ` ${say.healed(healed)}`}</p>
${results.map((one) => ofCurrency(one, { hasService, words }))}${more === 0 ? nothing : html`<p>${say.more(more)}</p>\n`}${unchecked.length === 0 ? nothing : missed}${heal(view, heals)}`;
}

type Around = { hasService: boolean; words: Words };

function ofCurrency({ currency, store, ledger, service, file, differences }: Reconciled, { hasService, words }: Around): Html {
  const { compared: say } = words.tasks;
  if (currency === null) return html`<p class="soft">${say.none}</p>\n`;
  const sides = [
    ['store', store],
    ['ledger', ledger],
    ['service', service],
    // Only a month has one.
    ...(file === null ? [] : [['file', file] as const]),
  ] as const;
  const cells = (side: Side | null) =>
    side === null ? [html`${say.unread}`, nothing] : [html`${side.orders}`, html`${money(`${side.total} ${currency}`, words)}`];
  return html`${table({
    caption: say.caption,
    columns: [{ name: say.side }, { name: say.orders, n: true }, { name: say.total, n: true }],
    rows: sides.map(([name, side]) => [html`${say.sides[name]}`, ...cells(side)]),
  })}
${store === null ? html`<p class="problem">${say.unreadStore}</p>\n` : nothing}${differences.length === 0 ? nothing : differenceTable(differences, { currency, hasService, words })}`;
}

function differenceTable(differences: readonly Difference[], { currency, hasService, words }: Around & { currency: string }): Html {
  const { compared: say } = words.tasks;
  const rows = table({
    caption: say.what,
    columns: [{ name: say.order }, { name: say.total, n: true }, { name: say.what }, { name: say.todo }],
    rows: differences.map((one) => [
      named(one),
      html`${money(`${one.total} ${currency}`, words)}`,
      html`${say.kinds[one.kind]}<br>${one.heals ? tag(say.heals, 'quiet') : tag(say.asks, 'attention')}`,
      html`${say.whys[one.why]}${hasService ? record(one, words) : nothing}`,
    ]),
  });
  return html`<h2>${say.differencesTitle}</h2>
${rows}`;
}

function named({ id, number, orderId }: Difference): Html {
  const name = number ?? orderId;
  return id === null ? html`${name}` : html`<a class="whole" href="/console/orders/${id}">${name}</a>`;
}

/** A record that no order here stands for may be deleted by hand. */
function record({ why, complianceId }: Difference, { tasks: { compared: say } }: Words): Html {
  if (complianceId === null || !['unclaimed', 'conflict', 'other-content'].includes(why)) return nothing;
  return html` <a href="/console/records/${complianceId}">${say.record}</a>`;
}

function heal(view: TaskView, heals: number): Html {
  const { compared: say } = view.words.tasks;
  if (heals === 0) return nothing;
  return followUp(view, html`<h2>${say.healTitle}</h2>\n<p>${say.healHint(heals)}</p>\n<p class="verbs"><button>${say.heal}</button></p>`);
}
