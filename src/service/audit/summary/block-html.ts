import { type Attributes, attributes } from '../../../web/attributes.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Block, Column, Entry, Fact, Step } from './summary-page.ts';

// Made once: a page has thousands of cells.
const NUMERIC = attributes({ class: 'n' });
const WORDS = attributes({});

/** A block as markup; a table is labelled by the heading with that id. */
export function blockHtml(block: Block, headingId: string): Html {
  switch (block.kind) {
    case 'words':
      return html`<p>${block.words}</p>`;
    case 'link':
      return html`<p class="way"><a href="${block.href}">${block.words}</a></p>`;
    case 'facts':
      return html`<dl>\n${lines(block.facts.map(factHtml))}</dl>`;
    case 'steps':
      return html`<ol class="steps">\n${lines(block.steps.map(stepHtml))}</ol>`;
    case 'entries':
      return html`<ul class="entries">\n${lines(block.entries.map(entryHtml))}</ul>`;
    case 'table':
      return tableHtml(block, headingId);
  }
}

function factHtml({ label, value }: Fact): Html {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`;
}

function stepHtml({ words, command }: Step): Html {
  return html`<li>${words}${command === null ? nothing : html` <code>${command}</code>`}</li>`;
}

function entryHtml({ title, details, advice }: Entry): Html {
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

function classOf(column: Column | undefined): Attributes {
  return column?.numeric ? NUMERIC : WORDS;
}
