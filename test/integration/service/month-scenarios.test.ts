import { expect, test } from 'vitest';
import { runs, SEED } from '../../support/run-size.ts';
import { checkServiceScenarios } from '../../support/scenarios/check-scenarios.ts';

test('the service keeps the rules of months for two years, through HTTP', async () => {
  expect(await checkServiceScenarios({ count: runs(1, 200), seed: SEED, tries: 40 })).toBeNull();
}, 3_600_000);
