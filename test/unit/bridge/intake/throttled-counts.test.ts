import { expect, test } from 'vitest';
import { ThrottledCounts } from '../../../../src/bridge/intake/throttled-counts.ts';
import { within } from '../../../../src/platform/within.ts';

test('a stop does not wait for a database that hangs', async () => {
  const failures: unknown[] = [];
  const counts = new ThrottledCounts({ write: () => new Promise(() => undefined), onFailed: (error) => failures.push(error), now: Date.now });
  counts.add('c_1');

  await within(10_000, counts[Symbol.asyncDispose]());

  expect(failures).toHaveLength(1);
});
