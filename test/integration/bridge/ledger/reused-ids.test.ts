import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deliveriesOfOrder } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { keyText } from '../../../../src/bridge/ledger/orders/fold-deliveries.ts';
import { lockOrders } from '../../../../src/bridge/ledger/orders/lock-orders.ts';
import { eraseFromLedger, forgetOldBuyers } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { knownBuyer } from '../../../../src/bridge/order/facts/facts.ts';
import { listOrders } from '../../../../src/operations/orders/find-orders.ts';
import { idsOfName } from '../../../../src/operations/orders/named-order.ts';
import { inTransaction } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { at, line } from '../../../support/samples/order-facts.ts';
import type { Bridge } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { AUGUST, cap, coat, ivansName, kept, mariasName, names, sold, store } from '../../../support/worlds/two-of-one-id.ts';

const worlds = useSharedWorlds();
/** Nothing is submitted: what the recorder wrote can be read at leisure. */
const world = () => worlds({ role: 'receiver' });

/** As an attempt leaves an order of which nothing is to be recorded for now. */
async function rests({ pool }: Bridge): Promise<void> {
  await pool.query(`update orders set state = 'waiting', recorded_revision = revision`);
}

describe('another order of a known id', () => {
  test('gets a row, a buyer and a history of its own', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await record(cap());
    await record(cap({ updatedAt: at('09:00') }), coat());

    expect(await names(it.bridge)).toEqual(['700 queued', '700~2 review order.other']);
    const [first, second] = [await kept(it.bridge, connectionId, '700'), await kept(it.bridge, connectionId, '700~2')];
    expect([first, second].map(({ customer }) => knownBuyer(customer))).toEqual([mariasName, ivansName]);
    expect((await deliveriesOfOrder(it.bridge.pool, first.id)).map(({ outcome }) => outcome)).toEqual(['merged', 'duplicate']);
    expect((await deliveriesOfOrder(it.bridge.pool, second.id)).map(({ outcome }) => outcome)).toEqual(['merged', 'merged']);
    expect(await idsOfName(it.bridge, '700')).toEqual([first.id, second.id]);
    expect(await idsOfName(it.bridge, '700~2')).toEqual([second.id]);
    expect((await listOrders(it.bridge.app.core, { number: '700', limit: 9 })).orders).toHaveLength(2);
  });

  test('core 5: is a sale and a buyer of its own though it has the first one’s lines, whose buyer was erased by age', async () => {
    await using it = await world();
    const { pool } = it.bridge;
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await rests(it.bridge);
    await pool.query(`update orders set created_at = now() - interval '2 years'`);
    expect(await forgetOldBuyers(pool, { days: 365, now: new Date() })).toBe(1);

    await record(cap({ lines: [line({ id: '70', name: 'Coat', gross: '36.00' })], total: '36.00' }));

    expect(await names(it.bridge)).toEqual(['700 waiting', '700~2 review order.other']);
    expect((await kept(it.bridge, connectionId, '700')).revision).toBe(1);
    expect(knownBuyer((await kept(it.bridge, connectionId, '700~2')).customer)).toEqual(ivansName);
  });

  test('is found by its key alone, where both keys are known', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record(coat({ identity: 'k1' }));
    await record(coat({ identity: 'k2' }), cap({ identity: 'k1' }));

    expect(await names(it.bridge)).toEqual(['700 queued', '700~2 review order.other']);
  });

  test('comes with the first one in one batch', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat(), cap(), sold({ createdAt: '2026-09-01T10:00:00Z', lines: [line({ id: '90', name: 'Hat' })] }));

    expect(await names(it.bridge)).toEqual(['700 queued', '700~2 review order.other', '700~3 review order.other']);
    expect((await kept(it.bridge, connectionId, '700~2')).review?.detail).toMatch(/^The order 700 was placed at 2026-07-01/);
  });

  test('is made once, by however many recorders at once', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record(coat());

    await Promise.all(Array.from({ length: 8 }, (_, minute) => record(cap({ updatedAt: at(`08:0${minute}`) }), coat({ updatedAt: at(`07:0${minute}`) }))));

    expect(await names(it.bridge)).toEqual(['700 queued', '700~2 review order.other']);
    const { count } = await readOne(it.bridge.pool, rowsOf('deliveries', z.object({ count: z.int() })), {
      text: `select count(*) as count from deliveries d join orders o on o.id = d.order_ref where o.order_id = '700~2'`,
    });
    expect(count).toBe(8);
  });

  test('is locked beside the first one, though both change while their lock is waited for', async () => {
    await using it = await world();
    const { pool } = it.bridge;
    const { record, scope } = await store(it.bridge);
    await record(coat());
    await record(cap());
    const { shopId, platform, store: of } = scope();
    const key = { shopId, platform, store: of, orderId: '700' };
    const waits = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

    const locked = await inTransaction(pool, async (tx) => {
      await tx.query('update orders set revision = revision + 1');
      const waiting = inTransaction(pool, (later) => lockOrders(later, [{ key, text: keyText(key), deliveries: [] }]));
      await until(async () => (await pool.query(waits)).rowCount === 1, { what: 'the second transaction to wait' });
      return { waiting };
    });

    expect([...(await locked.waiting).values()].flat().map(({ orderId }) => orderId)).toEqual(['700', '700~2']);
  });

  test('and the first one are made once, by however many recorders at once', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);

    await Promise.all(Array.from({ length: 8 }, (_, minute) => (minute % 2 === 0 ? record(cap()) : record(coat()))));

    expect((await names(it.bridge)).map((name) => name.split(' ')[0])).toEqual(['700', '700~2']);
  });

  test('passes over what the store itself calls ID~2', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record({ ...coat(), orderId: '700~2' });
    await record(coat());
    await record(cap());
    await record({ ...coat({ updatedAt: at('09:00') }), orderId: '700~2' });

    expect(await names(it.bridge)).toEqual(['700 queued', '700~2 queued', '700~3 review order.other']);
  });

  test('does not keep an order out that the store calls ID~2', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await record(cap());
    await record({ ...coat(), orderId: '700~2' }, { ...coat(), orderId: '701' });
    await record({ ...coat({ updatedAt: at('09:00') }), orderId: '700~2' });

    expect(await names(it.bridge)).toEqual(['700 queued', '700~2 review order.other', '700~2~2 queued', '701 queued']);
    expect((await kept(it.bridge, connectionId, '700~2~2')).revision).toBe(1);
  });

  test('that is only a visitor’s basket is not kept', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await record(cap({ lifecycle: 'draft', payment: 'unpaid' }));

    expect(await names(it.bridge)).toEqual(['700 queued']);
    const first = await kept(it.bridge, connectionId, '700');
    expect(first).toMatchObject({ revision: 1, customer: { kind: 'known', customer: mariasName } });
    expect((await deliveriesOfOrder(it.bridge.pool, first.id)).map(({ outcome }) => outcome)).toEqual(['merged', 'ignored']);
  });
});

