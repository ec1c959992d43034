import { expect, test } from 'vitest';
import { idempotencyKeyOf } from '../../../../src/bridge/order/decisions/idempotency-key.ts';
import type { OrderKey } from '../../../../src/bridge/order/facts/facts.ts';

const key: OrderKey = { shopId: '11111111-1111-1111-1111-111111111111', platform: 'standard', store: 'corner', orderId: '5001' };

// Written down: the keys of creates whose replies were lost must stay the same in every release.
test('a step of an order has one key for good', () => {
  expect(idempotencyKeyOf(key, 3)).toBe('orderbridge-084ef351b247e1a4ae33d90114123ab8d4d517cb-3');
});

test('no other step, order, store, platform or shop has it', () => {
  const others = [
    idempotencyKeyOf(key, 4),
    ...[{ orderId: '5002' }, { store: 'other' }, { platform: 'shopify' as const }, { shopId: key.shopId.replace('1', '2') }].map((one) =>
      idempotencyKeyOf({ ...key, ...one }, 3),
    ),
  ];

  expect(new Set([idempotencyKeyOf(key, 3), ...others]).size).toBe(6);
});
