import { describe, expect, test } from 'vitest';
import { ConcurrencyLimiter } from '../../../../src/bridge/delivery/concurrency-limiter.ts';

const CONCURRENCY = 4;

/** A limiter, its clock, and attempts that end when they are told to. */
function opened() {
  let now = 0;
  let freed = 0;
  const limiter = new ConcurrencyLimiter({ concurrency: CONCURRENCY, now: () => now });
  limiter.onFree(() => {
    freed += 1;
  });
  const ends = new Map<string, (() => void)[]>();
  const begin = (connectionId: string, { times = 1, destinationId = connectionId }: { times?: number; destinationId?: string } = {}) => {
    const begun = Array.from({ length: times }, () => limiter.begin({ connectionId, destinationId }));
    ends.set(connectionId, [...(ends.get(connectionId) ?? []), ...begun]);
  };
  return {
    limiter,
    begin,
    end: (connectionId: string) => ends.get(connectionId)?.shift()?.(),
    pass: (ms: number) => {
      now += ms;
    },
    freed: () => freed,
  };
}

describe('slots of attempts', () => {
  test('one connection alone has every slot, and no more; an attempt that ends frees one, and says so', () => {
    const { limiter, begin, end, freed } = opened();
    expect(limiter.capacity()).toEqual({ size: CONCURRENCY, notOf: [], notTo: [] });
    begin('b', { times: CONCURRENCY });
    expect(limiter.capacity()).toMatchObject({ size: 0, notOf: ['b'] });

    end('b');

    expect(freed()).toBe(1);
    expect(limiter.capacity()).toEqual({ size: 1, notOf: [], notTo: [] });
  });

  test('anyone who begins more than there was room for has no place until those are over', () => {
    const { limiter, begin, end } = opened();
    begin('b', { times: CONCURRENCY + 2 });
    const sizes = [1, 2, 3].map(() => {
      end('b');
      return limiter.capacity().size;
    });

    expect(sizes).toEqual([0, 0, 1]);
  });

  test('an attempt gives its slot back once, however often it says so', () => {
    const { limiter, freed } = opened();
    const end = limiter.begin({ connectionId: 'b', destinationId: 'd' });
    limiter.begin({ connectionId: 'b', destinationId: 'd' });
    end();
    end();

    expect([limiter.capacity().size, freed()]).toEqual([CONCURRENCY - 1, 1]);
  });

  test('a page of that size fits whole, no matter who of those that are not left out it is of', () => {
    const { limiter, begin, pass } = opened();
    begin('b', { times: 2, destinationId: 'shared' });
    pass(1_100);

    expect(limiter.capacity()).toEqual({ size: 2, notOf: [], notTo: [] });
    begin('c', { times: 1, destinationId: 'other' });
    // Two more of `b`, or two of `c`: neither is beyond its slots.
    expect(limiter.capacity()).toEqual({ size: 2, notOf: [], notTo: [] });
  });

  test('anyone who has few slots left is left out where it would make the page small for all', () => {
    const { limiter, begin, pass } = opened();
    begin('b', { times: 3 });
    pass(1_100);

    expect(limiter.capacity()).toEqual({ size: CONCURRENCY, notOf: ['b'], notTo: [] });
    begin('c', { times: 3 });
    // With one place for anybody it makes nothing smaller, and has its turn.
    expect(limiter.capacity()).toEqual({ size: 1, notOf: [], notTo: [] });
  });

  test('an attempt that hangs gives up its slot after a second, to other connections alone', () => {
    const { limiter, begin, pass } = opened();
    begin('b', { times: CONCURRENCY });
    pass(900);
    expect(limiter.capacity().size).toBe(0);
    pass(150);

    expect(limiter.capacity()).toEqual({ size: CONCURRENCY, notOf: ['b'], notTo: [] });
  });

  test('each connection that hangs takes half of the slots that are left at most, so that another one has some', () => {
    const { limiter, begin, pass } = opened();
    const sizes = ['b', 'c', 'd', 'e', 'f'].map((one) => {
      const { size, notOf } = limiter.capacity();
      expect(notOf).not.toContain(one);
      begin(one, { times: size });
      pass(1_100);
      return size;
    });

    expect(sizes).toEqual([4, 4, 2, 1, 1]);
    expect(limiter.capacity().size).toBe(0);
  });

  test('a destination that hangs leaves slots to others, however many connections it has', () => {
    const { limiter, begin, pass } = opened();
    for (const one of ['b', 'c', 'd']) {
      const { size, notTo } = limiter.capacity();
      expect(notTo).toEqual([]);
      begin(one, { times: Math.min(3, size), destinationId: 'shared' });
      pass(1_100);
    }

    const capacity = limiter.capacity();
    expect(capacity.notTo).toEqual(['shared']);
    expect(capacity.size).toBeGreaterThan(0);
  });

  test('are counted exactly: after attempts of all kinds have ended, every slot is free', () => {
    const { limiter, begin, end, pass } = opened();
    for (const one of ['b', 'c', 'd']) {
      begin(one, { times: 4, destinationId: 'shared' });
      pass(600);
    }
    for (let n = 0; n < 4; n += 1) for (const one of ['b', 'c', 'd']) end(one);

    expect(limiter.capacity()).toMatchObject({ size: CONCURRENCY, notOf: [], notTo: [] });
  });

  test('say who was served least and longest ago, for a thousand connections', () => {
    const { limiter, begin, end } = opened();
    begin('b', { times: 2 });
    begin('c');
    end('b');
    end('c');
    expect(limiter.served()).toEqual({ b: { running: 1, last: 2 }, c: { running: 0, last: 3 } });

    for (let n = 0; n < 1_000; n += 1) {
      begin(`d${n}`);
      end(`d${n}`);
    }

    expect(Object.keys(limiter.served())).toHaveLength(1_000);
    expect(limiter.served()).not.toHaveProperty('b');
  });
});
