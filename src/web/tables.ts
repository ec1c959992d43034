import { attributes } from './attributes.ts';
import { type Html, html, lines, nothing } from './html.ts';

type Cell = Html | string | number;

/** `n`: its cells are numbers. `by`: the table can be sorted by it. */
type Column<Row> = { name: string; cell(row: Row): Cell; n?: true; by?(row: Row): string | number };

export type Columns<Row> = readonly Column<Row>[];

/** By which column it is sorted, such as "2", and "-2" the other way round; '': as it comes. `to`: the address of the page sorted so. */
type Sorting = { by: string; to(by: string): string };

type Table<Row> = {
  /** For those who do not see it. */
  caption: string;
  columns: Columns<Row>;
  rows: readonly Row[];
  class?: string;
  /** The class of a row. */
  mark?(row: Row): string | null;
  sort?: Sorting;
  /** Rows below all others. */
  sums?: readonly (readonly Cell[])[];
};

/** A table, whose rows become blocks of lines on narrow screens. */
export function table<Row>({ caption, columns, rows, class: kind, mark, sort, sums = [] }: Table<Row>): Html {
  const td = (cell: Cell, { name, n }: Pick<Column<Row>, 'name' | 'n'>) => html`<td${attributes({ class: n ? 'n' : null, 'data-label': name })}>${cell}</td>`;
  const row = (one: Row) => html`<tr${attributes({ class: mark?.(one) ?? null })}>${columns.map((column) => td(column.cell(one), column))}</tr>`;
  const sum = (cells: readonly Cell[]) => html`<tr>${columns.map((column, i) => td(cells[i] ?? nothing, column))}</tr>`;
  return html`<table${attributes({ class: kind === undefined ? 'list' : `list ${kind}` })}><caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column, i) => heading(column, i, sort))}</tr></thead>
<tbody>
${lines([...sorted(rows, columns, sort).map(row), ...sums.map(sum)])}</tbody>
</table>`;
}

function heading<Row>({ name, n, by }: Column<Row>, place: number, sort: Sorting | undefined): Html {
  if (by === undefined || sort === undefined) return html`<th scope="col"${attributes({ class: n ? 'n' : null })}>${name}</th>`;
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
    return typeof one === 'number' && typeof other === 'number' ? one - other : String(one).localeCompare(String(other), 'bg', { numeric: true });
  };
  return rows.toSorted((a, b) => (minus === '-' ? compare(b, a) : compare(a, b)));
}

type Ways = Readonly<Partial<Record<'first' | 'prev' | 'next', string | null>>>;

/** The ways to other pages of a list; null: there is none. `words`: as frames have them. */
export function paging(ways: Ways, words: Readonly<Record<keyof Ways, string>>): Html {
  const way = (rel: keyof Ways) => (ways[rel] == null ? nothing : html`<a class="verb second" rel="${rel}" href="${ways[rel]}">${words[rel]}</a>`);
  return html`${way('first')}${way('prev')}${way('next')}`;
}

/** As an address says it: `sort` of its query. */
export function sortedBy(sort: unknown, address: string): Sorting {
  return { by: typeof sort === 'string' ? sort : '', to: (by) => `${address}?sort=${by}` };
}
