import { randomUUID } from 'node:crypto';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { ALLOWANCE, createFairScheduler, MOST_COUNTED } from '../../../../src/bridge/delivery/fair-scheduler.ts';

const still = { perSecond: 50, now: () => 0 };

/** The queue's order: by priority, then as they came. */
function served(added: readonly { of: string; priority: number }[]): string[] {
  return added
    .map((item, seq) => ({ ...item, seq }))
    .sort((a, b) => a.priority - b.priority || a.seq - b.seq)
    .map(({ of }) => of);
}

const floods = fc.array(fc.record({ of: fc.constantFrom('a', 'b', 'c', 'd'), items: fc.integer({ min: 1, max: 400 }) }), { maxLength: 12 });

/** New items each time. */
function ids(count: number): string[] {
  return Array.from({ length: count }, () => randomUUID());
}

function flooded(adds: readonly { of: string; items: number }[]) {
  const scheduler = createFairScheduler(still);
  const queued = adds.flatMap(({ of, items }) => ids(items).map((id) => ({ of, priority: scheduler.take(of, [id]) })));
  return { scheduler, queued };
}

describe('turns', () => {
  property.prop([floods])('the first item of a connection waits for no more than the allowance of each other one', (adds) => {
    const { scheduler, queued } = flooded(adds);
    const late = { of: 'late', priority: scheduler.take('late', ['one']) };

    const before = served([...queued, late]).indexOf('late');

    expect(before).toBeLessThanOrEqual(new Set(adds.map(({ of }) => of)).size * ALLOWANCE);
  });

  property.prop([floods])('connections that wait share: none is served two allowances more than another', (adds) => {
    const order = served(flooded(adds).queued);
    const all = Map.groupBy(order, (of) => of);
    const done = new Map([...all.keys()].map((of) => [of, 0]));
    const mostAhead = order.map((of) => {
      done.set(of, (done.get(of) ?? 0) + 1);
      const waiting = [...done].filter(([other, count]) => count < (all.get(other)?.length ?? 0)).map(([, count]) => count);
      return (done.get(of) ?? 0) - Math.min(...waiting);
    });
    expect(Math.max(0, ...mostAhead)).toBeLessThanOrEqual(2 * ALLOWANCE);
  });

  property.prop([fc.array(fc.integer({ min: 1, max: ALLOWANCE }), { maxLength: 50 })])('who keeps up is always first, however much it is', (adds) => {
    const scheduler = createFairScheduler(still);
    for (const items of adds) {
      const some = ids(items);
      expect(scheduler.take('a', some)).toBe(0);
      for (const id of some) scheduler.done('a', id);
    }
  });

  test('an item that is added again counts once', () => {
    const scheduler = createFairScheduler(still);
    for (let n = 0; n < 1_000; n += 1) expect(scheduler.take('a', [1, 2, 3])).toBe(0);
  });

  test('what is done of another process’s items stands for what that one did of ours', () => {
    const scheduler = createFairScheduler(still);
    scheduler.take('a', ids(ALLOWANCE));
    scheduler.done('a', 'of another process');
    expect(scheduler.take('a', [])).toBe(0);
    scheduler.done('b', 'never seen');
  });

  test('with time it is forgotten, the oldest first', () => {
    let at = 0;
    const scheduler = createFairScheduler({ perSecond: 50, now: () => at });
    const some = ids(201);
    scheduler.take('a', some);
    expect(scheduler.take('a', [])).toBe(3);

    at = 1_990;
    expect(scheduler.take('a', [])).toBe(1);
    scheduler.take('a', some.slice(99));
    expect(scheduler.take('a', [])).toBe(1);
    scheduler.take('a', some.slice(0, 99));
    expect(scheduler.take('a', [])).toBe(3);
  });

  test('a clock that is set back forgets from then on', () => {
    let at = 10_000;
    const scheduler = createFairScheduler({ perSecond: 50, now: () => at });
    scheduler.take('a', ids(ALLOWANCE));
    at = 0;
    expect(scheduler.take('a', [])).toBe(1);
    at = 1_000;
    expect(scheduler.take('a', [])).toBe(0);
  });

  test('for a while, a deferred connection waits behind those of which little waits', () => {
    let at = 0;
    const scheduler = createFairScheduler({ perSecond: 50, now: () => at });
    scheduler.defer('a');
    expect([scheduler.take('a', [1]), scheduler.take('b', [1])]).toEqual([1, 0]);
    at = 5_000;
    expect(scheduler.take('a', [2])).toBe(0);
  });

  test('a million items take no more memory than twenty thousand', () => {
    const scheduler = createFairScheduler(still);
    scheduler.take(
      'a',
      Array.from({ length: 1_000_000 }, (_, n) => n),
    );
    expect(scheduler.take('a', [])).toBe(Math.floor(MOST_COUNTED / ALLOWANCE));
  });

  test('ten thousand connections that came once are forgotten, those that wait are not', () => {
    let at = 0;
    const scheduler = createFairScheduler({ perSecond: 1, now: () => at });
    scheduler.take('flood', ids(MOST_COUNTED));
    for (let n = 0; n < 10_000; n += 1) {
      at += 100;
      scheduler.take(`c${n}`, [1]);
    }
    expect(scheduler.take('flood', [])).toBeGreaterThan(200);
  });
});
