import { expect, test } from 'vitest';
import { unrecordableWords } from '../../../../src/bridge/delivery/deliveries-worker.ts';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';

const delivery = (changes: Partial<AcceptedDelivery>): AcceptedDelivery => ({
  ...{ id: '1', connectionId: 'c1', arrivedAt: '2026-11-21T03:00:00.000Z', topic: 'order.updated', platformDeliveryId: null, store: null, body: null },
  ...{ normalized: { kind: 'ignored', why: 'a test' }, ...changes },
});
const thrown = Object.assign(new TypeError('maria@example.com', { cause: Object.assign(new RangeError('Мария'), { code: '22P02' }) }), { code: 'a b@c' });

test('class and code of the error are said, and none of its values', () => {
  expect(unrecordableWords(delivery({ body: 'x' }), thrown)).toBe('recording it failed for an hour with TypeError, because of RangeError 22P02');
  expect(unrecordableWords(delivery({ body: 'x' }), 'maria')).toBe('recording it failed for an hour with no error');
});

test('of a delivery whose body is not kept it is said what brings it back', () => {
  expect(unrecordableWords(delivery({}), thrown)).toContain('save the order in the store');
  expect(unrecordableWords(delivery({ normalized: { kind: 'privacy', request: { action: 'redact-shop' } } }), thrown)).toContain(
    'must be sent again by the store',
  );
});
