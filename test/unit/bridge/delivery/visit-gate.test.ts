import { describe, expect, test } from 'vitest';
import { VisitGate } from '../../../../src/bridge/delivery/visit-gate.ts';

const CONCURRENCY = 4;

/** A gate, its clock, and visits that end when they are told to. */
function opened() {
  let now = 0;
  let freed = 0;
  const gate = new VisitGate({ concurrency: CONCURRENCY, now: () => now });
  gate.onFree(() => {
    freed += 1;
  });
  const ends = new Map<string, (() => void)[]>();
  /** How many of so many visits may begin. */
  const begin = (connectionId: string, { times = 1, destinationId = connectionId }: { times?: number; destinationId?: string } = {}) => {
    const begun = Array.from({ length: times }, () => gate.begin({ connectionId, destinationId })).filter((end) => end !== null);
    ends.set(connectionId, [...(ends.get(connectionId) ?? []), ...begun]);
    return begun.length;
  };
  return {
    gate,
    begin,
    end: (connectionId: string) => ends.get(connectionId)?.shift()?.(),
    pass: (ms: number) => {
      now += ms;
    },
    freed: () => freed,
  };
}

describe('places of visits', () => {
  test('one connection alone has every place, and no more; a visit that ends frees one, and says so', () => {
    const { gate, begin, end, freed } = opened();
    expect(gate.room()).toMatchObject({ size: CONCURRENCY, notOf: [], notTo: [] });
    expect(begin('b', { times: 10 })).toBe(CONCURRENCY);
    expect(gate.room()).toMatchObject({ size: 0, notOf: ['b'] });

    end('b');

    expect(freed()).toBe(1);
    expect(gate.room()).toMatchObject({ size: 1, notOf: [], notTo: [] });
    expect(begin('b', { times: 2 })).toBe(1);
  });

  test('a page of that size fits whole, whoever of those that are not left out it is of', () => {
    const { gate, begin, pass } = opened();
    begin('b', { times: 3, destinationId: 'shared' });
    pass(1_100);
    begin('c', { times: 4, destinationId: 'shared' });
    pass(1_100);

    // Of the destination one place is left, though every connection but `c` could have more.
    const room = gate.room();

    expect(room).toMatchObject({ size: 1, notOf: ['c'], notTo: [] });
    expect(begin('d', { times: 4, destinationId: 'shared' })).toBe(1);
    expect(gate.room()).toMatchObject({ size: 1, notOf: ['c'], notTo: ['shared'] });
  });

  test('a visit that hangs gives up its place after a second, to other connections alone', () => {
    const { gate, begin, pass } = opened();
    begin('b', { times: 10 });
    pass(900);
    expect(gate.room().size).toBe(0);
    pass(150);

    expect(gate.room()).toMatchObject({ size: CONCURRENCY, notOf: ['b'], notTo: [] });
    expect(begin('b')).toBe(0);
    expect(begin('c', { times: 10 })).toBe(CONCURRENCY);
  });

  test('however many connections hang, one that has none gets a place', () => {
    const { gate, begin, pass } = opened();
    for (const one of ['b', 'c', 'd', 'e']) {
      begin(one, { times: 4 });
      pass(1_100);
    }

    expect(gate.room().size).toBeGreaterThan(0);
    expect(begin('f')).toBe(1);
  });

  test('a destination that hangs leaves places to others, however many connections it has', () => {
    const { gate, begin, pass } = opened();
    let ofShared = 0;
    for (const one of ['b', 'c', 'd']) {
      ofShared += begin(one, { times: 3, destinationId: 'shared' });
      pass(1_100);
    }

    expect(ofShared).toBe(2 * CONCURRENCY);
    expect(gate.room()).toMatchObject({ notTo: ['shared'] });
    expect(begin('e')).toBe(1);
  });

  test('are counted exactly: after visits of all kinds have ended, every place is free', () => {
    const { gate, begin, end, pass } = opened();
    for (const one of ['b', 'c', 'd']) {
      begin(one, { times: 4, destinationId: 'shared' });
      pass(600);
    }
    for (let n = 0; n < 4; n += 1) for (const one of ['b', 'c', 'd']) end(one);

    expect(gate.room()).toMatchObject({ size: CONCURRENCY, notOf: [], notTo: [] });
  });

  test('say who was served least and longest ago, for a thousand connections', () => {
    const { gate, begin, end } = opened();
    begin('b', { times: 2 });
    begin('c');
    end('b');
    end('c');
    expect(gate.served()).toEqual({ b: { running: 1, last: 2 }, c: { running: 0, last: 3 } });

    for (let n = 0; n < 1_000; n += 1) {
      begin(`d${n}`);
      end(`d${n}`);
    }

    expect(Object.keys(gate.served())).toHaveLength(1_000);
    expect(gate.served()).not.toHaveProperty('b');
  });
});
