import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { markdownTable } from './docs/markdown-table.ts';
import { importFigures } from './rooms/import-figures.ts';
import { sourceFigures } from './rooms/source-figures.ts';
import { touchedByWebhook } from './rooms/touched-by-webhook.ts';

/** At most; totals are told, and held to nothing. */
const LIMITS = {
  'files with one importer': 0.33,
  'lines of imports': 0.08,
  'files under 25 lines': 0.1,
  'imports between folders that are part of a cycle': 0,
};

/**
 * `npm run rooms [-- --root DIRECTORY]`: the figures of docs/architecture.md, of this checkout or of another. `--ratios` holds its ratios to their limits,
 * and starts no program.
 */
const { values } = parseArgs({ options: { root: { type: 'string', default: join(import.meta.dirname, '..') }, ratios: { type: 'boolean', default: false } } });
const root = resolve(values.root);

const { files, lines, tokens, importLines, fileLines, functionLines, typesUsedOnce, typesNamedDeps } = sourceFigures(root);
const { folderCycles, filesWithOneImporter } = await importFigures(root);
const short = fileLines.filter((count) => count < 25).length;
const ratios: Readonly<Record<keyof typeof LIMITS, number>> = {
  'files under 25 lines': short / files,
  'files with one importer': filesWithOneImporter / files,
  'lines of imports': importLines / lines,
  'imports between folders that are part of a cycle': folderCycles,
};
const rows = [
  ['files / lines / tokens of code', `${files} / ${lines} / ${tokens}`],
  ['lines of a file: median / p90 / max', spread(fileLines)],
  ['lines of a function: median / p90 / max', spread(functionLines)],
  ['files under 25 lines', share(short, files)],
  ['files with one importer', share(filesWithOneImporter, files)],
  ['lines of imports', share(importLines, lines)],
  ['imports between folders that are part of a cycle', String(folderCycles)],
  ['private types used once; types named Deps', `${typesUsedOnce}; ${typesNamedDeps}`],
];
if (values.ratios) {
  const beyond = Object.entries(LIMITS).filter(([what, limit]) => ratios[what as keyof typeof LIMITS] > limit);
  for (const [what, limit] of beyond) console.error(`${what}: ${ratios[what as keyof typeof LIMITS].toFixed(3)}, at most ${limit}`);
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
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}
