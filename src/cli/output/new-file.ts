import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, errorWords } from '../../platform/error-words.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';

type Wanted = { file: string; force: boolean };

/** A file that appears whole or not at all: it is written as a draft beside its place. Every failure is a CliError that names it. */
export class NewFile implements AsyncDisposable {
  readonly #wanted: Wanted;
  readonly #path: string;
  readonly #draft: string;
  readonly #handle: FileHandle;

  private constructor({ wanted, path, draft, handle }: { wanted: Wanted; path: string; draft: string; handle: FileHandle }) {
    this.#wanted = wanted;
    this.#path = path;
    this.#draft = draft;
    this.#handle = handle;
  }

  /** Checks that the file can be written before its content is made. */
  static async open({ cwd }: Pick<CliContext, 'cwd'>, wanted: Wanted): Promise<NewFile> {
    const path = resolve(cwd, wanted.file);
    await mustBeFree(path, wanted);
    const draft = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}`);
    return new NewFile({ wanted, path, draft, handle: await writing(wanted, open(draft, 'wx')) });
  }

  /** All of it, once. */
  async write(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    for await (const block of content) await writing(this.#wanted, this.#handle.writeFile(block));
    await writing(this.#wanted, this.#handle.sync());
    await this.#handle.close();
  }

  /** Moves the draft into its place; a file that appeared there meanwhile is overwritten only with `force`. */
  async publish(): Promise<void> {
    if (!this.#wanted.force) await reserve(this.#path, this.#wanted);
    await writing(this.#wanted, rename(this.#draft, this.#path));
  }

  /** Removes a draft that was not published. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close();
    await rm(this.#draft, { force: true });
  }
}

async function mustBeFree(path: string, { file, force }: Wanted): Promise<void> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) throw new CliError(`${file} is a folder; name a file in it`);
  if (found !== null && !force) throw isThere(file);
}

// Unlike a link, a reservation works on every file system.
async function reserve(path: string, wanted: Wanted): Promise<void> {
  const handle = await open(path, 'wx').catch((thrown: unknown) => {
    throw codeOf(thrown) === 'EEXIST' ? isThere(wanted.file) : unwritable(wanted, thrown);
  });
  await handle.close();
}

function writing<T>(wanted: Wanted, work: Promise<T>): Promise<T> {
  return work.catch((thrown: unknown) => Promise.reject(unwritable(wanted, thrown)));
}

function isThere(file: string): CliError {
  return new CliError(`${file} is there already; name another file, or overwrite it with --force`);
}

// The system's own message would name the draft.
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there; make it, or name another',
  ENOTDIR: 'part of its path is a file; name a folder that is there',
  EACCES: 'you may not write to its folder; name another',
  EPERM: 'you may not write to its folder; name another',
  EROFS: 'its folder can only be read; name another',
  ENOSPC: 'the disk is full; free some space, or name a folder elsewhere',
};

function unwritable({ file }: Wanted, thrown: unknown): CliError {
  return new CliError(`${file} can’t be written: ${REASONS[codeOf(thrown)] ?? errorWords(thrown)}`);
}
