import { dayName, monthName } from '../../../../contract/local-text.ts';
import type { BackfillPlan } from '../../../../operations/reconciliation/backfill.ts';
import { dayOf, typedBackfill } from '../../../../operations/reconciliation/window.ts';
import { beginPlan } from '../../../../operations/tasks/begin-task.ts';
import { button, field, formTo, tick } from '../../../../web/forms.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { table } from '../../../../web/tables.ts';
import type { Form, Page, PageContext, PageReply, ShownPage } from '../../../base/page.ts';
import { money } from '../../../frame/parts.ts';
import type { Words } from '../../../messages/messages.ts';
import { inAddress } from '../../orders/order-list-request.ts';
import { addressOf, type ShownStore, storeOf, wayBack } from '../store-parts.ts';
import type { TakenIn } from './shown-task.ts';
import { followUp, type TaskView } from './tasks-part.ts';

/** `GET, POST /console/stores/ID/backfill`: since when; then it is counted, behind the answer, what would be taken in. */
export const backfillPage: Page = {
  path: '/stores/:id/backfill',
  right: 'settings.change',
  get: async (context) => {
    const text = inAddress(context);
    return formPage(context, await storeOf(context), { from: text('from'), to: text('to'), problems: {} });
  },
  post: { right: 'settings.change', act: plan },
};
type Typed = { from: string; to: string; problems: Partial<Record<'from' | 'to', string>> };

function formPage({ words }: PageContext, store: ShownStore, { from, to, problems }: Typed): ShownPage {
  const { backfill: say } = words.tasks;
  const hint = say.toHint(dayName(dayOf(store.recordFrom), words.lang));
  const days = html`${field({ name: 'from', label: say.from, value: from, type: 'date', required: true, problem: problems.from })}
${field({ name: 'to', label: say.to, value: to, type: 'date', hint, problem: problems.to })}`;
  return {
    status: Object.keys(problems).length === 0 ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
${formTo(`${addressOf(store)}/backfill`, { body: days, buttons: [button(say.do)] })}`,
  };
}

async function plan(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, by, words } = context;
  const store = await storeOf(context);
  const typed = { from: form.text('from'), to: form.text('to') };
  const window = typedBackfill(typed, { recordFrom: store.recordFrom, now: deps.now() });
  if ('is' in window) return formPage(context, store, { ...typed, problems: { [window.field]: words.tasks.compare.wrong[window.is] } });
  const task = await beginPlan(deps, { id: store.connectionId, window, by });
  return { goTo: `${addressOf(store)}/tasks/${task}` };
}

/** What would be taken in, as the command says it; and the start. */
export function plannedView(view: TaskView, plan: BackfillPlan): Html {
  const { words } = view;
  const { backfill: say } = words.tasks;
  const { orders, recordFrom, goesOn } = plan;
  const isNothing = orders === 0 && recordFrom === null;
  const sure = tick({ name: 'sure', value: '1', label: say.sure, required: true });
  return html`${goesOn === null ? nothing : html`<p>${say.goesOn(goesOn)}</p>\n`}<p><strong>${say.counted(orders)}</strong></p>
${months(plan, words)}${recorded(plan, words)}${recordFrom === null ? nothing : html`<p>${say.moves(dayName(dayOf(recordFrom), words.lang))}</p>\n`}${
  isNothing ? html`<p>${say.nothing}</p>\n` : followUp(view, sure, button(say.start(orders), { class: 'danger' }))
}`;
}

function months({ months: all }: BackfillPlan, words: Words): Html {
  const { backfill: say, compared } = words.tasks;
  if (all.length === 0) return nothing;
  return table({
    caption: say.file,
    columns: [
      { name: say.file, cell: ({ month }) => monthName(month, words.lang) },
      { name: compared.orders, n: true, cell: ({ orders }) => orders },
      { name: compared.total, n: true, cell: ({ total, currency }) => money(`${total} ${currency}`, words) },
    ],
    rows: all,
  });
}

function recorded({ recorded: count }: BackfillPlan, { tasks: { backfill: say } }: Words): Html {
  if (count === null) return html`<p>${say.recordedUnknown}</p>\n`;
  return count === 0 ? nothing : html`<p class="problem">${say.recorded(count)}</p>\n`;
}

export function takenView({ store, words }: TaskView, { taken, unread }: TakenIn): Html {
  const { backfill: say } = words.tasks;
  return html`<p><strong>${say.taken(taken)}</strong></p>
${unread.length === 0 ? nothing : html`<p class="problem">${say.unread}: ${unread.join(', ')}</p>\n`}<p><a class="verb second" href="/console/orders?store=${store.connectionId}">${say.toOrders}</a></p>
`;
}
