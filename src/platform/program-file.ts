import { extname } from 'node:path';

// `src` itself; of a build, the folder that has its modules in one folder and all else where it is in `src`.
const ROOT = new URL('../', import.meta.url);

/** A file that comes with the program, by its path in `src`. */
export function programFile(path: string): URL {
  return new URL(path, ROOT);
}

/** The address of a module that runs on a thread or in a process of its own, by its path in `src` without the ending. */
export function partModule(path: string): string {
  return programFile(`${path}${extname(import.meta.filename)}`).href;
}
