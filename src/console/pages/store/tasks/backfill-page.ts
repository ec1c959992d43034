import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import { dayOf, typedBackfill } from '../../../../operations/reconciliation/typed-window.ts';
import { beginPlan } from '../../../../operations/tasks/begin-reconcile.ts';
import { html } from '../../../../web/html.ts';
import type { Form, Page, PageContext, Reply, Shown } from '../../../base/page.ts';
import { dayName, field } from '../../../frame/parts.ts';
import { inAddress } from '../../orders/orders-asked.ts';
import { addressOf, storeOf, wayBack } from '../store-parts.ts';
import { readingDeps } from './task-deps.ts';

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

type Problems = Partial<Record<'from' | 'to', string>>;
type Typed = { from: string; to: string; problems: Problems };

function formPage({ words }: PageContext, store: ShownStore, { from, to, problems }: Typed): Shown {
  const { backfill: say } = words.tasks;
  const of = (name: keyof Problems) => (problems[name] === undefined ? {} : { problem: problems[name] });
  const hint = say.toHint(dayName(dayOf(store.recordFrom), words.lang));
  return {
    status: Object.keys(problems).length === 0 ? 200 : 422,
    title: say.title(store.name),
    place: 'stores',
    body: html`${wayBack(store, words)}<p>${say.intro}</p>
<form method="post" action="${addressOf(store)}/backfill">
${field({ name: 'from', label: say.from, value: from, type: 'date', required: true, ...of('from') })}
${field({ name: 'to', label: say.to, value: to, type: 'date', hint, ...of('to') })}
<p class="verbs"><button>${say.do}</button></p>
</form>
`,
  };
}

async function plan(context: PageContext, form: Form): Promise<Reply> {
  const { deps, by, words } = context;
  const store = await storeOf(context);
  const typed = { from: form.text('from'), to: form.text('to') };
  const window = typedBackfill(typed, { recordFrom: store.recordFrom, now: deps.now() });
  if ('is' in window) return formPage(context, store, { ...typed, problems: { [window.field]: words.tasks.compare.wrong[window.is] } });
  const task = await beginPlan(readingDeps(deps), { id: store.connectionId, window, by });
  return { goTo: `${addressOf(store)}/tasks/${task}` };
}
