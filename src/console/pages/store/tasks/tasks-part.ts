import { may } from '../../../../operations/people/rights.ts';
import { readNow } from '../../../../operations/reconciliation/ask-store.ts';
import { button, formTo } from '../../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../../web/html.ts';
import { idOf, type Page, type PageContext, type PageReply } from '../../../base/page.ts';
import { type Tone, tag, when } from '../../../frame/parts.ts';
import type { Words } from '../../../messages/messages.ts';
import { addressOf, type ShownStore } from '../store-parts.ts';
import type { ShownTask, TaskState } from './shown-task.ts';

/** What looks for what is missing, and what was begun last. */
export function tasksPart(store: ShownStore, tasks: readonly ShownTask[], { person, words }: PageContext): Html {
  const { tasks: say } = words;
  if (!may(person.role, 'orders.decide')) return nothing;
  const { listsOrders, hasAccess, sendsTests } = store.api;
  const isRead = listsOrders && hasAccess;
  const link = (path: string, name: string) => html`<a class="verb second" href="${addressOf(store)}/${path}">${name}</a>`;
  const read = formTo(`${addressOf(store)}/read`, { buttons: [button(say.verbs.read, { class: 'second' })] });
  const verbs = html`<h2>${say.verbs.title}</h2>
<div class="verbs">${isRead ? read : nothing}${link('compare', say.verbs.compare)}${isRead ? link('backfill', say.verbs.backfill) : nothing}${sendsTests ? link('test', say.verbs.test) : nothing}</div>
${isRead ? html`<p class="hint">${say.readHint}</p>\n` : nothing}`;
  return html`${store.state === 'connected' ? verbs : nothing}${tasks.length === 0 ? nothing : last(store, tasks, words)}`;
}

function last(store: ShownStore, tasks: readonly ShownTask[], words: PageContext['words']): Html {
  const { tasks: say } = words;
  const row = ({ id, kind, is, at, by }: ShownTask) =>
    html`<li>${taskTag(is, words)} <a href="${addressOf(store)}/tasks/${id}">${say.kinds[kind]}</a> <span class="soft">${when(at, words)}, ${by}</span></li>`;
  return html`<h2>${say.last}</h2>
<ul>${lines(tasks.map(row))}</ul>
`;
}

/** `POST /console/stores/ID/read`: a worker reads the store again, as soon as one can. */
export const readNowPage: Page = { path: '/stores/:id/read', right: 'stores.see', post: { right: 'orders.decide', act: read } };

async function read(context: PageContext): Promise<PageReply> {
  const { pool, connections, stores } = context.deps;
  const { id } = await readNow({ pool, connections, storefronts: stores.storefronts }, { named: idOf(context), by: context.by });
  return { goTo: addressOf({ connectionId: id }), done: 'storeReadWanted' };
}

/** `hasService`: our own service is in this database. */
export type TaskView = { task: ShownTask; store: ShownStore; hasService: boolean; words: Words };

const tones: Readonly<Record<TaskState, Tone>> = { working: 'quiet', failed: 'failing', done: 'ok' };

export function taskTag(is: TaskState, { tasks }: Words): Html {
  return tag(tasks.states[is], tones[is]);
}

/** What a form of a task was made from: nothing was begun since, and the store’s terms are the same. */
export function asSeen({ id, isLast, is }: ShownTask, { state: connected, recordFrom }: ShownStore): unknown {
  return [id, is, isLast, connected, recordFrom];
}

/** A form that goes on from what came of a task; only from the last one of a store that is connected. */
export function followUp({ task, store }: TaskView, body: Html, press: Html): Html {
  if (!task.isLast || store.state !== 'connected') return nothing;
  return formTo(`${addressOf(store)}/tasks/${task.id}`, { seen: asSeen(task, store), body, buttons: [press] });
}
