import { describe, expect, test } from 'vitest';
import { HeldOrders } from '../../../../src/bridge/delivery/due-orders.ts';

function opened() {
  let now = 0;
  const held = new HeldOrders({ now: () => now, random: () => 1 });
  return { held, pass: (ms: number) => (now += ms) };
}

describe('orders that are held', () => {
  test('are free again after a second', () => {
    const { held, pass } = opened();
    held.hold({ orderId: 1, connectionId: 'b' });
    expect(held.ids()).toEqual([1]);

    pass(1_000);

    expect(held.ids()).toEqual([]);
  });

  test('wait longer with each failure, a minute at most, until one succeeds', () => {
    const { held, pass } = opened();
    const waits = Array.from({ length: 8 }, () => {
      held.failed({ orderId: 1, connectionId: 'b' });
      let ms = 0;
      for (; held.ids().length > 0; ms += 500) pass(500);
      return ms;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);

    held.succeeded(1);

    expect(held.failed({ orderId: 1, connectionId: 'b' })).toBe(1);
  });

  test('stop their own connection when they are many, and no other', () => {
    const { held } = opened();
    for (let orderId = 0; orderId < 100; orderId += 1) held.failed({ orderId, connectionId: 'b' });
    for (let orderId = 100; orderId < 150; orderId += 1) held.failed({ orderId, connectionId: 'c' });
    for (let orderId = 150; orderId < 300; orderId += 1) held.failed({ orderId, connectionId: null });

    expect(held.connections()).toEqual(['b']);
  });
});
