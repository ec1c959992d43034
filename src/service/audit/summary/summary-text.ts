import { composePage } from './compose-page.ts';
import type { MonthSummary } from './month-summary.ts';
import {
  type Block,
  type Fact,
  type Section,
  type SummaryColumn,
  type SummaryEntry,
  type SummaryPage,
  type SummaryStep,
  summaryLimits,
} from './summary-page.ts';

/** The summary of a month as plain text in Bulgarian. */
export function summaryText(summary: MonthSummary): string {
  return pageText(composePage(summary, { occasion: 'summary', limits: summaryLimits }));
}

/** A composed summary as plain text; columns are aligned in a font of fixed width. */
export function pageText({ kind, title, shop, status, figures, sections, footer }: SummaryPage): string {
  const head = [kind, `${title} – ${shop.name}`, '', ...factLines(shop.facts), '', `${status.label.toLocaleUpperCase('bg')}`, status.words];
  const parts = [head, ...(figures.length === 0 ? [] : [factLines(figures)]), ...sections.map(sectionLines), ['--', ...footer]];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function sectionLines({ title, blocks }: Section): string[] {
  return [title, '='.repeat(title.length), ...blocks.flatMap((block, i) => [...(i === 0 ? [] : ['']), ...blockLines(block)])];
}

function blockLines(block: Block): string[] {
  switch (block.kind) {
    case 'words':
      return [block.words];
    case 'link':
      return [`${block.words}:`, block.href];
    case 'facts':
      return factLines(block.facts);
    case 'steps':
      return block.steps.flatMap(stepLines);
    case 'entries':
      return block.entries.flatMap(entryLines);
    case 'table':
      return tableLines(block);
  }
}

function factLines(facts: readonly Fact[]): string[] {
  return facts.map(({ label, value }) => `${label}: ${value}`);
}

function stepLines({ words, command }: SummaryStep, i: number): string[] {
  return [`${i + 1}. ${words}`, ...(command === null ? [] : [`   ${command}`])];
}

function entryLines({ title, details, advice }: SummaryEntry): string[] {
  return [`* ${title}`, ...details.map((detail) => `  ${detail}`), `  Какво да направите: ${advice}`];
}

function tableLines({ columns, rows, foot }: Extract<Block, { kind: 'table' }>): string[] {
  const all = [columns.map(({ label }) => label), ...rows, ...(foot === null ? [] : [foot])];
  const widths = columns.map((_, i) => Math.max(...all.map((row) => [...(row[i] ?? '')].length)));
  const [head = '', ...body] = all.map((row) =>
    columns
      .map((column, i) => padded(row[i] ?? '', widths[i] ?? 0, column))
      .join('  ')
      .trimEnd(),
  );
  const rule = widths.map((width) => '-'.repeat(width)).join('  ');
  return foot === null ? [head, rule, ...body] : [head, rule, ...body.slice(0, -1), rule, ...body.slice(-1)];
}

function padded(cell: string, width: number, { numeric }: SummaryColumn): string {
  const blank = ' '.repeat(Math.max(0, width - [...cell].length));
  return numeric ? `${blank}${cell}` : `${cell}${blank}`;
}
