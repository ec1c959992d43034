import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What a build is made of, below the checkout's folder. */
const FOLDERS = ['scripts/build', 'src'];
const FILES = ['package-lock.json', 'package.json'];

/** The file that says what the build in `dist` was made of. */
export const STAMP = 'dist/stamp.json';

/** Was the build in `dist` made of these very sources? Their contents are read only where one of their files was written since, or moved. */
export function isFresh(root) {
  try {
    const stamp = JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
    return stamp.untouched === untouchedSince(root) || stamp.content === contentOf(root);
  } catch {
    return false;
  }
}

/** A digest of the sources' names and contents: the same for the same sources, wherever they are. */
export function contentOf(root) {
  return digest(
    sourcesOf(root).map(
      (path) =>
        `${path} ${createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest('hex')}`,
    ),
  );
}

/** A digest that any write to a source changes, whatever time it gives the file: the time of the last change itself can't be set. */
export function untouchedSince(root) {
  return digest(
    sourcesOf(root).map((path) => {
      const { size, ctimeMs, ino } = statSync(`${root}/${path}`);
      return `${path} ${size} ${ctimeMs} ${ino}`;
    }),
  );
}

function digest(lines) {
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

function sourcesOf(root) {
  return [...FILES, ...FOLDERS.flatMap((folder) => filesBelow(root, folder))];
}

function filesBelow(root, folder) {
  const entries = readdirSync(`${root}/${folder}`, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? filesBelow(root, `${folder}/${entry.name}`) : [`${folder}/${entry.name}`])).sort();
}
