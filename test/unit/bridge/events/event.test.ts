import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bodyOf, type StoredEvent } from '../../../../src/bridge/events/event.ts';
import { standard } from '../../../../src/bridge/storefronts/standard/standard.ts';
import { newStandardSecret, signedHeaders } from '../../../../src/contract/standard-webhook.ts';

const order: StoredEvent = {
  ...{ type: 'order.recorded', createdAt: '2026-11-01T10:00:00.000Z' },
  data: {
    ...{ order: { id: '1', number: '#1', platform: 'standard', store: 'corner' }, connectionId: 'c_1', shopId: 's', state: 'recorded', review: null },
    ...{ recordId: 'r', total: '48.00', currency: 'EUR', soldAt: null },
  },
};

test('the body of an event has the buyer only if one is given', () => {
  expect(JSON.parse(bodyOf(order))).toEqual({ type: order.type, timestamp: order.createdAt, data: order.data });
  expect(JSON.parse(bodyOf({ ...order, buyer: null })).data).toEqual({ ...order.data, buyer: null });
  expect(JSON.parse(bodyOf({ ...order, buyer: { email: 'a@b.example' } })).data.buyer).toEqual({ email: 'a@b.example' });
});

test.each([
  ['of a month with the data of an order', { ...order, type: 'month.filed' }],
  ['of a type that is none', { ...order, type: 'order.lost' }],
  ['without a total', { ...order, data: { ...order.data, total: 48 } }],
])('an event %s is sent to nobody', (_what, event) => {
  expect(() => bodyOf(event)).toThrow();
});

test('a message is signed by each secret, and either verifies it', () => {
  const [first, second, third] = [newStandardSecret(), newStandardSecret(), `whsec_${randomBytes(32).toString('base64')}`];
  const body = bodyOf(order);
  const headers = new Map(Object.entries(signedHeaders([first, second], { id: 'msg_1', seconds: Math.floor(Date.now() / 1000), body })));
  const trusts = (secret: string) => standard.verify({ headers, body: Buffer.from(body) }, [secret], Date.now()).trusted;

  expect([first, second, third].map(trusts)).toEqual([true, true, false]);
});
