import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import { dayOf, typedMonth, typedWindow } from '../../../../operations/reconciliation/typed-window.ts';
import { windowOf } from '../../../../operations/reconciliation/window.ts';
import { beginReconcile } from '../../../../operations/tasks/begin-reconcile.ts';
import { html } from '../../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../../base/page.ts';
import { field } from '../../../frame/parts.ts';
import { inAddress } from '../../orders/orders-asked.ts';
import { addressOf, storeOf, wayBack } from '../store-parts.ts';
import { readingDeps } from './task-deps.ts';

/** `GET, POST /console/stores/ID/compare`: a store held against ledger, service and file, behind the answer. */
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

type Problems = Partial<Record<'from' | 'to' | 'month', string>>;
type Typed = { from: string; to: string; month: string; problems: Problems };

function formPage({ words }: PageContext, store: ShownStore, { from, to, month, problems }: Typed): Shown {
  const { compare: say } = words.tasks;
  const action = `${addressOf(store)}/compare`;
  const of = (name: keyof Problems) => (problems[name] === undefined ? {} : { problem: problems[name] });
  return {
    status: Object.keys(problems).length === 0 ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
<form method="post" action="${action}"><h2>${say.days}</h2>
${field({ name: 'from', label: say.from, value: from, type: 'date', required: true, ...of('from') })}
${field({ name: 'to', label: say.to, value: to, type: 'date', hint: say.toHint, ...of('to') })}
<p class="verbs"><button name="by" value="days">${say.do}</button></p>
</form>
<form method="post" action="${action}"><h2>${say.month}</h2>
${field({ name: 'month', label: say.monthLabel, value: month, hint: say.monthHint, required: true, ...of('month') })}
<p class="verbs"><button class="second" name="by" value="month">${say.do}</button></p>
</form>
`,
  };
}

async function compare(context: PageContext, form: Form): Promise<Reply> {
  const { deps, by, words } = context;
  const store = await storeOf(context);
  const [from, to, month] = [form.text('from'), form.text('to'), form.text('month')];
  const read = form.text('by') === 'month' ? typedMonth(month) : typedWindow({ from, to }, deps.now());
  if ('is' in read) return formPage(context, store, { from, to, month, problems: { [read.field]: words.tasks.compare.wrong[read.is] } });
  const task = await beginReconcile(readingDeps(deps), { id: store.connectionId, window: read, heals: false, by });
  return { goTo: `${addressOf(store)}/tasks/${task}` };
}
