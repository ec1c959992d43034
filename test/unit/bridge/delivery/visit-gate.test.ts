import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { jobsOf, VisitGate } from '../../../../src/bridge/delivery/visit-gate.ts';

const CONCURRENCY = 4;

/** A gate whose visits end when they are told to. */
function opened() {
  const returned: string[] = [];
  const gate = new VisitGate({ concurrency: CONCURRENCY, now: () => performance.now(), onReturned: ({ connectionId }) => returned.push(connectionId) });
  const running: string[] = [];
  const outcomes: Promise<unknown>[] = [];
  const ends = new Map<string, (() => void)[]>();
  const add = (connectionId: string, { times = 1, destinationId = connectionId }: { times?: number; destinationId?: string } = {}) => {
    for (let n = 0; n < times; n += 1) {
      const visit = () => {
        running.push(connectionId);
        return new Promise<void>((resolve) => ends.set(connectionId, [...(ends.get(connectionId) ?? []), resolve]));
      };
      outcomes.push(gate.run({ connectionId, destinationId }, visit));
    }
  };
  const end = async (connectionId: string) => {
    ends.get(connectionId)?.shift()?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  const ran = (connectionId: string) => running.filter((one) => one === connectionId).length;
  return { gate, add, end, ran, running, returned, outcomes };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('visits take turns', () => {
  test('one connection alone has every place, and no more', async () => {
    const { add, end, ran } = opened();
    add('b', { times: 10 });
    await vi.advanceTimersByTimeAsync(0);
    expect(ran('b')).toBe(CONCURRENCY);
    await end('b');
    expect(ran('b')).toBe(CONCURRENCY + 1);
  });

  test('the next place goes to the connection with the fewest visits', async () => {
    const { add, end, running } = opened();
    add('b', { times: 10 });
    add('c', { times: 2 });
    add('d');
    await end('b');
    await end('b');
    expect(running.slice(CONCURRENCY)).toEqual(['c', 'd']);
    // As many of each run: it is the turn of the one that went longest ago.
    await end('b');
    expect(running.at(-1)).toBe('b');
  });

  test('a visit that hangs gives up its place after a second, to other connections alone', async () => {
    const { add, ran } = opened();
    add('b', { times: 10 });
    add('c');
    await vi.advanceTimersByTimeAsync(900);
    expect(ran('c')).toBe(0);
    await vi.advanceTimersByTimeAsync(150);
    expect(ran('c')).toBe(1);
    expect(ran('b')).toBe(CONCURRENCY);
  });

  test('however many connections hang, one that has none gets a place', async () => {
    const { add, ran } = opened();
    for (const one of ['b', 'c', 'd', 'e']) {
      add(one, { times: 4 });
      await vi.advanceTimersByTimeAsync(1_100);
    }
    add('f');
    await vi.advanceTimersByTimeAsync(1_100);
    expect(ran('f')).toBe(1);
  });

  test('a destination that hangs leaves places to others, however many connections it has', async () => {
    const { add, ran } = opened();
    for (const one of ['b', 'c', 'd']) {
      add(one, { times: 3, destinationId: 'shared' });
      await vi.advanceTimersByTimeAsync(1_100);
    }
    expect(ran('b') + ran('c') + ran('d')).toBe(2 * CONCURRENCY);
    add('e');
    await vi.advanceTimersByTimeAsync(0);
    expect(ran('e')).toBe(1);
  });

  test('when those that wait fill the room and none ends, they go back one by one, those of the longest line first', async () => {
    const { add, returned, outcomes } = opened();
    add('b', { times: jobsOf(CONCURRENCY) });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(returned).toEqual(['b']);
    expect(await outcomes.at(-1)).toBeNull();

    add('b');
    await vi.advanceTimersByTimeAsync(50);
    expect(returned).toEqual(['b', 'b']);
  });

  test('while visits end, none goes back', async () => {
    const { add, end, returned } = opened();
    add('b', { times: jobsOf(CONCURRENCY) });
    for (let n = 0; n < 20; n += 1) {
      await vi.advanceTimersByTimeAsync(90);
      await end('b');
      add('b');
    }
    expect(returned).toEqual([]);
  });

  test('when it closes, those that wait go back at once, and those that run end as they do', async () => {
    const { gate, add, end, outcomes } = opened();
    add('b', { times: 6 });
    add('c');
    gate.close();
    expect(await Promise.all(outcomes.slice(CONCURRENCY))).toEqual([null, null, null]);
    add('c');
    expect(await outcomes.at(-1)).toBeNull();
    for (let n = 0; n < CONCURRENCY; n += 1) await end('b');
    expect(await Promise.all(outcomes.slice(0, CONCURRENCY))).toEqual(Array.from({ length: CONCURRENCY }, () => ({ ran: undefined })));
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a visit that throws gives its place back', async () => {
    const { gate, add, ran } = opened();
    const thrown = Promise.all(
      Array.from({ length: CONCURRENCY }, () => gate.run({ connectionId: 'b', destinationId: 'b' }, () => Promise.reject(new Error('the ledger is down')))),
    );
    await expect(thrown).rejects.toThrow('the ledger is down');
    add('b', { times: CONCURRENCY });
    await vi.advanceTimersByTimeAsync(0);
    expect(ran('b')).toBe(CONCURRENCY);
  });
});
