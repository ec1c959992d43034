import type { CliContext } from './context.ts';

type Out = Pick<CliContext, 'stdout'>;

/** One JSON value on standard output, and nothing else. What a terminal would obey is written as an escape of JSON. */
export function printJson({ stdout }: Out, value: unknown): void {
  const text = JSON.stringify(value, null, 2).replace(/[\u007f-\u009f]|\p{Bidi_Control}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  stdout.write(`${text}\n`);
}

export function printLines({ stdout }: Out, lines: readonly string[]): void {
  stdout.write(lines.map((line) => `${forTerminal(line)}\n`).join(''));
}

/** A remark, on stderr: another program may read standard output. */
export function note({ stderr }: Pick<CliContext, 'stderr'>, words: string): void {
  stderr.write(`${forTerminal(words)}\n`);
}

/** Text without what a terminal would obey: control characters but tabs and line breaks, and those that reorder what is read. */
export function forTerminal(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, ' ');
}
