import { open, readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { errorWords } from '../../platform/error-words.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import type { OnProgress } from '../output/progress-bar.ts';

/** Exit code for a file that can't be read. */
const EXIT_UNREADABLE = 2;
const PIECE_BYTES = 262_144;

/** The bytes of a file, which is opened when the first are read and closed after the last. Throws CliError (exit code 2) if there is no such file. */
export async function readableFile(where: Pick<CliContext, 'cwd' | 'signal'>, given: string): Promise<{ bytes: AsyncIterable<Buffer>; size: number }> {
  const path = resolve(where.cwd, given);
  const { size } = await stat(path).catch((thrown: unknown) => Promise.reject(unreadable(given, thrown)));
  return { bytes: bytesOf(path, where.signal), size };
}

async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  await using file = await open(path);
  yield* file.createReadStream({ highWaterMark: PIECE_BYTES, autoClose: false, signal });
}

/** The same bytes; reports how many megabytes were read. */
export async function* tellingProgress({ bytes, size }: { bytes: AsyncIterable<Buffer>; size: number }, onProgress: OnProgress): AsyncGenerator<Buffer> {
  let done = 0;
  for await (const piece of bytes) {
    done += piece.length;
    onProgress(megabytes(done), megabytes(size));
    yield piece;
  }
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

/** The result of reading a file's bytes; an error on the way is a CliError (exit code 2). */
export function reading<T>(given: string, work: Promise<T>): Promise<T> {
  return work.catch((thrown: unknown) => Promise.reject(isOfTheSystem(thrown) ? unreadable(given, thrown) : thrown));
}

function unreadable(given: string, cause: unknown): CliError {
  return new CliError(`${given} can’t be read: ${errorWords(cause)}`, EXIT_UNREADABLE);
}

function isOfTheSystem(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}

/** The JSON in a file; errors name the file. */
export async function readJsonFile({ cwd }: Pick<CliContext, 'cwd'>, given: string): Promise<unknown> {
  const path = resolve(cwd, given);
  const text = await readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new CliError(`${path} can't be read: ${errorWords(thrown)}`);
  });
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (thrown) {
    throw new CliError(`${path} is not JSON: ${errorWords(thrown)}`);
  }
}

/** A connection's settings in a file; every problem is reported. */
export async function readSettingsFile(context: Pick<CliContext, 'cwd'>, path: string): Promise<SettingsInput> {
  const { readSettings } = await import('../../bridge/connections/connection-settings.ts');
  const read = readSettings(await readJsonFile(context, path));
  if (read.ok) return read.settings;
  const problems = read.problems.map((problem) => `  ${problem.en}`).join('\n');
  throw new CliError(`the settings in ${path} are not right; nothing was changed:\n${problems}`);
}
