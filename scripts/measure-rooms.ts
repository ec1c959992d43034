import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './docs/markdown-table.ts';
import { folderCycles } from './rooms/folder-cycles.ts';
import { sourceFigures } from './rooms/source-figures.ts';
import { touchedByWebhook } from './rooms/touched-by-webhook.ts';

/** `npm run rooms [-- --root DIRECTORY]`: the figures of docs/architecture.md, of this checkout or of another. */
const { values } = parseArgs({ options: { root: { type: 'string', default: join(import.meta.dirname, '..') } } });
const root = resolve(values.root);

const figures = sourceFigures(root);
const { files, functions, lines } = await touchedByWebhook(root);
const rows = [
  ['files', String(figures.files)],
  ['lines', String(figures.lines)],
  ['lines of a file: median / p90 / max', spread(figures.fileLines)],
  ['lines of a function: median / p90 / max', spread(figures.functionLines)],
  ['folder cycles', String(await folderCycles(root))],
  ['one paid webhook, to the stored record: files / functions / lines of these files', `${files} / ${functions} / ${lines}`],
];
console.log(markdownTable(['figure', 'value'], rows).join('\n'));

function spread(sorted: readonly number[]): string {
  return [0.5, 0.9, 1].map((share) => sorted[Math.ceil(share * sorted.length) - 1]).join(' / ');
}
