import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { CliContext } from './context.ts';
import { harmlessJson } from './harmless-json.ts';
import { type Fit, foldText, layTable, type Row, terminalWidth } from './text-table.ts';

type Out = Pick<CliContext, 'stdout'>;

/** A line of text, or one whose first occurrence of `word` is painted. */
export type Line = string | { text: string; word: string; tone: TerminalTone | undefined };

/** A table for people. `tones`: by the header of a column, what a cell of it says. */
export type PrintedTable = Omit<Fit, 'width'> & {
  header: readonly string[];
  rows: readonly Row[];
  tones?: Readonly<Record<string, (cell: string) => TerminalTone | undefined>>;
};

/** One JSON value on standard output, and nothing else. What a terminal would obey is written as an escape of JSON. */
export function printJson({ stdout }: Out, value: unknown): void {
  stdout.write(`${harmlessJson(JSON.stringify(value, null, 2))}\n`);
}

/** One JSON value on a line, of many. */
export function printJsonLine({ stdout }: Out, value: unknown): void {
  stdout.write(`${harmlessJson(JSON.stringify(value))}\n`);
}

/** On a terminal lines are broken between words, so that they are no wider than it. */
export function printLines(out: Paints, lines: readonly Line[]): void {
  const width = terminalWidth(out.stdout);
  out.stdout.write(lines.flatMap((line) => written(out, line, width).map((text) => `${text}\n`)).join(''));
}

/** On a terminal the table is no wider than it; elsewhere all of it is printed, since other programs may read it. */
export function printTable(out: Paints, { header, rows, tones = {}, ...fit }: PrintedTable): void {
  const laid = layTable(header, rows, { ...fit, width: terminalWidth(out.stdout) });
  const lines = laid.lines.map((cells, line) =>
    cells
      .map((cell, at) => {
        const clean = forTerminal(cell);
        return line === 0 ? clean : paint(out, clean, tones[laid.header[at] ?? '']?.(clean.trimEnd()));
      })
      .join('  ')
      .trimEnd(),
  );
  out.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** A remark, on stderr: another program may read standard output. */
export function note({ stderr }: Pick<CliContext, 'stderr'>, words: string): void {
  stderr.write(`${foldText(forTerminal(words), terminalWidth(stderr))}\n`);
}

/** Text without what a terminal would obey: control characters but tabs and line breaks, and those that reorder what is read. */
export function forTerminal(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, ' ');
}

function written(out: Paints, line: Line, width: number | undefined): string[] {
  const text = forTerminal(typeof line === 'string' ? line : line.text);
  const lines = foldText(text, width).split('\n');
  return typeof line === 'string' ? lines : painted(out, lines, line);
}

function painted(out: Paints, lines: string[], { word, tone }: Exclude<Line, string>): string[] {
  const at = lines.findIndex((line) => line.includes(word));
  return lines.map((line, index) => (index === at ? line.replace(word, () => paint(out, word, tone)) : line));
}

const styles = { good: 'green', busy: 'cyan', asks: 'yellow', bad: 'red', quiet: 'dim' } as const;

/** What a state or a mark says: fine, under way, a person is needed, wrong, or nothing to see to. */
export type TerminalTone = keyof typeof styles;

type Paints = Pick<CliContext, 'stdout'> & Partial<Pick<CliContext, 'env'>>;

/** The text in the colour of its tone, where standard output shows colours; else the text. NO_COLOR, FORCE_COLOR and TERM=dumb count. */
function paint(out: Paints, text: string, tone: TerminalTone | undefined): string {
  return tone === undefined || !showsColours(out) ? text : styleText(styles[tone], text, { validateStream: false });
}

function showsColours({ stdout, env = {} }: Paints): boolean {
  const isWanted = stdout.isTTY === true || env['FORCE_COLOR'] !== undefined;
  return isWanted && WriteStream.prototype.getColorDepth(env) > 2;
}
