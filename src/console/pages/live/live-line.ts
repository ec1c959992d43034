import type { KeyedEvent } from '../../../operations/activity/tail.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** What is shown of what happened before, and how many lines of it. */
export const LATELY_MS = 10 * 60_000;
export const MOST_LINES = 200;

/** What happened, in a line; the words are those of the log. By its key the page knows what it shows already. */
export function liveLine({ key, event }: KeyedEvent, words: Words): Html {
  const { at, store, connectionId, orderId, number, words: said } = event;
  const about = store ?? connectionId;
  const order = number ?? orderId;
  return html`<li data-key="${key}">${when(at, words)} ${about === null ? nothing : html`<strong>${about}</strong> `}${
    order === null ? nothing : html`<a href="/console/orders?q=${encodeURIComponent(order)}">${words.activity.order(order)}</a> `
  }<span lang="en">${said}</span></li>`;
}
