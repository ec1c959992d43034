import { randomBytes, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bodiesUntil, deliveriesInReview, findDelivery, noteDelivery } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { findOnboarding, insertOnboarding, saveOnboarding } from '../../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { LEDGER_SCHEMA } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/orders/due-orders.ts';
import { fillSearch } from '../../../../src/bridge/ledger/orders/order-search.ts';
import { keptOrders } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { everyPerson, insertPerson, personOfEmail } from '../../../../src/bridge/ledger/people/people-store.ts';
import { erase, eraseUnread } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { listExports, storeExport } from '../../../../src/bridge/ledger/privacy/privacy-exports.ts';
import type { CreateStep } from '../../../../src/bridge/order/decisions/step.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';
import { seeBuyer } from '../../../../src/operations/orders/show-order.ts';
import { deliveryBody } from '../../../../src/operations/webhooks/kept-webhook.ts';
import { PROGRAM } from '../../../../src/platform/audit-log/audit-log.ts';
import { createLog } from '../../../../src/platform/log.ts';
import { inTransaction } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { sealer } from '../../../../src/platform/seal.ts';
import { createSealedPool } from '../../../support/keys/sealed-pool.ts';
import { refund } from '../../../support/samples/order-facts.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { cap, coat, store } from '../../../support/worlds/two-of-one-id.ts';

const world = useSharedWorlds();

test('a buyer who was moved to another order is named, and keeps that order from nothing; the store brings them back', async () => {
  const lines: string[] = [];
  await using it = await world({ role: 'receiver', log: createLog({ level: 'error', name: 'test', destination: { write: (line) => lines.push(line) } }) });
  const { pool } = it.bridge;
  const { connectionId, record, scope } = await store(it.bridge);
  for (const [orderId, news] of [
    ['700', coat()],
    ['701', cap()],
  ] as const)
    await record({ ...news, orderId });
  const [other, moved] = (await keptOrders(pool, {})).orders.map(({ id }) => id) as [number, number];
  await storeExport(pool, scope('700', '701'), { connectionId, requestId: 'r1' });
  await pool.query('update customers set data = (select data from customers where order_ref = $1) where order_ref = $2', [other, moved]);
  await pool.query('update privacy_export_orders set buyer = (select buyer from privacy_export_orders where order_ref = $1) where order_ref = $2', [
    other,
    moved,
  ]);
  const { claim } = createClaimStore(pool, { leaseMs: 5_000 });
  const buyers = async () => (await keptOrders(pool, {})).orders.map(({ customer }) => customer);
  const ivan = { kind: 'known', customer: { firstName: 'Иван' } };

  const claimed = await Promise.all([other, moved].map((id) => claim(id)));

  expect(claimed).toMatchObject([
    { id: other, facts: { customer: ivan } },
    { id: moved, facts: { customer: { kind: 'unopened' } } },
  ]);
  await expect(record({ orderId: '700', refunds: [refund()] })).resolves.toMatchObject({ orders: [{ id: moved }] });
  expect(await buyers()).toEqual([ivan, { kind: 'unopened' }]);
  expect(await seeBuyer({ pool }, { id: moved, by: PROGRAM })).toEqual({ kind: 'unopened' });
  await storeExport(pool, scope('700', '701'), { connectionId, requestId: 'r2' });
  const exported = [{ unreadable: 'customer' }, { customer: { firstName: 'Иван' } }];
  expect((await listExports(pool)).map(({ data }) => data.orders)).toMatchObject([exported, exported]);
  await fillSearch(pool, new AbortController().signal);
  const named = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'sealed.unopened');
  expect(named).toMatchObject([
    { table: 'bridge.customers', column: 'data', row: String(moved) },
    { table: 'bridge.privacy_export_orders', column: 'buyer' },
  ]);

  await record({ ...coat(), orderId: '700' });

  expect(await buyers()).toEqual([ivan, { kind: 'known', customer: { firstName: 'Мария' } }]);
  await erase(pool, scope('700'));
  expect((await buyers())[1]).toEqual({ kind: 'erased' });
});

