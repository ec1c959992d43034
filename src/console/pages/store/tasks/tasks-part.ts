import type { ShownStore } from '../../../../operations/connections/show-store.ts';
import { may } from '../../../../operations/people/rights.ts';
import type { ShownTask } from '../../../../operations/tasks/show-task.ts';
import { type Html, html, nothing } from '../../../../web/html.ts';
import { lines } from '../../../../web/lines.ts';
import type { PageContext } from '../../../base/page.ts';
import { when } from '../../../frame/parts.ts';
import { addressOf } from '../store-parts.ts';
import { taskTag } from './task-parts.ts';

/** What looks for what is missing, and what was begun last. */
export function tasksPart(store: ShownStore, tasks: readonly ShownTask[], { person, words }: PageContext): Html {
  const { tasks: say } = words;
  if (!may(person.role, 'orders.decide')) return nothing;
  const { listsOrders, hasAccess, sendsTests } = store.api;
  const isRead = listsOrders && hasAccess;
  const link = (path: string, name: string) => html`<a class="verb second" href="${addressOf(store)}/${path}">${name}</a>`;
  const read = html`<form method="post" action="${addressOf(store)}/read"><button class="second">${say.verbs.read}</button></form>`;
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
