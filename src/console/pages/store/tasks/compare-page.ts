import type { Difference, Reconciled } from '../../../../operations/reconciliation/report.ts';
import { dayOf, typedMonth, typedWindow, windowOf } from '../../../../operations/reconciliation/window.ts';
import { beginReconcile, type ComparedStore } from '../../../../operations/tasks/begin-task.ts';
import { button, field, formTo } from '../../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../../web/html.ts';
import { table } from '../../../../web/tables.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../../base/page.ts';
import { money, tag, withoutCommands } from '../../../frame/parts.ts';
import type { Words } from '../../../messages/messages.ts';
import { inAddress } from '../../orders/order-list-request.ts';
import { addressOf, type ShownStore, storeOf, wayBack } from '../store-parts.ts';
import { followUp, type TaskView } from './tasks-part.ts';

/** `GET, POST /console/stores/ID/compare`: a store compared with ledger, service and file, behind the answer. */
export const comparePage: Page = {
  path: '/stores/:id/compare',
  right: 'orders.decide',
  get: async (context) => {
    const text = inAddress(context);
    const { from } = windowOf({}, context.deps.now().getTime());
    return formPage(context, await storeOf(context), { from: text('from') || dayOf(from), to: text('to'), month: text('month'), problems: {} });
  },
  post: { right: 'orders.decide', act: compare },
};
type Typed = { from: string; to: string; month: string; problems: Partial<Record<'from' | 'to' | 'month', string>> };

function formPage({ words }: PageContext, store: ShownStore, { from, to, month, problems }: Typed): ShownPage {
  const { compare: say } = words.tasks;
  const action = `${addressOf(store)}/compare`;
  const days = html`<h2>${say.days}</h2>
${field({ name: 'from', label: say.from, value: from, type: 'date', required: true, problem: problems.from })}
${field({ name: 'to', label: say.to, value: to, type: 'date', hint: say.toHint, problem: problems.to })}`;
  const months = html`<h2>${say.month}</h2>
${field({ name: 'month', label: say.monthLabel, value: month, hint: say.monthHint, required: true, problem: problems.month })}`;
  return {
    status: Object.keys(problems).length === 0 ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
${formTo(action, { body: days, buttons: [button(say.do, { name: 'by', value: 'days' })] })}${formTo(action, { body: months, buttons: [button(say.do, { class: 'second', name: 'by', value: 'month' })] })}`,
  };
}

async function compare(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, by, words } = context;
  const store = await storeOf(context);
  const [from, to, month] = [form.text('from'), form.text('to'), form.text('month')];
  const read = form.text('by') === 'month' ? typedMonth(month) : typedWindow({ from, to }, deps.now());
  if ('is' in read) return formPage(context, store, { from, to, month, problems: { [read.field]: words.tasks.compare.wrong[read.is] } });
  const task = await beginReconcile(deps, { id: store.connectionId, window: read, repairs: false, by });
  return { goTo: `${addressOf(store)}/tasks/${task}` };
}

/** What both sources say of each difference, what is done about it, and the verb that repairs. */
export function comparedView(view: TaskView, { results, isWhole, more, repairs }: ComparedStore): Html {
  const { words, hasService } = view;
  const { compared: say } = words.tasks;
  const repaired = results.reduce((sum, one) => sum + one.repaired, 0);
  const count = results.reduce((sum, { differences }) => sum + differences.length, more);
  const agreement = count > 0 ? say.differences(count) : isWhole ? say.agree : say.partly;
  const unchecked = [...new Set(results.flatMap((one) => one.unchecked.map((why) => why[words.lang])))];
  const missed = html`<h2>${say.unchecked}</h2>
<ul>${lines(unchecked.map((why) => html`<li>${withoutCommands(why)}</li>`))}</ul>
`;
  return html`<p><strong class="${count > 0 ? 'problem' : ''}">${agreement}</strong>${repaired === 0 ? '' : ` ${say.repaired(repaired)}`}</p>
${results.map((one) => ofCurrency(one, { hasService, words }))}${more === 0 ? nothing : html`<p>${say.more(more)}</p>\n`}${unchecked.length === 0 ? nothing : missed}${repair(view, repairs)}`;
}

type CompareContext = { hasService: boolean; words: Words };

function ofCurrency({ currency, store, ledger, service, file, differences }: Reconciled, { hasService, words }: CompareContext): Html {
  const { compared: say } = words.tasks;
  if (currency === null) return html`<p class="soft">${say.none}</p>\n`;
  const sources = [
    ['store', store],
    ['ledger', ledger],
    ['service', service],
    // Only a month has one.
    ...(file === null ? [] : [['file', file] as const]),
  ] as const;
  return html`${table({
    caption: say.caption,
    columns: [
      { name: say.source, cell: ([name]) => say.sources[name] },
      { name: say.orders, n: true, cell: ([, source]) => source?.orders ?? say.unread },
      { name: say.total, n: true, cell: ([, source]) => (source === null ? nothing : money(`${source.total} ${currency}`, words)) },
    ],
    rows: sources,
  })}
${store === null ? html`<p class="problem">${say.unreadStore}</p>\n` : nothing}${differences.length === 0 ? nothing : differenceTable(differences, { currency, hasService, words })}`;
}

function differenceTable(differences: readonly Difference[], { currency, hasService, words }: CompareContext & { currency: string }): Html {
  const { compared: say } = words.tasks;
  const rows = table({
    caption: say.what,
    columns: [
      { name: say.order, cell: named },
      { name: say.total, n: true, cell: ({ total }) => money(`${total} ${currency}`, words) },
      { name: say.what, cell: ({ kind, repairs }) => html`${say.kinds[kind]}<br>${repairs ? tag(say.repairs, 'quiet') : tag(say.asks, 'attention')}` },
      { name: say.todo, cell: (one) => html`${say.whys[one.why]}${hasService ? record(one, words) : nothing}` },
    ],
    rows: differences,
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

function repair(view: TaskView, repairs: number): Html {
  const { compared: say } = view.words.tasks;
  if (repairs === 0) return nothing;
  return followUp(view, html`<h2>${say.repairTitle}</h2>\n<p>${say.repairHint(repairs)}</p>`, button(say.repair));
}