const RECORD: TaxRecord = {
  ...{ internalId: '700', internalNumber: '#1042', internalCreatedAt: '2026-11-20T10:00:00.000Z' },
  lineItems: [{ name: 'Coat', quantity: 1, price: '24.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
  ...{ paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe', transactionId: 'pi_1', currency: 'EUR', precision: 2 },
};
const leaseRow = rowsOf('orders', z.object({ isLeased: z.boolean(), waitsMs: z.number() }));

test('an order whose buyer opens later, or in another process, waits a few seconds, not for the end of a lease', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { connectionId, record } = await store(it.bridge);
  const { orders } = await record({ ...coat(), orderId: '700' });
  const id = orders[0]?.id ?? 0;
  const without = createSealedPool({ url: it.databaseUrl, schema: LEDGER_SCHEMA, max: 1, onError: () => undefined });
  await using _ = { [Symbol.asyncDispose]: () => without.end() };
  const elsewhere = createClaimStore(without, { leaseMs: 3_600_000 });
  const unread = `a row of orders (id ${id}) can’t be read: customer.sealed: custom`;
  const lease = () =>
    readOne(pool, leaseRow, {
      text: `select lease_until is not null as "isLeased", (extract(epoch from due_at - now()) * 1000)::float8 as "waitsMs" from orders`,
    });
  const soon = { isLeased: false, waitsMs: expect.toSatisfy((ms: number) => ms <= 5_000) };

  await expect(elsewhere.claim(id)).rejects.toThrow(unread);
  expect(await lease()).toEqual(soon);
  await pool.query(`update orders set due_at = now() - interval '1 minute'`);
  const page = { size: 1, not: [], notOf: [], notTo: [], served: {}, roundRobin: false };
  const due = createDueLedger(without, { leaseMs: 3_600_000, plan: async () => null });
  expect(await due.claim(page)).toMatchObject({ orders: [], unreadable: [{ message: unread }] });
  expect(await lease()).toEqual(soon);
  expect((await lease()).waitsMs).toBeGreaterThan(0);

  const claim = await createClaimStore(pool, { leaseMs: 3_600_000 }).claim(id);
  if ('kind' in claim) throw new Error('it is claimed');
  const { destinationId = '' } = (await it.bridge.app.core.connections.find(connectionId)) ?? {};
  const step: CreateStep = { kind: 'create', seq: 1, idempotencyKey: 'k', destinationId, uncertain: false, receipt: false, record: RECORD };
  expect(await elsewhere.begin({ claim, step })).toBe('unopened');
  expect(await createClaimStore(pool, { leaseMs: 5_000 }).begin({ claim, step })).toMatchObject({ customer: { kind: 'known' } });
});

test('a body that was changed is named where it is read; erasures pass over one whose key may come, and take one whose key does not exist', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { connection } = await it.bridge.connect();
  const { id: connectionId, shopId, platform } = connection;
  const ids = Array.from({ length: 3 }, () => randomUUID());
  const body = zstdCompressSync('{"order_id": 700}').toString('base64');
  const about = { topic: 'order.paid', platformDeliveryId: null, store: null, body, normalized: { kind: 'ignored', why: 'a test' } } as const;
  for (const id of ids) {
    const delivery = { id, connectionId, arrivedAt: '2026-11-20T10:00:00.000Z', ...about };
    await noteDelivery(pool, { delivery, outcome: 'review', code: 'payload.unreadable', detail: null });
  }
  const [good, moved, strange] = ids as [string, string, string];
  const other = sealer(randomBytes(32)).sealBytes(Buffer.from('a'), { table: 'bridge.deliveries', column: 'body', id: strange });
  await pool.query('update deliveries set body = (select body from deliveries where id = $1) where id = $2', [good, moved]);
  await pool.query('update deliveries set body = $2 where id = $1', [strange, other]);
  for (const id of [moved, strange]) {
    await expect(findDelivery(pool, id)).rejects.toThrow('does not open');
    await expect(deliveryBody({ pool }, { id, by: PROGRAM })).rejects.toThrow(`the body of the delivery ${id} does not open`);
  }
  expect((await deliveryBody({ pool }, { id: good, by: PROGRAM })).toString()).toBe('{"order_id": 700}');
  expect((await deliveriesInReview(pool)).map(({ kept }) => kept)).toEqual([true, true, true]);

  await erase(pool, { shopId, platform, store: 'corner', orderIds: ['700'], until: '2026-11-20T12:00:00.000Z' });
  await pool.query(`update deliveries set sought_at = sought_at - interval '90 s'`);
  await pool.query(`update tombstones set made_at = made_at - interval '90 s'`);

  const kept = async () => (await deliveriesInReview(pool)).filter((one) => one.kept).length;
  const without = createSealedPool({ url: it.databaseUrl, schema: LEDGER_SCHEMA, max: 1, onError: () => undefined });
  await expect(eraseUnread(without, 5_000).finally(() => without.end())).rejects.toThrow('none of ENCRYPTION_KEYS');
  expect(await kept()).toBe(3);
  for (const _reading of [1, 2]) await it.bridge.app.core.keys.refresh();
  await eraseUnread(pool, 5_000);
  expect(await kept()).toBe(0);
});

test('of an order whose body does not open nobody says what it changed', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { record } = await store(it.bridge);
  const { orders } = await record({ ...coat(), orderId: '700' });
  const { id } = await readOne(pool, rowsOf('deliveries', z.object({ id: z.string() })), { text: 'select id from deliveries' });
  await pool.query(`insert into bodies (delivery_id, kept_at, body) select id, kept_at, '\\x01' from deliveries`);

  expect(await bodiesUntil(pool, { id, orderRef: orders[0]?.id ?? 0 }, 5)).toMatchObject([{ id, body: null }]);
});

