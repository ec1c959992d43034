import { join } from 'node:path';
import { Eta } from 'eta';
import { composePage } from './compose-page.ts';
import type { MonthSummary } from './month-summary.ts';
import { summaryLimits } from './summary-limits.ts';
import type { SummaryPage } from './summary-page.ts';

const eta = new Eta({ views: join(import.meta.dirname, 'templates'), cache: true, autoEscape: true });

/** The summary of a month as one HTML document in Bulgarian: no script, nothing loaded, for screens from 360 pixels and for A4. */
export function renderSummary(summary: MonthSummary): string {
  return pageHtml(composePage(summary, { occasion: 'summary', limits: summaryLimits }));
}

/** A composed summary as an HTML document. */
export function pageHtml(page: SummaryPage): string {
  return eta.render('./page', page);
}
