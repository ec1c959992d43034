import { expect, test } from 'vitest';
import { checkRules, checkServiceWalks } from '../support/walks/check-walks.ts';

test('by the rules of months, what stands is what was filed less what was given back', async () => {
  expect(await checkRules({ count: 1_000, seed: 1, tries: 600 })).toBeNull();
}, 120_000);

// The long form is `npm run walks -- --count N --seed S`.
test('the service keeps the rules of months for two years, through HTTP', async () => {
  expect(await checkServiceWalks({ count: 5, seed: 31, tries: 40 })).toBeNull();
}, 600_000);
