import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { openDelivery, sealDelivery } from '../../../../src/bridge/delivery/sealed-delivery.ts';
import { MARKS, PURPOSES, purposeOf } from '../../../../src/operations/keys/sealed-columns.ts';
import { type DataKey, keyring } from '../../../../src/platform/keyring.ts';
import { newKey } from '../../../../src/platform/seal.ts';
import { snapshot } from '../../../support/samples/order-facts.ts';

const newKeys = (): DataKey[] => PURPOSES.map((purpose) => ({ ...newKey(), purpose, isCurrent: true }));

function ring(keys: readonly DataKey[]) {
  const made = keyring({ purposeOf, digests: 'lookup', marks: MARKS });
  made.take(keys);
  return made;
}

const news = { orderId: '1', snapshot: snapshot() };
const waiting: AcceptedDelivery = {
  ...{ id: '0195e1a0-0000-7000-8000-000000000001', connectionId: 'c_1', arrivedAt: '2026-11-20T10:00:00.000Z', topic: 'order.paid' },
  ...{ platformDeliveryId: null, store: null, body: zstdCompressSync('{}').toString('base64') },
  normalized: { kind: 'order', news: { ...news, customer: { firstName: 'Мария' } } },
};

test('what waited is opened with its buyer', () => {
  const keys = ring(newKeys());
  const sealed = sealDelivery(keys, waiting);

  expect(JSON.stringify(sealed)).not.toContain('Мария');
  expect(openDelivery(keys, sealed).normalized).toEqual(waiting.normalized);
});

test('what was sealed with keys that a restored database does not have is recorded without its buyer, once that is sure; its body stays as it is', () => {
  const sealed = sealDelivery(ring(newKeys()), waiting);
  const keys = newKeys();
  const restored = ring(keys);

  // Two for the key of the body, then two for the buyer's.
  for (let reading = 0; reading < 4; reading += 1) {
    expect(() => openDelivery(restored, sealed)).toThrow('none of ENCRYPTION_KEYS');
    restored.take(keys);
  }

  expect(openDelivery(restored, sealed)).toEqual({ ...sealed, normalized: { kind: 'order', news } });
});

test('what a later release sealed waits for it, and is not recorded without its buyer', () => {
  const keys = ring(newKeys());
  const sealed = sealDelivery(keys, waiting);
  const later = Buffer.from(sealed.body ?? '', 'base64')
    .fill(2, 0, 1)
    .toString('base64');

  for (const form of [{ buyer: `v2${sealed.buyer?.slice(2)}` }, { body: later }])
    expect(() => openDelivery(keys, { ...sealed, ...form })).toThrow('written by a newer one');
});

test('a changed buyer or body keeps nothing else from being recorded', () => {
  const keys = ring(newKeys());
  const sealed = sealDelivery(keys, waiting);
  const strange = sealDelivery(keys, { ...waiting, id: '0195e1a0-0000-7000-8000-000000000002' });

  expect(openDelivery(keys, { ...sealed, body: strange.body })).toMatchObject({ body: strange.body, normalized: waiting.normalized });
  expect(openDelivery(keys, { ...sealed, buyer: strange.buyer ?? null }).normalized).toEqual({ kind: 'order', news });
});
