import type { Lang } from '../../../contract/messages.ts';
import { counted } from '../../../contract/plural.ts';
import type { Excerpt } from './month-summary.ts';
import type { Block, SummaryColumn } from './summary-page.ts';

type Table<Row> = {
  columns: readonly SummaryColumn[];
  rows: readonly Row[];
  cells: (row: Row) => readonly string[];
  foot?: readonly string[];
};

export function table<Row>({ columns, rows, cells, foot }: Table<Row>): Block {
  return { kind: 'table', columns, rows: rows.map(cells), foot: foot ?? null };
}

export function text(label: string): SummaryColumn {
  return { label, numeric: false };
}

export function numeric(label: string): SummaryColumn {
  return { label, numeric: true };
}

export function words(sentences: string): Block {
  return { kind: 'words', words: sentences };
}

/** The first `limit` rows of an excerpt, and a line that counts the others, if any. */
export function shorten<Row>({ count, rows }: Excerpt<Row>, limit: number, lang: Lang = 'bg'): { shown: readonly Row[]; rest: readonly Block[] } {
  const shown = rows.slice(0, limit);
  const hidden = count - shown.length;
  const more = {
    en: `And ${counted.en(hidden, 'row that is', 'rows that are')} not shown here.`,
    bg: `И още ${counted.bg(hidden, 'ред, който не е показан', 'реда, които не са показани')} тук.`,
  };
  return { shown, rest: hidden === 0 ? [] : [words(more[lang])] };
}
