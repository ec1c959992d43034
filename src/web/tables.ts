import { attributes } from './attributes.ts';
import { type Html, html, lines, nothing } from './html.ts';

type Cell = Html | string | number;

/** Made once: to look it up for each pair takes fifty times as long. */
const byName = new Intl.Collator('bg', { numeric: true }).compare;

/** `n`: its cells are numbers. `by`: the table can be sorted by it; `sorts`: whoever finds its rows does that. */
type Column<Row> = { name: string; cell(row: Row): Cell; n?: true; by?(row: Row): string | number; sorts?: true };

export type Columns<Row> = readonly Column<Row>[];

/** By which column it is sorted, such as "2", and "-2" the other way round; '': as it comes. `to`: the address of the page sorted so. */
export type Sorting = { by: string; to(by: string): string };

type Table<Row> = {
  /** For those who do not see it. */
  caption: string;
  columns: Columns<Row>;
  rows: readonly Row[];
  class?: string;
  /** A press anywhere in a row follows its first link. */
  opens?: true;
  /** The class of a row. */
  mark?(row: Row): string | null;
  sort?: Sorting;
  /** A page of rows begins with this one; absent: all are shown. */
  from?: number | undefined;
  /** Rows below all others. */
  sums?: readonly (readonly Cell[])[];
};

/** A table, whose rows become blocks of lines on narrow screens. */
export function table<Row>({ caption, columns, rows, class: kind, opens, mark, sort, from, sums = [] }: Table<Row>): Html {
  const td = (cell: Cell, { name, n }: Pick<Column<Row>, 'name' | 'n'>) => html`<td${attributes({ class: n ? 'n' : null, 'data-label': name })}>${cell}</td>`;
  const row = (one: Row) => html`<tr${attributes({ class: mark?.(one) ?? null })}>${columns.map((column) => td(column.cell(one), column))}</tr>`;
  const shown = sorted(rows, columns, sort).slice(from ?? 0, from === undefined ? rows.length : from + PAGE);
  const sum = (cells: readonly Cell[]) => html`<tr>${columns.map((column, i) => td(cells[i] ?? nothing, column))}</tr>`;
  return html`<table${attributes({ class: ['list', ...(opens ? ['opens'] : []), ...(kind === undefined ? [] : [kind])].join(' ') })}><caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column, i) => heading(column, i, sort))}</tr></thead>
<tbody>
${lines([...shown.map(row), ...sums.map(sum)])}</tbody>
</table>`;
}

function heading<Row>({ name, n, by, sorts }: Column<Row>, place: number, sort: Sorting | undefined): Html {
  if ((by === undefined && sorts === undefined) || sort === undefined) return html`<th scope="col"${attributes({ class: n ? 'n' : null })}>${name}</th>`;
  const now = sort.by === `${place}` ? 'ascending' : sort.by === `-${place}` ? 'descending' : null;
  const to = sort.to(now === 'ascending' ? `-${place}` : `${place}`);
  return html`<th scope="col"${attributes({ class: n ? 'n' : null, 'aria-sort': now })}><a href="${to}">${name}</a></th>`;
}

function sorted<Row>(rows: readonly Row[], columns: Columns<Row>, sort: Sorting | undefined): readonly Row[] {
  const [, minus, place] = /^(-?)(\d{1,2})$/.exec(sort?.by ?? '') ?? [];
  const by = place === undefined ? undefined : columns[Number(place)]?.by;
  if (by === undefined) return rows;
  const compare = (a: Row, b: Row) => {
    const [one, other] = [by(a), by(b)];
    return typeof one === 'number' && typeof other === 'number' ? one - other : byName(String(one), String(other));
  };
  return rows.toSorted((a, b) => (minus === '-' ? compare(b, a) : compare(a, b)));
}

/** How many rows were before the first of a page, how many are on it, and how many there are; beyond `most` they are not counted. */
type Position = { before: number; shown: number; count: number; most: number };
type Place = Readonly<Record<string, string>>;
/** What an address has of other pages; null: there is none. `to`: an address of the list. */
type Pages = { next: Place | null; previous: Place | null; at: Position | null; to(place: Place): string };
type PagingWords = Readonly<Record<'first' | 'prev' | 'next', string>> & { at(from: number, to: number, of: Pick<Position, 'count' | 'most'>): string };

/** The ways to other pages of a list, and which of its rows these are, where that is known. */
export function listPaging({ next, previous, at, to }: Pages, { frame: { paging: say } }: { frame: { paging: PagingWords } }): Html {
  if (next === null && previous === null) return nothing;
  const way = (rel: 'first' | 'prev' | 'next', place: Place | null) =>
    place === null ? nothing : html`<a class="verb second" rel="${rel}" href="${to(place)}">${say[rel]}</a>`;
  const rows = at === null || at.shown === 0 ? nothing : html`<span class="soft">${say.at(at.before + 1, at.before + at.shown, at)}</span>`;
  return html`${previous === null ? nothing : way('first', {})}${way('prev', previous)}${way('next', next)}${rows}`;
}

type TablePages = { from: number; count: number; to: Pages['to']; size?: number };

/** The ways to the other pages of a table that has all its rows at hand; nothing if they are few. */
export function tablePaging({ from, count, to, size = PAGE }: TablePages, words: { frame: { paging: PagingWords } }): Html {
  const place = (n: number) => ({ n: `${n}` });
  const next = from + size < count ? place(from + size) : null;
  const at = { before: from, shown: Math.max(0, Math.min(size, count - from)), count, most: count };
  const ways = listPaging({ next, previous: from > 0 ? place(Math.max(0, from - size)) : null, at, to }, words);
  return ways === nothing ? nothing : html`<p class="verbs">${ways}</p>\n`;
}

type Marks = { next: string | null; previous: string | null };

/** Other pages of a list that goes by places; `n` says how many rows are before theirs. */
export function placesOf({ next, previous }: Marks, { before, shown }: Pick<Position, 'before' | 'shown'>): Pick<Pages, 'next' | 'previous'> {
  return {
    next: next === null ? null : { after: next, n: `${before + shown}` },
    previous: previous === null ? null : { before: previous, n: `${Math.max(0, before - PAGE)}` },
  };
}

/** Rows of a page. */
export const PAGE = 50;

/** What an address says of how many rows were before its own, which the pages before it counted. */
export function rowsBefore(text: string): number {
  return /^\d{1,7}$/.test(text) ? Number(text) : 0;
}

/** As an address says it: `sort` of its query. */
export function sortedBy(sort: unknown, address: string): Sorting {
  const [path, query] = address.split('?');
  const to = (by: string) => `${path}?${new URLSearchParams([...new URLSearchParams(query), ['sort', by]])}`;
  return { by: typeof sort === 'string' ? sort : '', to };
}
