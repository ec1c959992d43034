import { type Html, html, nothing } from '../../web/html.ts';
import { lines } from '../../web/lines.ts';
import type { MonthSummary } from '../audit/summary/month-summary.ts';
import type { PortalWords } from './portal-words.ts';

/** Numbers that were skipped, and why, in the language of the page. */
export function skippedTable({ skipped }: MonthSummary, { skipped: w, day }: PortalWords): Html {
  if (skipped === undefined) return nothing;
  const hidden = skipped.count - skipped.rows.length;
  return html`<section class="quiet">
<h2 id="skipped">${w.title}</h2>
<p>${w.lead}</p>
<div class="scroll" role="region" aria-labelledby="skipped" tabindex="0">
<table>
<thead><tr><th scope="col">${w.from}</th><th scope="col">${w.to}</th><th scope="col">${w.on}</th><th scope="col">${w.why}</th></tr></thead>
<tbody>
${lines(skipped.rows.map(({ from, to, skippedOn, why }) => html`<tr><td>${from}</td><td>${to}</td><td>${day(skippedOn)}</td><td>${why}</td></tr>`))}</tbody>
</table>
</div>
${hidden === 0 ? nothing : html`<p>${w.more(hidden)}</p>\n`}</section>\n`;
}
