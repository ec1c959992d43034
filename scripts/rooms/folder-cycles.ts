import { join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';

/** How many imports between folders of `root`/src are part of a circle; types count. */
export async function folderCycles(root: string): Promise<number> {
  const options = await extractDepcruiseOptions(join(import.meta.dirname, '../../.dependency-cruiser.mjs'));
  const rule = { name: 'cycle', severity: 'error', scope: 'folder', from: {}, to: { circular: true } } as const;
  const { output } = await cruise(['src'], { ...options, ruleSet: { forbidden: [rule] }, validate: true, baseDir: root });
  if (typeof output === 'string') throw new Error('expected a result, got text');
  return output.summary.violations.length;
}
