import type { CliContext } from './context.ts';

type Out = Pick<CliContext, 'stdout'>;

/** One JSON value on standard output, and nothing else. */
export function printJson({ stdout }: Out, value: unknown): void {
  stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export function printLines({ stdout }: Out, lines: readonly string[]): void {
  stdout.write(lines.map((line) => `${line}\n`).join(''));
}

/** A remark, on stderr: another program may read standard output. */
export function note({ stderr }: Pick<CliContext, 'stderr'>, words: string): void {
  stderr.write(`${words}\n`);
}
