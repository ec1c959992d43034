import { expect, test } from 'vitest';
import { IS_LONG, runs, SEED } from '../../support/run-size.ts';
import { checkServiceScenarios } from '../../support/scenarios/check-scenarios.ts';

test('the service keeps the rules of months, through HTTP', async () => {
  expect(await checkServiceScenarios({ count: runs(1, 20), seed: SEED, tries: 40, share: IS_LONG ? 1 : 0.5 })).toBeNull();
}, 3_600_000);
