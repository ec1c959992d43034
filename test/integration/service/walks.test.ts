import { expect, test } from 'vitest';
import { runs, SEED } from '../../support/run-size.ts';
import { checkServiceWalks } from '../../support/walks/check-walks.ts';

test('the service keeps the rules of months for two years, through HTTP', async () => {
  expect(await checkServiceWalks({ count: runs(1, 200), seed: SEED, tries: 40 })).toBeNull();
}, 3_600_000);
