import { expect, test } from 'vitest';
import { type Traffic, TrafficCounts } from '../../../../src/bridge/intake/traffic.ts';
import { withTimeout } from '../../../../src/platform/with-timeout.ts';

const accepted = { connectionId: 'c_1', topic: 't', code: null, client: null, isPlatforms: true };
const refused = { ...accepted, code: 'signature.mismatch' };

test('a stop does not wait for a database that hangs', async () => {
  const failures: unknown[] = [];
  const counts = new TrafficCounts({ write: () => new Promise(() => undefined), onFailed: (error) => failures.push(error), now: Date.now });
  counts.add(accepted);

  await withTimeout(10_000, counts[Symbol.asyncDispose]());

  expect(failures).toHaveLength(1);
});

test('what could not be written is written with what came meanwhile, in its order', async () => {
  const written: Traffic[][] = [];
  const failures: unknown[] = [];
  let now = 0;
  const write = async (traffic: Traffic[]) => {
    if (written.push(structuredClone(traffic)) > 1) return;
    counts.add(accepted);
    now += 1_000;
    counts.add(refused);
    counts.add({ ...refused, connectionId: 'c_2' });
    throw new Error('down');
  };
  const counts = new TrafficCounts({ write, onFailed: (error) => failures.push(error), now: () => now });
  counts.add(refused);
  counts.add(refused);

  await counts.flush();
  await counts[Symbol.asyncDispose]();

  expect(failures).toHaveLength(1);
  expect(written.map((traffic) => traffic.map(({ connectionId, refusedInARow, refusals }) => [connectionId, refusedInARow, refusals.length]))).toEqual([
    [['c_1', 2, 2]],
    [
      ['c_1', 1, 3],
      ['c_2', 1, 1],
    ],
  ]);
  expect(written[1]?.[0]).toMatchObject({ acceptedAt: '1970-01-01T00:00:00.000Z', refusedAt: '1970-01-01T00:00:01.000Z' });
});

test('what comes during the last write is written, too', async () => {
  const written: number[] = [];
  const write = async (traffic: Traffic[]) => {
    if (written.push(traffic.length) === 1) counts.add(accepted);
  };
  const counts = new TrafficCounts({ write, onFailed: () => undefined, now: Date.now });
  counts.add(accepted);
  const first = counts.flush();

  await counts[Symbol.asyncDispose]();
  await first;

  expect(written).toEqual([1, 1]);
});

test('nothing is written if nothing came', async () => {
  const written: Traffic[][] = [];
  const counts = new TrafficCounts({ write: async (traffic) => void written.push(traffic), onFailed: () => undefined, now: Date.now });

  await counts[Symbol.asyncDispose]();

  expect(written).toEqual([]);
});
