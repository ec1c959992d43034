import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorWords } from '../../platform/error-words.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import type { OnProgress } from '../output/progress-bar.ts';

/** Exit code for a file that can't be read. */
const EXIT_UNREADABLE = 2;
const PIECE_BYTES = 262_144;

type Where = Pick<CliContext, 'cwd' | 'signal'>;

/** The bytes of a file, which is opened when the first are read and closed after the last. Throws CliError (exit code 2) if there is no such file. */
export async function readableFile(where: Where, given: string): Promise<{ bytes: AsyncIterable<Buffer>; size: number }> {
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