test('mailboxes that do not open are named by their rows, and nobody finds them', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const given = { email: 'Maria@shop.example', name: '', role: 'owner', shops: null, lang: 'en' } as const;
  const maria = await inTransaction(pool, (tx) => insertPerson(tx, given));
  expect(await inTransaction(pool, (tx) => insertPerson(tx, { ...given, email: 'maria@SHOP.example' }))).toBeNull();
  const ivan = await inTransaction(pool, (tx) => insertPerson(tx, { ...given, email: 'ivan@shop.example' }));
  const way = await insertOnboarding(pool, { who: 'cli:test', email: 'a@shop.example', mailTo: null, lang: null, shopId: null, destinationId: null, days: 1 });
  const saved = await saveOnboarding(pool, way, { step: 'store', progress: { url: 'https://shop.example' } });
  expect(saved).toMatchObject({ email: 'a@shop.example', progress: { store: { url: 'https://shop.example' } } });
  expect(await saveOnboarding(pool, way, { step: 'store', progress: { url: 'https://late.example' } })).toBeNull();
  await pool.query('update people set email = (select email from people where id = $1) where id = $2', [maria?.id, ivan?.id]);
  await pool.query(`update onboardings set email = progress, progress = email`);

  expect((await everyPerson(pool)).map(({ email }) => email).toSorted()).toEqual(['Maria@shop.example', `${ivan?.id}@does-not-open.invalid`].toSorted());
  expect(await personOfEmail(pool, 'MARIA@shop.example')).toMatchObject({ id: maria?.id });
  expect(await personOfEmail(pool, 'ivan@shop.example')).toBeNull();
  expect(await findOnboarding(pool, way.id)).toMatchObject({ email: `${way.id}@does-not-open.invalid`, progress: {} });
});
