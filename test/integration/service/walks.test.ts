import { expect, test } from 'vitest';
import { checkServiceWalks } from '../../support/walks/check-walks.ts';

// The long form is `npm run walks -- --count N --seed S`.
test('the service keeps the rules of months for two years, through HTTP', async () => {
  expect(await checkServiceWalks({ count: 5, seed: 31, tries: 40 })).toBeNull();
}, 900_000);
