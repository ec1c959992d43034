import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const GIT_MS = 2_000;

/** Is the file in a git checkout that does not ignore it? Without git nobody can commit it. */
export async function couldBeCommitted(path: string): Promise<boolean> {
  if (!(await isInCheckout(dirname(path)))) return false;
  return new Promise((resolve) => {
    // 0: ignored, 1: not ignored; anything else is no answer. A tracked file is never ignored.
    execFile('git', ['check-ignore', '--quiet', '--', path], { cwd: dirname(path), timeout: GIT_MS }, (error) => resolve(error?.code === 1));
  });
}

/** Most secrets are in no checkout: then git, which may be missing, is not started. */
async function isInCheckout(folder: string): Promise<boolean> {
  const isHere = await stat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  return isHere || (dirname(folder) !== folder && (await isInCheckout(dirname(folder))));
}
