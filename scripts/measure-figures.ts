import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './docs/markdown-table.ts';
import { importFigures } from './figures/import-figures.ts';
import { sourceFigures } from './figures/source-figures.ts';
import { touchedByWebhook } from './figures/touched-by-webhook.ts';

/**
 * `npm run figures [-- --root DIRECTORY]`: figures of the code, of this checkout or of another. `--ratios` holds its ratios to their limits,
 * and starts no program.
 */
const { values } = parseArgs({ options: { root: { type: 'string', default: join(import.meta.dirname, '..') }, ratios: { type: 'boolean', default: false } } });
const root = resolve(values.root);

const { files, lines, tokens, importLines, fileLines, functionLines, typesUsedOnce, typesNamedDeps } = sourceFigures(root);
const { folderCycles, filesWithOneImporter } = await importFigures(root);
/** What, how many, of how many, and at most which share of them. */
const shares: readonly [what: string, part: number, whole: number, limit: number][] = [
  ['files under 25 lines', fileLines.filter((count) => count < 25).length, files, 0.08],
  ['files with one importer', filesWithOneImporter, files, 0.28],
  ['lines of imports', importLines, lines, 0.075],
];
const rows = [
  ['files / lines / tokens of code', `${files} / ${lines} / ${tokens}`],
  ['lines of a file: median / p90 / max', spread(fileLines)],
  ['lines of a function: median / p90 / max', spread(functionLines)],
  ...shares.map(([what, part, whole]) => [what, share(part, whole)]),
  ['imports between folders that are part of a cycle', String(folderCycles)],
  ['private types used once; types named Deps', `${typesUsedOnce}; ${typesNamedDeps}`],
];
if (values.ratios) {
  const beyond = shares
    .filter(([, part, whole, limit]) => part / whole > limit)
    .map(([what, part, whole, limit]) => `${what}: ${share(part, whole)}, at most ${100 * limit} %`);
  if (folderCycles > 0) beyond.push(`imports between folders that are part of a cycle: ${folderCycles}`);
  for (const line of beyond) console.error(line);
  process.exitCode = beyond.length === 0 ? 0 : 1;
} else {
  const webhook = await touchedByWebhook(root);
  rows.push(
    [
      'one paid webhook, to the stored record, without the service: files / functions / lines of these files',
      `${webhook.files} / ${webhook.functions} / ${webhook.lines}`,
    ],
    ['files that `orderbridge release` loads', String(webhook.loadedByRelease)],
  );
  console.log(markdownTable(['figure', 'value'], rows).join('\n'));
}

function spread(sorted: readonly number[]): string {
  return [0.5, 0.9, 1].map((part) => sorted[Math.ceil(part * sorted.length) - 1]).join(' / ');
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(2)} %)`;
}
