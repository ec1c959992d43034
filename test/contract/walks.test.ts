import { expect, test } from 'vitest';
import { checkRules } from '../support/walks/check-walks.ts';

test('by the rules of months, what stands is what was filed less what was given back', async () => {
  expect(await checkRules({ count: 1_000, seed: 1, tries: 600 })).toBeNull();
}, 300_000);
