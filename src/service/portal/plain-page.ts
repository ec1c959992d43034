import { type Html, html, nothing } from '../../web/html.ts';
import { lines } from '../../web/lines.ts';
import { pageDocument } from './page-document.ts';
import type { PlainPage, PortalWords } from './portal-words.ts';

/** A page that says one thing; `action` is a form below it. */
export function plainPage({ lang }: PortalWords, { title, words }: PlainPage, action: Html = nothing): string {
  return pageDocument({
    lang,
    title,
    body: html`<main class="sheet plain">
<h1>${title}</h1>
${lines(words.map((line) => html`<p>${line}</p>`))}${action}</main>`,
  });
}
