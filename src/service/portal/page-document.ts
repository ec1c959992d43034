import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Lang } from '../../contract/messages.ts';
import { css, type Html, html, lines, nothing } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { summaryPrintStyle, summaryStyle } from '../audit/summary/summary-style.ts';
import { type ContentAnswer, sendContent } from '../http/send.ts';
import type { PlainPage, PortalMessages } from './messages.ts';

/** A page: no script, and nothing is loaded. */
export function pageDocument({ lang, title, body }: { lang: Lang; title: string; body: Html }): string {
  return htmlDocument({
    lang,
    title,
    meta: [html`<meta name="color-scheme" content="light">`, html`<meta name="robots" content="noindex, nofollow">`, html`<link rel="icon" href="data:,">`],
    styles: [html`<style>${summaryStyle}</style>`, html`<style>${portalStyle}</style>`, html`<style media="print">${summaryPrintStyle}</style>`],
    body,
  }).markup;
}

/** What the pages have beside the summary: ways, forms, lists of months. */
const portalStyle = css`
a { color: #14506b; }
h1, h2, .sheet p { overflow-wrap: anywhere; }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, .scroll:focus-visible { outline: 3px solid #b26a00; outline-offset: 2px; }
.ways { margin-bottom: 18px; font-size: 15px; }
.ways a { display: inline-block; margin-right: 22px; padding: 10px 0; }
form { margin-top: 18px; padding: 18px 20px; border: 1px solid #d5dbe1; border-radius: 4px; }
form > p { margin-top: 4px; color: #3b4754; }
.field { margin-top: 14px; }
.field label { display: block; font-weight: 600; }
.field .optional { color: #52606d; font-weight: 400; }
.field input, .field select, .field textarea { display: block; width: 100%; max-width: 460px; min-height: 44px; margin-top: 4px; padding: 8px 10px; border: 1px solid #6b7885; border-radius: 3px; background: #fff; color: #1b2530; font: inherit; }
.field textarea { max-width: none; min-height: 96px; }
form p > label { display: flex; gap: 10px; align-items: flex-start; }
.field .problem { margin: 4px 0 0; color: #a52222; }
form p > label input { flex: none; width: 22px; height: 22px; margin: 2px 0 0; }
button { min-height: 44px; margin-top: 18px; padding: 8px 20px; border: 0; border-radius: 3px; background: #14506b; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:hover { background: #0f3d52; }
.files a { margin-right: 14px; padding: 6px 0; }
.filed-mark { color: #1d6b43; font-weight: 600; white-space: nowrap; }
.plain p { margin-top: 12px; }
@media print { .ways, form, #acts, #code, section:has(#files) { display: none; } }
`;

const styles = [summaryStyle, portalStyle, summaryPrintStyle].map(({ text }) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

/** What every answer bears: the address has the token in it, so it goes nowhere. */
const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src ${styles.join(' ')}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** A page that says one thing; `action` is a form below it. */
export function plainPage({ lang }: PortalMessages, { title, words }: PlainPage, action: Html = nothing): string {
  return pageDocument({
    lang,
    title,
    body: html`<main class="sheet plain">
<h1>${title}</h1>
${lines(words.map((line) => html`<p>${line}</p>`))}${action}</main>`,
  });
}

/** An answer of a page: a document, the address to go on to after a form, or a file. */
export type PortalReply = { status: number; page: string; headers?: Record<string, string> } | { goTo: string } | ContentAnswer;

/** Throws if a file breaks off while it is sent; then the connection is cut. */
export async function sendReply(res: Response, reply: PortalReply): Promise<void> {
  if ('goTo' in reply) return void res.writeHead(303, { ...pageHeaders, location: reply.goTo, 'content-length': 0 }).end();
  if ('content' in reply) return sendContent(res, { ...reply, headers: { ...pageHeaders, ...reply.headers } });
  const { status, page, headers } = reply;
  await sendContent(res, { status, content: page, type: 'text/html; charset=utf-8', headers: { ...pageHeaders, ...headers } });
}
