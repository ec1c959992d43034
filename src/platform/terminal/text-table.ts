import { foldLine } from './fold-line.ts';
import { cutText, textWidth } from './text-width.ts';

/** Cells of a row; empty ones are shown as "-". */
export type Row = readonly (string | null)[];

/** How a table is made to fit. Columns are named by their header. */
export type Fit = {
  /** Columns of the terminal; undefined: the table is as wide as it gets. */
  width?: number | undefined;
  /** Left out where there is no room, the first one first. */
  give?: readonly string[];
  /** Cut only where nothing else is left to cut, such as what is typed into other commands. */
  keep?: readonly string[];
  /** Goes on below instead of being cut: for what must be read whole. */
  wrap?: string;
};

/** A table whose columns are chosen and cut; `lines` begin with the header, cells are padded but for the last of a line. */
export type LaidTable = { header: string[]; lines: string[][] };

const GAP = '  ';
/** A cell that is cut shows at least so much. */
const LEAST = 5;
/** A wider column is rather cut to this than that another one is left out. */
const SOFT = 24;

/** Rows under a header, columns aligned; for people. */
export function textTable(header: readonly string[], rows: readonly Row[], fit: Fit = {}): string[] {
  return layTable(header, rows, fit).lines.map((cells) => cells.join(GAP).trimEnd());
}

export function layTable(header: readonly string[], rows: readonly Row[], { width = Number.POSITIVE_INFINITY, give = [], keep = [], wrap }: Fit): LaidTable {
  const cells = [[...header], ...rows.map((row) => row.map((cell) => oneLine(cell ?? '') || '-'))];
  const natural = header.map((_, column) => Math.max(...cells.map((row) => textWidth(row[column] ?? ''))));
  const columns = header.map((name, index) => ({ name, index, width: natural[index] ?? 0, kept: keep.includes(name) }));
  const shown = columnsThatFit(columns, width, give);
  const widths = cutWidths(shown, width - GAP.length * (shown.length - 1));
  const lines = cells.flatMap((row) =>
    below(shown.map(({ name, index }, at) => (name === wrap ? foldLine(row[index] ?? '', widths[at] ?? 0) : [cutText(row[index] ?? '', widths[at] ?? 0)]))),
  );
  return { header: shown.map(({ name }) => name), lines: lines.map((line) => padded(line, widths)) };
}

type Column = { name: string; index: number; width: number; kept: boolean };

/** The columns that stay. */
function columnsThatFit(columns: readonly Column[], width: number, give: readonly string[]): Column[] {
  let shown = [...columns];
  for (const name of give) {
    const needed = shown.reduce((sum, column) => sum + (column.kept ? column.width : Math.min(column.width, SOFT)), GAP.length * (shown.length - 1));
    if (needed <= width) break;
    shown = shown.filter((column) => column.name !== name);
  }
  return shown;
}

/** Takes from the widest columns until all fit into `room`; from those that are kept, last. */
function cutWidths(columns: readonly Column[], room: number): number[] {
  const widths = columns.map(({ width }) => width);
  let excess = widths.reduce((sum, width) => sum + width, -room);
  for (const kept of [false, true]) {
    const indexes = columns.flatMap((column, index) => (column.kept === kept ? [index] : []));
    while (excess > 0) {
      const widest = indexes.reduce<number | undefined>(
        (most, index) => (most === undefined || (widths[index] ?? 0) > (widths[most] ?? 0) ? index : most),
        undefined,
      );
      if (widest === undefined || (widths[widest] ?? 0) <= LEAST) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
      excess -= 1;
    }
  }
  return widths;
}

/** The lines of a row, some of whose cells have several. */
function below(cells: readonly (readonly string[])[]): string[][] {
  const height = Math.max(...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ''));
}

function padded(cells: readonly string[], widths: readonly number[]): string[] {
  const last = cells.length - 1;
  return cells.map((cell, at) => (at === last ? cell : cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - textWidth(cell)))));
}

/** "name  value" pairs, values aligned. */
export function textFields(fields: readonly (readonly [string, string])[]): string[] {
  const widest = Math.max(...fields.map(([name]) => textWidth(name)));
  return fields.map(([name, value]) => `${name}${' '.repeat(widest - textWidth(name))}${GAP}${oneLine(value)}`);
}

// Text from a store may contain control characters, which a terminal would obey.
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
}
