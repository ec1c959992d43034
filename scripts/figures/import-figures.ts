import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

export type ImportFigures = {
  /** Imports between folders that are part of a circle. */
  folderCycles: number;
  filesWithOneImporter: number;
};

/** Of `root`/src; imports of types count. */
export async function importFigures(root: string): Promise<ImportFigures> {
  const options = await extractDepcruiseOptions(join(import.meta.dirname, '../../.dependency-cruiser.mjs'));
  const rule = { name: 'cycle', severity: 'error', scope: 'folder', from: {}, to: { circular: true } } as const;
  const { output } = await cruise(['src'], { ...options, ruleSet: { forbidden: [rule] }, validate: true, baseDir: root });
  if (typeof output === 'string') throw new Error('expected a result, got text');
  const { summary, modules } = output;
  return {
    folderCycles: summary.violations.length,
    filesWithOneImporter: modules.filter(({ source, dependents }) => source.startsWith('src/') && dependents.length === 1).length,
  };
}
