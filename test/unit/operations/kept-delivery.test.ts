import { expect, test } from 'vitest';
import { deliveredAgain } from '../../../src/operations/connections/store-webhooks.ts';
import { madeAt } from '../../support/made-at.ts';

test('a kept webhook that is delivered again has an id of its own, of now', () => {
  const id = '00000000-0000-4000-8000-000000000000';
  const kept = { id, connectionId: 'c_1', topic: 'order.paid', platformDeliveryId: 'msg_1', store: 'corner', arrivedAt: '2026-11-01T10:00:00.000Z' };
  const normalized = { kind: 'ignored', why: 'not about an order' } as const;
  const since = Date.now();

  const again = deliveredAgain({ ...kept, body: Buffer.from('packed'), cut: false }, normalized);

  expect(again).toEqual({ ...kept, id: expect.not.stringMatching(id), body: 'cGFja2Vk', normalized });
  expect(madeAt(again.id)).toBeGreaterThanOrEqual(since);
  expect(madeAt(again.id)).toBeLessThanOrEqual(Date.now());
});
