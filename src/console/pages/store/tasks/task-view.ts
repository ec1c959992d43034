import { daysOf } from '../../../../operations/reconciliation/typed-window.ts';
import type { ShownTask } from '../../../../operations/tasks/show-task.ts';
import type { TaskOf } from '../../../../operations/tasks/task-result.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { when } from '../../../frame/parts.ts';
import type { Words } from '../../../words/words.ts';
import { addressOf } from '../store-parts.ts';
import { plannedView, takenView } from './backfill-view.ts';
import { comparedView } from './compared-view.ts';
import { type TaskView, taskTag } from './task-parts.ts';
import { testedView } from './tested-view.ts';

/** How far it is, or what came of it. */
export function taskView(view: TaskView): Html {
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
    case 'cut':
      return html`${read}<p class="problem">${cutWords(task.kind, words)}</p>\n${maySent(view)}${again(view)}`;
    case 'failed':
      return html`<p class="problem" role="alert">${task.problem?.[words.lang] ?? ''}</p>\n${maySent(view)}${again(view)}`;
    case 'done':
      return task.of === null ? html`<p class="problem">${say.later}</p>\n` : result(view, task.of);
  }
}

function cutWords(kind: ShownTask['kind'], { tasks: say }: Words): string {
  return kind === 'test' ? say.test.cut : kind === 'backfill' ? say.cutBackfill : say.cut;
}

/** A test order of which nothing is known may be recorded. */
function maySent({ task: { of }, words }: TaskView): Html {
  if (of?.kind !== 'test') return nothing;
  const { test: say } = words.tasks;
  return html`<p>${say.lookFirst}</p>\n<p><a class="verb" href="/console/orders?q=${encodeURIComponent(of.about.orderId)}">${say.find}</a></p>\n`;
}

function result(view: TaskView, of: TaskOf): Html {
  if (of.result === null) return nothing;
  switch (of.kind) {
    case 'compare':
    case 'heal':
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
  const path = { compare: 'compare', heal: 'compare', plan: 'backfill', backfill: 'backfill', test: 'test' }[task.kind];
  return html`<p><a class="verb second" href="${addressOf(store)}/${path}${sameDays(task.of)}">${words.tasks.again}</a></p>\n`;
}

function sameDays(of: TaskOf | null): string {
  if (of === null || of.kind === 'test') return '';
  if ('month' in of.about && of.about.month !== null) return `?month=${of.about.month}`;
  const { from, to } = daysOf({ from: of.about.from, until: 'until' in of.about ? of.about.until : of.about.to });
  return `?from=${from}&to=${to}`;
}
