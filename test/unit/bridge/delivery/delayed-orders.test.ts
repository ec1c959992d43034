import { describe, expect, test } from 'vitest';
import { DelayedOrders } from '../../../../src/bridge/delivery/due-orders.ts';

function opened() {
  let now = 0;
  const delayed = new DelayedOrders({ now: () => now, random: () => 1 });
  return { delayed, pass: (ms: number) => (now += ms) };
}

describe('orders that are delayed', () => {
  test('are free again after a second', () => {
    const { delayed, pass } = opened();
    delayed.delay({ orderId: 1, connectionId: 'b' });
    expect(delayed.ids()).toEqual([1]);

    pass(1_000);

    expect(delayed.ids()).toEqual([]);
  });

  test('wait longer with each failure, a minute at most, until one succeeds', () => {
    const { delayed, pass } = opened();
    const waits = Array.from({ length: 8 }, () => {
      delayed.failed({ orderId: 1, connectionId: 'b' });
      let ms = 0;
      for (; delayed.ids().length > 0; ms += 500) pass(500);
      return ms;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);

    delayed.succeeded(1);

    expect(delayed.failed({ orderId: 1, connectionId: 'b' })).toBe(1);
  });

  test('are forgotten, the oldest first, when they are very many', () => {
    const { delayed } = opened();
    for (let orderId = 0; orderId <= 10_000; orderId += 1) delayed.failed({ orderId, connectionId: 'b' });

    expect([10_000, 0].map((orderId) => delayed.failed({ orderId, connectionId: 'b' }))).toEqual([2, 1]);
  });

  test('stop their own connection when they are many, and no other', () => {
    const { delayed } = opened();
    for (let orderId = 0; orderId < 100; orderId += 1) delayed.failed({ orderId, connectionId: 'b' });
    for (let orderId = 100; orderId < 150; orderId += 1) delayed.failed({ orderId, connectionId: 'c' });
    for (let orderId = 150; orderId < 300; orderId += 1) delayed.failed({ orderId, connectionId: null });

    expect(delayed.connections()).toEqual(['b']);
  });
});