describe('an order that was never paid', () => {
  test('is forgotten for the one that has its id now, and so is its buyer', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat({ payment: 'unpaid', updatedAt: at('23:00') }));
    await rests(it.bridge);
    const { customer: _none, ...anonymous } = cap();
    await record(anonymous);

    expect(await names(it.bridge)).toEqual(['700 queued']);
    expect(await kept(it.bridge, connectionId, '700')).toMatchObject({ revision: 2, customer: { kind: 'none' }, facts: { snapshot: { createdAt: AUGUST } } });
  });

  test('leaves an erased buyer erased', async () => {
    await using it = await world();
    const { record, connectionId, scope } = await store(it.bridge);
    await record(coat({ payment: 'unpaid' }));
    await rests(it.bridge);
    await eraseFromLedger(it.bridge.pool, scope('700'));
    await record(cap());

    expect(await kept(it.bridge, connectionId, '700')).toMatchObject({ customer: { kind: 'erased' }, facts: { snapshot: { createdAt: AUGUST } } });
  });

  test('so long ago that its buyer was erased leaves the id with the buyer of the one that has it now, for all their days', async () => {
    await using it = await world();
    const { record, connectionId, scope } = await store(it.bridge);
    const { pool } = it.bridge;
    const year = { days: 365, now: new Date() };
    await record(coat({ payment: 'unpaid' }));
    await rests(it.bridge);
    await pool.query(`update orders set created_at = now() - interval '2 years'`);
    expect(await forgetOldBuyers(pool, year)).toBe(1);

    await record(cap());

    expect(await kept(it.bridge, connectionId, '700')).toMatchObject({
      customer: { kind: 'known', customer: ivansName },
      facts: { snapshot: { createdAt: AUGUST } },
    });
    expect(await forgetOldBuyers(pool, year)).toBe(0);
    await eraseFromLedger(pool, scope('700'));
    expect(await kept(it.bridge, connectionId, '700')).toMatchObject({ customer: { kind: 'erased' } });
  });

  test('is kept while something of it is recorded', async () => {
    await using it = await world();
    const { record } = await store(it.bridge);
    await record(coat({ payment: 'unpaid' }));
    await rests(it.bridge);
    await it.bridge.pool.query(`update orders set previous = '{}'`);
    await record(cap());

    expect(await names(it.bridge)).toEqual(['700 waiting', '700~2 review order.other']);
  });
});
