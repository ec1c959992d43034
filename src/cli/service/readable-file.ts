import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type CliContext, CliError } from '../context.ts';
import { errorWords } from '../error-words.ts';

/** Exit code for a file that can't be read. */
const EXIT_UNREADABLE = 2;

/** The bytes of a file as a stream that is closed when it has been read. Throws CliError (exit code 2) if the file can't be opened. */
export async function readableFile({ cwd, signal }: Pick<CliContext, 'cwd' | 'signal'>, given: string): Promise<AsyncIterable<Buffer>> {
  const path = resolve(cwd, given);
  const file = await open(path).catch((thrown: unknown) => Promise.reject(unreadable(given, thrown)));
  return file.createReadStream({ highWaterMark: 262_144, signal });
}

/** What is made of a file's bytes; an error on the way is a CliError (exit code 2). */
export function reading<T>(given: string, work: Promise<T>): Promise<T> {
  return work.catch((thrown: unknown) => Promise.reject(isOfTheSystem(thrown) ? unreadable(given, thrown) : thrown));
}

function unreadable(given: string, cause: unknown): CliError {
  return new CliError(`${given} can’t be read: ${errorWords(cause)}`, EXIT_UNREADABLE);
}

function isOfTheSystem(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown;
}
