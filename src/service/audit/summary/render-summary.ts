import { type Attributes, attributes } from '../../../web/attributes.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { htmlDocument } from '../../../web/html-document.ts';
import { composePage } from './compose-page.ts';
import type { MonthSummary } from './month-summary.ts';
import { type Block, type Fact, type Section, type SummaryColumn, type SummaryEntry, type SummaryPage, summaryLimits } from './summary-page.ts';
import { summaryPrintStyle, summaryStyle } from './summary-style.ts';
import { BY_COMMAND, type WayToAct } from './ways-to-act.ts';

/** The summary of a month as one HTML document in Bulgarian: no script, nothing loaded, for screens from 360 pixels and for A4. */
export function renderSummary(summary: MonthSummary, way: WayToAct = BY_COMMAND): string {
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

/** Which month of which shop it is, its status, and the most important figures. */
export function summaryHead({ kind, title, shop, status, figures }: Omit<SummaryPage, 'sections' | 'footer'>): Html {
  return html`<header>
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
${figures.length === 0 ? nothing : html`<ul class="figures">\n${lines(figures.map(labelled))}</ul>`}`;
}

export function summarySections(sections: readonly Section[]): Html {
  return lines(sections.map(sectionHtml));
}

export function summaryFooter(footer: readonly string[]): Html {
  return html`<footer>
${lines(footer.map((line) => html`<p>${line}</p>`))}</footer>`;
}

function labelled({ label, value }: Fact): Html {
  return html`<li><span class="label">${label}</span> <b>${value}</b></li>`;
}

function sectionHtml({ id: own, title, tone, blocks }: Section, i: number): Html {
  const id = own ?? `s${i}`;
  return html`<section class="${tone}">
<h2 id="${id}">${title}</h2>
${lines(blocks.map((block) => blockHtml(block, id)))}</section>`;
}

// Made once: a page has thousands of cells.
const NUMERIC = attributes({ class: 'n' });
const WORDS = attributes({});

/** A block as markup; a table is labelled by the heading with that id. */
function blockHtml(block: Block, headingId: string): Html {
  switch (block.kind) {
    case 'words':
      return html`<p>${block.words}</p>`;
    case 'link':
      return html`<p class="way"><a href="${block.href}">${block.words}</a></p>`;
    case 'facts':
      return html`<dl>\n${lines(block.facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`))}</dl>`;
    case 'steps':
      return html`<ol class="steps">\n${lines(block.steps.map(({ words, command }) => html`<li>${words}${command === null ? nothing : html` <code>${command}</code>`}</li>`))}</ol>`;
    case 'entries':
      return html`<ul class="entries">\n${lines(block.entries.map(entryHtml))}</ul>`;
    case 'table':
      return tableHtml(block, headingId);
  }
}

function entryHtml({ title, details, advice }: SummaryEntry): Html {
  return html`<li>
<h3>${title}</h3>
${lines(details.map((detail) => html`<p class="detail">${detail}</p>`))}<p class="advice"><b>Какво да направите:</b> ${advice}</p>
</li>`;
}

function tableHtml({ columns, rows, foot }: Extract<Block, { kind: 'table' }>, headingId: string): Html {
  const row = (cells: readonly string[]) => html`<tr>${cells.map((cell, i) => html`<td${classOf(columns[i])}>${cell}</td>`)}</tr>`;
  return html`<div class="scroll" role="region" aria-labelledby="${headingId}" tabindex="0">
<table>
<thead><tr>
${lines(columns.map((column) => html`<th scope="col"${classOf(column)}>${column.label}</th>`))}</tr></thead>
<tbody>
${lines(rows.map(row))}</tbody>
${foot === null ? nothing : html`<tfoot>${row(foot)}</tfoot>\n`}</table>
</div>`;
}

function classOf(column: SummaryColumn | undefined): Attributes {
  return column?.numeric ? NUMERIC : WORDS;
}
