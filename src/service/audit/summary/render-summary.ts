import { type Html, html } from '../../../web/html.ts';
import { htmlDocument } from '../../../web/html-document.ts';
import { composePage } from './compose-page.ts';
import type { MonthSummary } from './month-summary.ts';
import { summaryLimits } from './summary-limits.ts';
import type { SummaryPage } from './summary-page.ts';
import { summaryFooter, summaryHead, summarySections } from './summary-parts.ts';
import { summaryPrintStyle, summaryStyle } from './summary-style.ts';
import { BY_COMMAND, type Way } from './ways-to-act.ts';

/** The summary of a month as one HTML document in Bulgarian: no script, nothing loaded, for screens from 360 pixels and for A4. */
export function renderSummary(summary: MonthSummary, way: Way = BY_COMMAND): string {
  return pageHtml(composePage(summary, { occasion: 'summary', limits: summaryLimits, way }));
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

function sheet({ sections, footer, ...head }: SummaryPage): Html {
  return html`<main class="sheet">
${summaryHead(head)}
${summarySections(sections)}${summaryFooter(footer)}
</main>`;
}
