import { randomInt } from 'node:crypto';
import type { TestProject } from 'vitest/node';

/** Vitest's global set-up: everything that is drawn in this run is drawn from one seed. */
export function setup({ vitest }: TestProject): void {
  process.env['TEST_SEED'] ??= String(randomInt(2 ** 31));
  vitest.logger.log(`TEST_SEED=${process.env['TEST_SEED']}`);
}
