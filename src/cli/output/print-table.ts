import { ownValue } from '../../contract/own-value.ts';
import type { Lang } from '../../contract/said.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { type PrintedTable, printTable as printAsItIs } from '../../platform/terminal/print.ts';
import { type Row, textTable } from '../../platform/terminal/text-table.ts';
import { cellsInBulgarian } from '../words/cells.ts';
import { type Column, columnsInBulgarian } from '../words/columns.ts';

/** A table for people, its columns and states named in English. */
export type WordedTable = Omit<PrintedTable, 'header' | 'give' | 'keep' | 'wrap' | 'tones'> & {
  header: readonly Column[];
  give?: readonly Column[];
  keep?: readonly Column[];
  wrap?: Column;
  tones?: Readonly<Partial<Record<Column, NonNullable<PrintedTable['tones']>[string]>>>;
};

/** Prints a table in the language of the command. */
export function printTable(context: CliContext, table: WordedTable): void {
  printAsItIs(context, context.lang === 'bg' ? inBulgarian(table) : inEnglish(table));
}

/** The same as lines of text. `width`: the columns of the terminal; undefined: it is none. */
export function wordedText(table: WordedTable, lang: Lang, width: number | undefined): string[] {
  const { header, rows, tones: _, ...fit } = lang === 'bg' ? inBulgarian(table) : inEnglish(table);
  return textTable(header, rows, { ...fit, width });
}

function inEnglish({ tones, ...table }: WordedTable): PrintedTable {
  return { ...table, tones: Object.fromEntries(Object.entries(tones ?? {})) };
}

function inBulgarian({ header, rows, give = [], keep = [], wrap, tones = {} }: WordedTable): PrintedTable {
  const name = (column: Column) => columnsInBulgarian[column];
  return {
    header: header.map(name),
    rows: rows.map((row) => rowInBulgarian(header, row)),
    give: give.map(name),
    keep: keep.map(name),
    ...(wrap === undefined ? {} : { wrap: name(wrap) }),
    tones: Object.fromEntries(header.map((column) => [name(column), (cell: string) => tones[column]?.(asWritten(column, cell))])),
  };
}

/** The cells of a row under these columns. */
function rowInBulgarian(header: readonly Column[], row: Row): Row {
  return row.map((cell, at) => (cell === null ? null : cellWords(header[at] ?? '', cell, 'bg')));
}

/** One such cell, where no table is. */
export function cellWords(column: Column, cell: string, lang: Lang): string {
  return lang === 'bg' ? (ownValue(cellsInBulgarian[column] ?? {}, cell) ?? cell) : cell;
}

/** What the command wrote where a person reads this. */
function asWritten(column: Column, read: string): string {
  return Object.entries(cellsInBulgarian[column] ?? {}).find(([, words]) => words === read)?.[0] ?? read;
}
