import { css } from '../../web/css.ts';
import { type Html, html } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { lines } from '../../web/lines.ts';
import type { PublicReason, PublicVerdict } from './public-verdict.ts';

export const statusStyle = css`
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 2rem auto; padding: 0 1rem; }
li { margin: 0.75rem 0; }
code { font-size: 0.9em; }
`;

const titles = { ok: 'All is well', attention: 'Something needs attention', failing: 'Orders can’t be recorded, or a legal term is past' } as const;

/** The verdict as a page that loads nothing. */
export function statusPage({ verdict, at, reasons }: PublicVerdict): string {
  const list = reasons.length === 0 ? html`<p>There is nothing to do.</p>` : html`<ul>${lines(reasons.map(item))}</ul>`;
  const body = html`<h1>${titles[verdict]}</h1>
${list}
<p>As of ${at}. <code>orderbridge status</code> on the server names the stores, and the commands to type.</p>`;
  return htmlDocument({ lang: 'en', title: `orderbridge: ${verdict}`, styles: [html`<style>${statusStyle}</style>`], body }).markup;
}

function item({ code, level, count, since, words }: PublicReason): Html {
  const details = [...(count === null ? [] : [String(count)]), ...(since === null ? [] : [`since ${since}`])].join(', ');
  return html`<li><strong>${level}</strong> <code>${code}</code> ${words} ${details}</li>`;
}
