import { expect, test } from 'vitest';
import { type Traffic, TrafficCounts } from '../../../../src/bridge/intake/traffic.ts';
import { withTimeout } from '../../../../src/platform/with-timeout.ts';

const accepted = { connectionId: 'c_1', topic: 't', code: null, client: null, isPlatforms: true };
const NONE: ReadonlyMap<string, number> = new Map();
const refused = { ...accepted, code: 'signature.mismatch' };

test('a stop does not wait for a database that hangs', async () => {
  const failures: unknown[] = [];
  const counts = new TrafficCounts({ write: () => new Promise(() => undefined), onFailed: (error) => failures.push(error), now: Date.now, keptBytes: 0 });
  counts.add(accepted);

  await withTimeout(10_000, counts[Symbol.asyncDispose]());

  expect(failures).toHaveLength(1);
});

test('what could not be written is written with what came meanwhile, in its order', async () => {
  const written: Traffic[][] = [];
  const failures: unknown[] = [];
  let now = 0;
  const write = async (traffic: Traffic[]) => {
    if (written.push(structuredClone(traffic)) > 1) return NONE;
    counts.add(accepted);
    now += 1_000;
    counts.add(refused);
    counts.add({ ...refused, connectionId: 'c_2' });
    throw new Error('down');
  };
  const counts = new TrafficCounts({ write, onFailed: (error) => failures.push(error), now: () => now, keptBytes: 0 });
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
    return NONE;
  };
  const counts = new TrafficCounts({ write, onFailed: () => undefined, now: Date.now, keptBytes: 0 });
  counts.add(accepted);
  const first = counts.flush();

  await counts[Symbol.asyncDispose]();
  await first;

  expect(written).toEqual([1, 1]);
});

test('nothing is written if nothing came', async () => {
  const written: Traffic[][] = [];
  const write = async (traffic: Traffic[]) => {
    written.push(traffic);
    return NONE;
  };
  const counts = new TrafficCounts({ write, onFailed: () => undefined, now: Date.now, keptBytes: 0 });

  await counts[Symbol.asyncDispose]();

  expect(written).toEqual([]);
});

test('bodies of a connection are kept whole as long as all processes together kept no more on this day', async () => {
  const written: Traffic[][] = [];
  let now = 0;
  const write = async (traffic: Traffic[]) => {
    written.push(traffic);
    return new Map([['c_1', 90]]);
  };
  await using counts = new TrafficCounts({ write, onFailed: () => undefined, now: () => now, keptBytes: 100 });

  expect([counts.keep('c_1', 60), counts.keep('c_1', 40), counts.keep('c_1', 1)]).toEqual([true, true, false]);
  expect(counts.keep('c_2', 60)).toBe(true);
  await counts.flush();
  expect(written[0]?.map(({ connectionId, kept }) => [connectionId, kept])).toEqual([
    ['c_1', 101],
    ['c_2', 60],
  ]);
  // Others kept less than this one thought: what the ledger says counts.
  expect([counts.keep('c_1', 10), counts.keep('c_1', 1)]).toEqual([true, false]);
  now = 86_400_000;
  expect([counts.keep('c_1', 100), counts.keep('c_1', 1)]).toEqual([true, false]);
  // One that nobody took makes room again.
  expect([counts.keep('c_1', -50), counts.keep('c_1', 49)]).toEqual([true, true]);
});
