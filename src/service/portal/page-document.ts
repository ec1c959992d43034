import { createHash } from 'node:crypto';
import { type Html, html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { summaryPrintStyle, summaryStyle } from '../audit/summary/summary-style.ts';
import { portalStyle } from './portal-style.ts';
import type { Lang } from './portal-words.ts';

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

const styles = [summaryStyle, portalStyle, summaryPrintStyle].map(({ text }) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);

/** What every answer bears: the address has the token in it, so it goes nowhere. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': `default-src 'none'; style-src ${styles.join(' ')}; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};
