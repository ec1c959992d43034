import { daysOf } from '../../../../operations/reconciliation/window.ts';
import { Refusal } from '../../../../operations/refusal.ts';
import { beginBackfill, beginReconcile } from '../../../../operations/tasks/begin-task.ts';
import { mustBeSeen } from '../../../../web/forms.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import type { Form, Page, PageContext, PageReply } from '../../../base/page.ts';
import { findAddress, live, when, withoutCommands } from '../../../frame/parts.ts';
import type { Words } from '../../../messages/messages.ts';
import { missingPage } from '../../../problem-pages.ts';
import { addressOf, type ShownStore, storeOf, wayBack } from '../store-parts.ts';
import { plannedView, takenView } from './backfill-page.ts';
import { comparedView } from './compare-page.ts';
import { listTasks, type ShownTask, showTask, type TaskOf } from './shown-task.ts';
import { asSeen, type TaskView, taskTag } from './tasks-part.ts';
import { testedView } from './test-page.ts';

const REFRESH_SECONDS = 3;

/** `GET, POST /console/stores/ID/tasks/TASK`: how far it is, what came of it, and what follows from that. */
export const taskPage: Page = {
  path: '/stores/:id/tasks/:task',
  right: 'orders.decide',
  async get(context) {
    const { deps, words } = context;
    const [store, task] = await found(context);
    if (task === null) return missingPage(words);
    const view = taskView({ task, store, hasService: deps.service !== null, words });
    return {
      title: words.tasks.title(words.tasks.kinds[task.kind], store.name),
      place: 'stores',
      body: html`${wayBack(store, words)}${live('task', view)}`,
      ...(task.is === 'working' ? { refreshPlainly: REFRESH_SECONDS } : {}),
    };
  },
  post: { right: 'orders.decide', act: goOn },
};

async function found(context: PageContext): Promise<[ShownStore, ShownTask | null]> {
  const store = await storeOf(context);
  return [store, await showTask(context.deps, { connectionId: store.connectionId, id: String(context.req.params['task']) })];
}

/** What was compared is repaired; what was counted is taken in. */
async function goOn(context: PageContext, form: Form): Promise<PageReply> {
  const { deps, words, by } = context;
  const [store, task] = await found(context);
  if (task === null) return missingPage(words);
  const [last] = await listTasks(deps, store.connectionId, 1);
  const { tasks: say } = words;
  const now = last === undefined ? '' : say.stale(say.kinds[last.kind], say.states[last.is]);
  mustBeSeen(form, asSeen(task, store), { sent: say.kinds[task.kind], now });
  const { of } = task;
  const id = store.connectionId;
  if (of?.kind === 'compare' || of?.kind === 'repair') {
    return { goTo: `${addressOf(store)}/tasks/${await beginReconcile(deps, { id, window: of.about, repairs: true, by })}` };
  }
  if (of?.kind !== 'plan' && of?.kind !== 'backfill') {
    throw new Refusal('conflict', { en: 'nothing follows from this', bg: 'от това не следва нищо' });
  }
  if (of.kind === 'plan' && form.text('sure') !== '1') throw new Refusal('invalid', { en: words.tasks.backfill.notSure, bg: words.tasks.backfill.notSure });
  return { goTo: `${addressOf(store)}/tasks/${await beginBackfill(deps, { id, window: of.about, by })}` };
}

/** How far it is, or what came of it. */
function taskView(view: TaskView): Html {
  const { task, words } = view;
  const { tasks: say } = words;
  return html`<p>${taskTag(task.is, words)} <span class="soft">${say.by(task.by)}, ${when(task.at, words)}</span></p>
${about(task.of, words)}${state(view)}`;
}

function about(of: TaskOf | null, words: Words): Html {
  const { tasks: say } = words;
  if (of === null || of.kind === 'test') return nothing;
  if ('month' in of.about && of.about.month !== null) return html`<p>${say.ofMonth(of.about.month)}</p>\n`;
  const until = 'until' in of.about ? of.about.until : of.about.to;
  return html`<p>${when(of.about.from, words, 'dated')} – ${when(until, words, 'dated')}</p>\n`;
}

function state(view: TaskView): Html {
  const { task, words } = view;
  const { tasks: say } = words;
  const read = task.seen === 0 ? nothing : html`<p class="figure" role="status">${say.seen(task.seen)}</p>\n`;
  switch (task.is) {
    case 'working':
      return html`<p><progress aria-label="${say.states.working}"></progress></p>\n${read}<p class="soft">${say.leave}</p>\n`;
    case 'failed':
      return html`<p class="problem" role="alert">${withoutCommands(task.problem?.[words.lang] ?? '')}</p>\n${maySent(view)}${again(view)}`;
    case 'done':
      return task.of === null ? html`<p class="problem">${say.later}</p>\n` : result(view, task.of);
  }
}

/** A test order of which nothing is known may be recorded. */
function maySent({ task: { of }, words }: TaskView): Html {
  if (of?.kind !== 'test') return nothing;
  const { test: say } = words.tasks;
  return html`<p>${say.lookFirst}</p>\n<p><a class="verb" href="${findAddress(of.about.orderId)}">${say.find}</a></p>\n`;
}

function result(view: TaskView, of: TaskOf): Html {
  if (of.result === null) return nothing;
  switch (of.kind) {
    case 'compare':
    case 'repair':
      return comparedView(view, of.result);
    case 'plan':
      return plannedView(view, of.result);
    case 'backfill':
      return takenView(view, of.result);
    case 'test':
      return testedView(view, of.result);
  }
}

/** The way to begin it once more, with the same days. */
function again({ task, store, words }: TaskView): Html {
  const path = { compare: 'compare', repair: 'compare', plan: 'backfill', backfill: 'backfill', test: 'test' }[task.kind];
  return html`<p><a class="verb second" href="${addressOf(store)}/${path}${sameDays(task.of)}">${words.tasks.again}</a></p>\n`;
}

function sameDays(of: TaskOf | null): string {
  if (of === null || of.kind === 'test') return '';
  if ('month' in of.about && of.about.month !== null) return `?month=${of.about.month}`;
  const { from, to } = daysOf({ from: of.about.from, until: 'until' in of.about ? of.about.until : of.about.to });
  return `?from=${from}&to=${to}`;
}
