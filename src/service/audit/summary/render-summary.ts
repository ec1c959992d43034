import { type Html, html, nothing } from '../../../web/html.ts';
import { htmlDocument } from '../../../web/html-document.ts';
import { lines } from '../../../web/lines.ts';
import { blockHtml } from './block-html.ts';
import { composePage } from './compose-page.ts';
import type { MonthSummary } from './month-summary.ts';
import { summaryLimits } from './summary-limits.ts';
import type { Fact, Section, SummaryPage } from './summary-page.ts';
import { summaryPrintStyle, summaryStyle } from './summary-style.ts';

/** The summary of a month as one HTML document in Bulgarian: no script, nothing loaded, for screens from 360 pixels and for A4. */
export function renderSummary(summary: MonthSummary): string {
  return pageHtml(composePage(summary, { occasion: 'summary', limits: summaryLimits }));
}

/** A composed summary as an HTML document. */
export function pageHtml(page: SummaryPage): string {
  const document = htmlDocument({
    lang: 'bg',
    title: `${page.title} – ${page.shop.name}`,
    meta: [html`<meta name="color-scheme" content="light">`],
    styles: [html`<style>${summaryStyle}</style>`, html`<style media="print">${summaryPrintStyle}</style>`],
    body: sheet(page),
  });
  return document.markup;
}

function sheet({ kind, title, shop, status, figures, sections, footer }: SummaryPage): Html {
  return html`<main class="sheet">
<header>
<p class="kind">${kind}</p>
<h1>${title}</h1>
<p class="shop">${shop.name}</p>
<ul class="identity">
${lines(shop.facts.map(labelled))}</ul>
</header>
<div class="status ${status.tone}">
<p class="badge">${status.label}</p>
<p class="words">${status.words}</p>
</div>
${figures.length === 0 ? nothing : html`<ul class="figures">\n${lines(figures.map(labelled))}</ul>\n`}${lines(sections.map(sectionHtml))}<footer>
${lines(footer.map((line) => html`<p>${line}</p>`))}</footer>
</main>`;
}

function labelled({ label, value }: Fact): Html {
  return html`<li><span class="label">${label}</span> <b>${value}</b></li>`;
}

function sectionHtml({ title, tone, blocks }: Section, i: number): Html {
  const id = `s${i}`;
  return html`<section class="${tone}">
<h2 id="${id}">${title}</h2>
${lines(blocks.map((block) => blockHtml(block, id)))}</section>`;
}
