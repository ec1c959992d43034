import { expect, test } from 'vitest';
import { checkServiceWalks } from '../../support/walks/check-walks.ts';

// More of them: test/long/service/walks.test.ts, and `npm run walks -- --count N --seed S`.
test('the service keeps the rules of months for two years, through HTTP', { timeout: 300_000 }, async () => {
  expect(await checkServiceWalks({ count: 1, seed: 31, tries: 40 })).toBeNull();
});
