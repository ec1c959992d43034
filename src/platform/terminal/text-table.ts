import { createRequire } from 'node:module';

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
type LaidTable = { header: string[]; lines: string[][] };

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

/** What following lines are indented by: a list's mark, or a field's name and the gap after it. */
const HEAD = /^\s*(?:(?:[-!→✗✓]|\d+\.) +|\S(?:[^\s`]| (?! ))* {2,})?/u;
/** A command in backquotes is one word, so that it can be copied. */
const WORDS = /`[^`]+`[^\s`]*|\S+/g;

/** Each line of a text so; undefined: as it is. */
export function foldText(text: string, width: number | undefined): string {
  return width === undefined
    ? text
    : text
        .split('\n')
        .flatMap((line) => foldLine(line, width))
        .join('\n');
}

/** A line in lines of at most `width` columns, broken at spaces; a single longer word, such as an address, stays whole. */
export function foldLine(line: string, width: number): string[] {
  if (textWidth(line) <= width) return [line];
  const [found = ''] = HEAD.exec(line) ?? [];
  const head = textWidth(found) <= width / 2 ? found : (/^\s*/.exec(line)?.[0] ?? '');
  const indent = ' '.repeat(textWidth(head));
  const room = width - indent.length;
  const words = (line.slice(head.length).match(WORDS) ?? []).flatMap((word) => (textWidth(word) > room ? word.split(' ') : [word]));
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(last) + 1 + textWidth(word) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((text, at) => (at === 0 ? head : indent) + text);
}

const ELLIPSIS = '…';

/** Of these each takes one column: Latin, Greek and Cyrillic letters, digits, and the signs of our own texts. */
const PLAIN = /^[ -~\u00a1-\u00a8\u00aa-\u00ac\u00af-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u203b€←-↓]*$/;
const require = createRequire(import.meta.url);

/** How many columns of a terminal a text takes: most letters one, an emoji or a Chinese character two. */
export function textWidth(text: string): number {
  if (PLAIN.test(text)) return text.length;
  // Only then: it takes longer to load than all else that a short command needs.
  const { default: stringWidth }: typeof import('string-width') = require('string-width');
  return stringWidth(text);
}

/** The beginning of a text that is wider than so many columns, with an ellipsis; else the text. */
function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let kept = '';
  let room = columns - textWidth(ELLIPSIS);
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= textWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}

/** Narrower ones are not written for. */
const NARROWEST = 40;

/** The columns of the terminal that a stream is; undefined: it is none, so that lines are as long as they are. */
export function terminalWidth({ isTTY, columns }: { isTTY?: boolean; columns?: number | undefined }): number | undefined {
  return isTTY === true && columns !== undefined && columns > 0 ? Math.max(columns, NARROWEST) : undefined;
}
