import { expect, test } from 'vitest';
import { checkHistories } from '../support/histories/check-histories.ts';

// The long form is `npm run histories -- --count N --seed S`.
test('a random history of an order ends with the record of what was paid and kept, or with a person', async () => {
  const { wrong, share } = await checkHistories({ count: 1_500, seed: 8 });

  expect(wrong).toBeNull();
  for (const percent of Object.values(share)) expect(percent).toBeLessThanOrEqual(1);
}, 120_000);
