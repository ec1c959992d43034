import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AcceptedDelivery, queuedDeliveries, readDeliveriesJob } from '../../../../src/bridge/delivery/jobs.ts';
import type { Normalized } from '../../../../src/bridge/storefronts/contract.ts';
import { UnreadableJob } from '../../../../src/platform/unreadable-job.ts';
import { snapshot } from '../../../support/samples/order-facts.ts';

const waiting = (normalized: Normalized): AcceptedDelivery => ({
  ...{ id: '0195e1a0-0000-7000-8000-000000000001', connectionId: 'c_1', arrivedAt: '2026-11-20T10:00:00.000Z', topic: 'order.paid' },
  ...{ platformDeliveryId: null, store: null, body: 'AA==', buyer: null, normalized },
});
const order: Normalized = { kind: 'order', news: { orderId: '1', snapshot: { ...snapshot(), number: '№ 1 – „Роза“' } } };
const kept = (deliveries: AcceptedDelivery[]) => JSON.stringify(queuedDeliveries(deliveries));

test('a job of Cyrillic names has letters of one byte alone, and is read as it was given', () => {
  const text = kept([waiting(order)]);

  expect(Buffer.from(text, 'latin1').toString('latin1')).toBe(text);
  expect(readDeliveriesJob(JSON.parse(text))).toEqual({ v: 1, deliveries: [waiting(order)] });
});

test('whatever a text holds comes back', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }), (why) => {
      const [read] = readDeliveriesJob(JSON.parse(kept([waiting({ kind: 'ignored', why })]))).deliveries;
      expect(read?.normalized).toEqual({ kind: 'ignored', why });
    }),
  );
});

test.each(['', '{"kind":"order"', '7', '{"kind":"strange"}'])('a delivery that means %j is one that this release can’t read', (normalized) => {
  const job = { v: 1, deliveries: [{ ...waiting(order), normalized }] };

  expect(() => readDeliveriesJob(job)).toThrow(UnreadableJob);
});
