import { afterAll, describe } from 'vitest';
import { lookInEveryWay } from '../../support/console/look-at.ts';

/** Those that look at pages in each way. */
const files = [
  '../../browser/activity',
  '../../browser/answers',
  '../../browser/connect-companies',
  '../../browser/connect-problems',
  '../../browser/connect-store',
  '../../browser/connect-trial',
  '../../browser/connect-way',
  '../../browser/entry',
  '../../browser/months',
  '../../browser/oidc',
  '../../browser/orders',
  '../../browser/parked',
  '../../browser/proposals',
  '../../browser/stores',
  '../../browser/today',
  '../../integration/connect/door',
];

const every = lookInEveryWay();
afterAll(() => every.usually());

// Collected here once more, with sixteen ways in place of six.
for (const file of files) {
  describe(file, async () => {
    await import(`${file}.test.ts`);
  });
}
