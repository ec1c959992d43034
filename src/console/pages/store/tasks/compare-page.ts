import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import { sofiaMidnight, type Window, windowOf } from '../../../../operations/reconciliation/window.ts';
import { beginReconcile } from '../../../../operations/tasks/begin-reconcile.ts';
import { addDays } from '../../../../service/law/months.ts';
import { sofiaDay } from '../../../../service/law/sofia-day.ts';
import { html } from '../../../../web/html.ts';
import type { Form, Page, Reply, Shown, Visit } from '../../../base/page.ts';
import { field } from '../../../frame/parts.ts';
import { addressOf, storeOf, wayBack } from '../store-parts.ts';
import { readingDeps } from './task-deps.ts';
import { typedDay, typedMonth } from './typed-day.ts';

/** `GET, POST /console/stores/ID/compare`: a store held against ledger, service and file, behind the answer. */
export const comparePage: Page = {
  path: '/stores/:id/compare',
  right: 'orders.decide',
  get: async (visit) => {
    const { from } = windowOf({}, visit.deps.now().getTime());
    return formPage(visit, await storeOf(visit), { from: sofiaDay(from), to: '', month: '', problems: {} });
  },
  post: { right: 'orders.decide', act: compare },
};

type Problems = Partial<Record<'from' | 'to' | 'month', string>>;
type Typed = { from: string; to: string; month: string; problems: Problems };

function formPage({ words }: Visit, store: ShownStore, { from, to, month, problems }: Typed): Shown {
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

async function compare(visit: Visit, form: Form): Promise<Reply> {
  const { deps, by } = visit;
  const store = await storeOf(visit);
  const [from, to, month] = ['from', 'to', 'month'].map((name) => form.text(name)) as [string, string, string];
  const now = deps.now();
  const read = form.text('by') === 'month' ? readMonth(visit, month) : readDays(visit, { from, to }, now);
  if (!('from' in read)) return formPage(visit, store, { from, to, month, problems: read.problems });
  const task = await beginReconcile(readingDeps(deps), { id: store.connectionId, window: read, heals: false, by });
  return { goTo: `${addressOf(store)}/tasks/${task}` };
}

type Read = Window | { problems: Problems };

function readMonth({ words: { tasks } }: Visit, typed: string): Read {
  const month = typedMonth(typed);
  return month === null ? { problems: { month: tasks.compare.noMonth } } : windowOf({ month }, 0);
}

function readDays({ words: { tasks } }: Visit, typed: { from: string; to: string }, now: Date): Read {
  const { compare: say } = tasks;
  const [from, to] = [typedDay(typed.from), typed.to === '' ? '' : typedDay(typed.to)];
  const today = sofiaDay(now.toISOString());
  if (from === null) return { problems: { from: say.noDay } };
  if (to === null) return { problems: { to: say.noDay } };
  if (from > today) return { problems: { from: say.tooEarly } };
  if (to !== '' && to < from) return { problems: { to: say.backwards } };
  return windowOf({ from: sofiaMidnight(from), ...(to === '' || to >= today ? {} : { to: sofiaMidnight(addDays(to, 1)) }) }, now.getTime());
}
