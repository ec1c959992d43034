import { expect, test } from 'vitest';
import { checkServiceWalks } from '../../support/walks/check-walks.ts';

test('the service keeps the rules of months for two years, through HTTP, in ten walks', { timeout: 1_800_000 }, async () => {
  expect(await checkServiceWalks({ count: 10, seed: 31, tries: 40 })).toBeNull();
});
