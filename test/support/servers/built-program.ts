import { join } from 'node:path';
import { build } from '../../../scripts/build/build.ts';

const root = join(import.meta.dirname, '../../..');

/** The program as users have it: what tests start in a process of its own. */
export const BUILT = join(root, 'dist/main.js');

/** Vitest's global set-up of tests that start programs: all of them start one build of the sources as they are now. */
export async function setup(): Promise<void> {
  await build(root);
}
