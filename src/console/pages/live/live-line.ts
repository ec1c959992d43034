import type { Heard } from '../../../operations/activity/listen.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';

/** What happened, in a line; the words are those of the log. */
export function liveLine({ at, store, connectionId, orderId, number, words: said }: Heard, words: Words): Html {
  const about = store ?? connectionId;
  const order = number ?? orderId;
  return html`<li>${when(at, words)} ${about === null ? nothing : html`<strong>${about}</strong> `}${
    order === null ? nothing : html`<a href="/console/orders?q=${encodeURIComponent(order)}">${words.activity.order(order)}</a> `
  }<span lang="en">${said}</span></li>`;
}
