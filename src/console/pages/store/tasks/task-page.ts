import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import { Refusal } from '../../../../operations/refusal.ts';
import { beginBackfill, beginReconcile } from '../../../../operations/tasks/begin-reconcile.ts';
import { listTasks, type ShownTask, showTask } from '../../../../operations/tasks/show-task.ts';
import { html } from '../../../../web/html.ts';
import type { Form, Page, PageContext, Reply } from '../../../base/page.ts';
import { live } from '../../../frame/parts.ts';
import { mustBeSeen } from '../../../frame/stale.ts';
import { missingPage } from '../../../problem-pages.ts';
import { addressOf, storeOf, wayBack } from '../store-parts.ts';
import { readingDeps } from './task-deps.ts';
import { asSeen } from './task-parts.ts';
import { taskView } from './task-view.ts';

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

/** What was compared is healed; what was counted is taken in. */
async function goOn(context: PageContext, form: Form): Promise<Reply> {
  const { deps, words, by } = context;
  const [store, task] = await found(context);
  if (task === null) return missingPage(words);
  const [last] = await listTasks(deps, store.connectionId, 1);
  const { tasks: say } = words;
  const now = last === undefined ? '' : say.stale(say.kinds[last.kind], say.states[last.is]);
  mustBeSeen(form, asSeen(task, store), { sent: say.kinds[task.kind], now });
  const { of } = task;
  const [id, reading] = [store.connectionId, readingDeps(deps)];
  if (of?.kind === 'compare' || of?.kind === 'heal') {
    return { goTo: `${addressOf(store)}/tasks/${await beginReconcile(reading, { id, window: of.about, heals: true, by })}` };
  }
  if (of?.kind !== 'plan' && of?.kind !== 'backfill') {
    throw new Refusal('conflict', { en: 'nothing follows from this', bg: 'от това не следва нищо' });
  }
  if (of.kind === 'plan' && form.text('sure') !== '1') throw new Refusal('invalid', { en: words.tasks.backfill.notSure, bg: words.tasks.backfill.notSure });
  return { goTo: `${addressOf(store)}/tasks/${await beginBackfill(reading, { id, window: of.about, by })}` };
}
