import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './docs/markdown-table.ts';
import { importFigures } from './rooms/import-figures.ts';
import { sourceFigures } from './rooms/source-figures.ts';
import { touchedByWebhook } from './rooms/touched-by-webhook.ts';

/** `npm run rooms [-- --root DIRECTORY]`: the figures of docs/architecture.md, of this checkout or of another. */
const { values } = parseArgs({ options: { root: { type: 'string', default: join(import.meta.dirname, '..') } } });
const root = resolve(values.root);

const { files, lines, tokens, importLines, fileLines, functionLines, typesUsedOnce, typesNamedDeps } = sourceFigures(root);
const { folderCycles, filesWithOneImporter } = await importFigures(root);
const webhook = await touchedByWebhook(root);
const short = fileLines.filter((count) => count < 25).length;
const rows = [
  ['files / lines / tokens of code', `${files} / ${lines} / ${tokens}`],
  ['lines of a file: median / p90 / max', spread(fileLines)],
  ['lines of a function: median / p90 / max', spread(functionLines)],
  ['files under 25 lines', share(short, files)],
  ['files with one importer', share(filesWithOneImporter, files)],
  ['lines of imports', share(importLines, lines)],
  ['imports between folders that are part of a cycle', String(folderCycles)],
  ['private types used once; types named Deps', `${typesUsedOnce}; ${typesNamedDeps}`],
  [
    'one paid webhook, to the stored record, without the service: files / functions / lines of these files',
    `${webhook.files} / ${webhook.functions} / ${webhook.lines}`,
  ],
  ['files that `orderbridge release` loads', String(webhook.loadedByRelease)],
];
console.log(markdownTable(['figure', 'value'], rows).join('\n'));

function spread(sorted: readonly number[]): string {
  return [0.5, 0.9, 1].map((part) => sorted[Math.ceil(part * sorted.length) - 1]).join(' / ');
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}
