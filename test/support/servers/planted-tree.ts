import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type PlantedTree = AsyncDisposable & { root: string };

/** A scratch checkout: files and folders of the repository, its packages, and planted sources. Removed when disposed. */
export async function plantTree(files: Record<string, string>, copied: readonly string[]): Promise<PlantedTree> {
  const root = await mkdtemp(join(tmpdir(), 'orderbridge-planted-'));
  await symlink(join(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'));
  await Promise.all(copied.map((name) => cp(join(import.meta.dirname, '../../..', name), join(root, name), { recursive: true })));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return { root, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}
