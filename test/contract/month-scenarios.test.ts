import { expect, test } from 'vitest';
import { runs, SEED } from '../support/run-size.ts';
import { checkRules } from '../support/scenarios/check-scenarios.ts';

test('by the rules of months, what stands is what was filed less what was given back', async () => {
  expect(await checkRules({ count: runs(60, 1_000), seed: SEED, tries: 600 })).toBeNull();
}, 300_000);
