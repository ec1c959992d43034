import type { BackfillPlan } from '../../../../operations/reconciliation/backfill.ts';
import { dayOf } from '../../../../operations/reconciliation/typed-window.ts';
import type { TakenIn } from '../../../../operations/tasks/task-result.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { dayName, money, monthName, table } from '../../../frame/parts.ts';
import type { Words } from '../../../words/words.ts';
import { followUp, type TaskView } from './task-parts.ts';

/** What would be taken in, as the command says it; and the start. */
export function plannedView(view: TaskView, plan: BackfillPlan): Html {
  const { words } = view;
  const { backfill: say } = words.tasks;
  const { orders, recordFrom, goesOn } = plan;
  const isNothing = orders === 0 && recordFrom === null;
  const start = html`<p><label><input type="checkbox" name="sure" value="1" required> ${say.sure}</label></p>
<p class="verbs"><button class="danger">${say.start(orders)}</button></p>`;
  return html`${goesOn === null ? nothing : html`<p>${say.goesOn(goesOn)}</p>\n`}<p><strong>${say.counted(orders)}</strong></p>
${months(plan, words)}${recorded(plan, words)}${recordFrom === null ? nothing : html`<p>${say.moves(dayName(dayOf(recordFrom), words.lang))}</p>\n`}${
  isNothing ? html`<p>${say.nothing}</p>\n` : followUp(view, start)
}`;
}

function months({ months: all }: BackfillPlan, words: Words): Html {
  const { backfill: say, compared } = words.tasks;
  if (all.length === 0) return nothing;
  return table({
    caption: say.file,
    columns: [{ name: say.file }, { name: compared.orders, n: true }, { name: compared.total, n: true }],
    rows: all.map(({ month, currency, orders, total }) => [
      html`${monthName(month, words.lang)}`,
      html`${orders}`,
      html`${money(`${total} ${currency}`, words)}`,
    ]),
  });
}

function recorded({ recorded: count }: BackfillPlan, { tasks: { backfill: say } }: Words): Html {
  if (count === null) return html`<p>${say.recordedUnknown}</p>\n`;
  return count === 0 ? nothing : html`<p class="problem">${say.recorded(count)}</p>\n`;
}

/** What was taken in. */
export function takenView({ store, words }: TaskView, { taken, unread }: TakenIn): Html {
  const { backfill: say } = words.tasks;
  return html`<p><strong>${say.taken(taken)}</strong></p>
${unread.length === 0 ? nothing : html`<p class="problem">${say.unread}: ${unread.join(', ')}</p>\n`}<p><a class="verb second" href="/console/orders?store=${store.connectionId}">${say.toOrders}</a></p>
`;
}
