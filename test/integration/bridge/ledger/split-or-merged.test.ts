import { describe, expect, test } from 'vitest';
import { deliveriesOfOrder } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { keptOrders, ordersOfRefund } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { eraseFromLedger } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { listExports, storeExport } from '../../../../src/bridge/ledger/privacy/privacy-exports.ts';
import { joinOrder, renameOrder } from '../../../../src/bridge/ledger/review/split-or-merge.ts';
import { factsOf } from '../../../../src/bridge/order/facts/merge.ts';
import { at, refund } from '../../../support/samples/order-facts.ts';
import type { Bridge } from '../../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { cap, coat, ivansName, JULY, kept, names, store } from '../../../support/worlds/two-of-one-id.ts';

const worlds = useSharedWorlds();
/** Nothing is submitted: what the recorder wrote can be read at leisure. */
const world = () => worlds({ role: 'receiver' });

describe('what a person said', () => {
  test('--same ties later news of either, and moves buyer and webhooks', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat({ identity: 'k1' }));
    await record(cap({ identity: 'k2' }));
    const { id } = await kept(it.bridge, connectionId, '700~2');

    expect(await joinOrder(it.bridge.pool, id)).toMatchObject({ is: 'done', orderId: '700' });
    await record(coat({ identity: 'k1', updatedAt: at('07:30') }), cap({ identity: 'k2', updatedAt: at('09:00') }));

    expect(await names(it.bridge)).toEqual(['700 queued']);
    const one = await kept(it.bridge, connectionId, '700');
    expect(one).toMatchObject({
      customer: { kind: 'known', customer: ivansName },
      facts: { snapshot: { identity: 'k2', updatedAt: at('09:00') }, identities: expect.arrayContaining(['k1', 'k2']) },
    });
    expect(await deliveriesOfOrder(it.bridge.pool, one.id)).toHaveLength(4);
    expect(await joinOrder(it.bridge.pool, id)).toEqual({ is: 'changed' });
  });

  test('--same of a second order whose buyer was erased erases the buyer of both', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await record(cap());
    const { id } = await kept(it.bridge, connectionId, '700~2');
    await it.bridge.pool.query('update customers set data = null, erased_at = now() where order_ref = $1', [id]);

    await joinOrder(it.bridge.pool, id);

    expect(await kept(it.bridge, connectionId, '700')).toMatchObject({ customer: { kind: 'erased' } });
  });

  test('--same leaves it to a person whether a create was recorded', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await record(cap());
    await it.bridge.pool.query(`update orders set state = 'unconfirmed', review_revision = revision where order_id = '700'`);

    await joinOrder(it.bridge.pool, (await kept(it.bridge, connectionId, '700~2')).id);

    expect(await names(it.bridge)).toEqual(['700 unconfirmed']);
  });

  test('is not carried out once something of the second order was sent', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    await record(cap());
    const { id } = await kept(it.bridge, connectionId, '700~2');
    await it.bridge.pool.query(
      `insert into steps (order_ref, seq, kind, revision, destination_id) select $1, 1, 'create', 1, destination_id from connections limit 1`,
      [id],
    );
    expect(await joinOrder(it.bridge.pool, id)).toEqual({ is: 'recorded' });

    await it.bridge.pool.query(`update orders set review_code = 'compliance.conflict', previous = '{}' where id = $1`, [id]);
    expect(await renameOrder(it.bridge.pool, id)).toEqual({ is: 'recorded' });
    expect(await renameOrder(it.bridge.pool, 0)).toEqual({ is: 'changed' });
  });

  test('--other of a conflict takes the next free id, and news finds it by the platform’s', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat(), { ...coat(), orderId: '700~2' });
    const { id } = await kept(it.bridge, connectionId, '700');
    await it.bridge.pool.query(`update orders set state = 'review', review_code = 'compliance.conflict', review_revision = revision where id = $1`, [id]);

    expect(await renameOrder(it.bridge.pool, id)).toEqual({ is: 'done', id, orderId: '700~3' });
    await record(coat({ updatedAt: at('09:00') }));
    await record(cap());

    expect(await names(it.bridge)).toEqual(['700~2 queued', '700~3 queued', '700~4 review order.other']);
    expect(await createClaimStore(it.bridge.pool, { leaseMs: 60_000 }).claim(id)).toMatchObject({ platformId: '700', key: { orderId: '700~3' } });
    expect((await kept(it.bridge, connectionId, '700')).orderId).toMatch(/^700~/);
  });
});

describe('the store’s API', () => {
  test('that returns another order under the id tells nothing of this one', async () => {
    await using it = await world();
    const { record, connectionId } = await store(it.bridge);
    await record(coat());
    const ledger = createClaimStore(it.bridge.pool, { leaseMs: 60_000 });
    const claim = await ledger.claim((await kept(it.bridge, connectionId, '700')).id);
    if ('kind' in claim) throw new Error('it was not claimed');

    const other = await ledger.mergeFetched(claim, factsOf({ ...cap(), refunds: [refund()] }, at('18:00')));
    expect(other).toMatchObject({ facts: { snapshot: { createdAt: JULY }, refunds: {} }, revision: 1 });
    expect((await ledger.mergeFetched(claim, factsOf(coat({ updatedAt: at('09:00') }), at('18:00'))))?.facts.snapshot?.updatedAt).toBe(at('09:00'));
  });
});

describe('the word that a refund was deleted', () => {
  test('names the platform’s id, and goes to the order that lists the refund', async () => {
    await using it = await world();
    const { record, connectionId, scope } = await store(it.bridge);
    const listed = (id: string) => ({ refunds: [{ id, amount: '1.00' }] });
    await record(coat(listed('r1')), cap(listed('r2')));

    for (const id of ['r1', 'r2']) {
      const orderIds = await ordersOfRefund(it.bridge.pool, scope(), id);
      expect(orderIds).toEqual(['700']);
      await record({ orderId: '700', withdrawn: [id] });
    }

    expect((await kept(it.bridge, connectionId, '700')).facts.withdrawn).toEqual({ r1: expect.any(String) });
    expect((await kept(it.bridge, connectionId, '700~2')).facts.withdrawn).toEqual({ r2: expect.any(String) });
  });
});

describe('a privacy request names the platform’s id', () => {
  const forget = async (bridge: Bridge, scope: Parameters<typeof eraseFromLedger>[1], connectionId: string): Promise<string> => {
    await storeExport(bridge.pool, scope, { connectionId, requestId: 'r1' });
    expect(JSON.stringify(await listExports(bridge.pool))).toContain('Мария');
    await eraseFromLedger(bridge.pool, scope);
    return JSON.stringify([
      await listExports(bridge.pool),
      (await keptOrders(bridge.pool, {})).orders.map(({ orderId, customer }) => [orderId, customer.kind]),
    ]);
  };

  test('and reaches every order of it, and of its export', async () => {
    await using it = await world();
    const { record, connectionId, scope } = await store(it.bridge);
    await record(coat());
    await record(cap());

    const left = await forget(it.bridge, scope('700'), connectionId);

    expect(left).not.toMatch(/Мария|Иван/);
    expect(left).toContain('["700~2","erased"],["700","erased"]');
  });

  test('and no order that is ID~2 here alone', async () => {
    await using it = await world();
    const { record, scope } = await store(it.bridge);
    await record(coat());
    await record(cap());

    await eraseFromLedger(it.bridge.pool, scope('700~2'));

    expect((await keptOrders(it.bridge.pool, {})).orders.map(({ customer }) => customer.kind)).toEqual(['known', 'known']);
  });
});
