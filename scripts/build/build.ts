import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentOf, isFresh, STAMP, untouchedSince } from '../../bin/fresh-build.mjs';
import { bundle } from './bundle.ts';
import { mainOf } from './main-of.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** How many builds stay: a program that runs loads some of its modules later. */
const KEPT = 3;

/** Makes `dist` of the sources, unless it is made of them already. Programs that run an earlier build keep it. */
export async function build(root: string): Promise<'built' | 'fresh'> {
  const dist = join(root, 'dist');
  mkdirSync(dist, { recursive: true });
  return await oneAtATime(join(dist, 'building'), async () => {
    const stamp = { untouched: untouchedSince(root), content: contentOf(root) };
    const wasFresh = isFresh(root);
    if (!wasFresh) await make(root, stamp.content);
    replace(join(root, STAMP), JSON.stringify(stamp));
    return wasFresh ? 'fresh' : 'built';
  });
}

async function make(root: string, content: string): Promise<void> {
  const dist = join(root, 'dist');
  const name = content.slice(0, 12);
  const draft = mkdtempSync(join(dist, 'draft-'));
  try {
    await bundle(root, draft);
    copyAssets(join(root, 'src'), draft);
    if (contentOf(root) !== content) throw new Error('the sources changed meanwhile: build again');
    // Until there is a new stamp the sources run.
    rmSync(join(root, STAMP), { force: true });
    rmSync(join(dist, name), { recursive: true, force: true });
    renameSync(draft, join(dist, name));
    replace(join(dist, 'main.js'), mainOf(name));
    removeEarlier(dist);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** What is no module: SQL, and what browsers get. */
function copyAssets(src: string, folder: string): void {
  for (const path of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.ts') || statSync(join(src, path)).isDirectory()) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(join(src, path), join(folder, path));
  }
}

function replace(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

function removeEarlier(dist: string): void {
  const builds = readdirSync(dist, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const madeAt = (name: string) => statSync(join(dist, name)).mtimeMs;
  const newestFirst = builds.map(({ name }) => name).sort((a, b) => madeAt(b) - madeAt(a));
  for (const name of newestFirst.slice(KEPT)) rmSync(join(dist, name), { recursive: true, force: true });
}
