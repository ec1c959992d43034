import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { replan } from '../../../../src/bridge/ledger/behind-store.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/claim-store.ts';
import { moveInbox, putInInbox, rewriteInbox } from '../../../../src/bridge/ledger/inbox-store.ts';
import { keptOrders } from '../../../../src/bridge/ledger/kept-order.ts';
import { UnreadableRow } from '../../../../src/platform/postgres/unreadable-row.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { edited, recorded, totals, useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();

/** As no release wrote it: a total that is a number, beside a name that must not be logged. */
async function spoil({ bridge }: World, orderId: string): Promise<number> {
  const order = (await keptOrders(bridge.pool, { number: orderId })).orders[0];
  await bridge.pool.query(
    `update orders set facts = jsonb_set(jsonb_set(facts, '{snapshot,total}', '48'), '{snapshot,lines,0,name}', '"Мария Иванова"') where order_id = $1`,
    [orderId],
  );
  return order?.id ?? 0;
}

/** Makes the order the one that waited longest. */
async function alwaysFirst({ bridge }: World, orderId: string): Promise<void> {
  await bridge.pool.query(`create function first() returns trigger language plpgsql as $$ begin new.due_at := '2026-01-01'; return new; end $$`);
  await bridge.pool.query(`create trigger first before update on orders for each row when (new.order_id = '${orderId}') execute function first()`);
  await bridge.pool.query('update orders set updated_at = now()');
}

const fault = (id: number) => `a row of orders (id ${id}) can’t be read: facts.snapshot.total: expected string`;

function delivery(connectionId: string, second = 0): AcceptedDelivery {
  const about = { topic: 'ping', platformDeliveryId: null, store: null, body: null, normalized: { kind: 'ignored', why: 'a test' } } as const;
  return { id: randomUUID(), connectionId, arrivedAt: `2026-11-20T10:00:0${second}.000Z`, ...about };
}

describe('an order that can’t be read', () => {
  test('can’t be claimed, and does not affect those that are claimed with it', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    for (const id of ['1', '2', '3']) await recorded(it, connected, id);
    const bad = await spoil(it, '2');
    const { claim } = createClaimStore(it.bridge.pool, { leaseMs: 1_000 });

    const claimed = await Promise.allSettled([bad - 1, bad, bad + 1].map((id) => claim(id)));

    expect(claimed).toEqual([
      { status: 'fulfilled', value: expect.objectContaining({ id: bad - 1 }) },
      { status: 'rejected', reason: expect.objectContaining({ message: fault(bad) }) },
      { status: 'fulfilled', value: expect.objectContaining({ id: bad + 1 }) },
    ]);
  });

  test('does not delay news of others that comes with its own', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    for (const id of ['1', '2', '3']) await recorded(it, connected, id);
    await spoil(it, '2');

    await Promise.all(['1', '2', '3'].map((id) => it.bridge.send(connected, 'order.updated', { order: edited(id, 1, '30.00') })));

    await until(() => ['1', '3'].every((id) => totals(it.service, id).join() === '30.00'), { what: 'the others to be recorded anew', timeoutMs: 20_000 });
    expect(totals(it.service, '2')).toEqual(['48.00']);
  });

  test('is woken with the others, without words for the dashboard', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    for (const id of ['1', '2']) {
      it.service.next('create', { status: 422, body: { title: 'no' } });
      await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
      await it.bridge.settled(connected, id, 'parked');
    }
    await spoil(it, '1');

    const woken = await replan(it.bridge.pool, { code: 'compliance.refused' });

    expect(woken.map(({ summary }) => summary.total).sort()).toEqual(['48.00', null]);
  });

  test('is left out of the list, which says so', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    for (const id of ['1', '2']) await recorded(it, connected, id);
    const bad = await spoil(it, '1');

    const { orders, unreadable } = await keptOrders(it.bridge.pool, {});

    expect(orders.map(({ orderId }) => orderId)).toEqual(['2']);
    expect(unreadable.map(({ message }) => message)).toEqual([fault(bad)]);
  });

  test('keeps its lease, so that the next probe of its destination is another order', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await it.service.down();
    for (const id of ['1', '2']) await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
    await until(async () => (await keptOrders(it.bridge.pool, {})).orders.length === 2, { what: 'both to be in the ledger' });
    await until(async () => (await it.bridge.app.core.destinations.pauses()).length === 1, { what: 'the destination to be paused' });
    await spoil(it, '1');
    await alwaysFirst(it, '1');

    await it.service.up();

    await it.bridge.settled(connected, '2', 'recorded');
  });
});

describe('a delivery in the inbox that can’t be read', () => {
  test('stays there, behind the others, which move on', async () => {
    await using it = await world({ role: 'receiver' });
    const { connection } = await it.bridge.connect();
    const [bad, good] = [delivery(connection.id, 1), delivery(connection.id, 2)];
    for (const one of [bad, good]) await putInInbox(it.bridge.pool, one);
    await it.bridge.pool.query(`update inbox set delivery = delivery - 'topic' where id = $1`, [bad.id]);
    const moved: string[] = [];
    const faults: string[] = [];
    const move = () =>
      moveInbox(it.bridge.pool, {
        size: 1,
        add: async (deliveries) => void moved.push(...deliveries.map(({ id }) => id)),
        onUnreadable: ({ message }) => faults.push(message),
      });

    expect([await move(), await move(), await move()]).toEqual([0, 1, 0]);

    expect(moved).toEqual([good.id]);
    expect(faults[0]).toBe(`a row of inbox (id ${bad.id}) can’t be read: delivery.topic: expected string`);
  });

  test('ends an erasure with an error, after all others were rewritten', async () => {
    await using it = await world({ role: 'receiver' });
    const { connection } = await it.bridge.connect();
    const [bad, good] = [delivery(connection.id), delivery(connection.id)];
    for (const one of [bad, good]) await putInInbox(it.bridge.pool, one);
    await it.bridge.pool.query(`update inbox set delivery = delivery - 'topic' where id = $1`, [bad.id]);

    const rewriting = rewriteInbox(it.bridge.pool, [connection.id], (one) => ({ ...one, topic: 'rewritten' }));

    await expect(rewriting).rejects.toBeInstanceOf(UnreadableRow);
    expect((await it.bridge.pool.query(`select from inbox where delivery ->> 'topic' = 'rewritten' and id = $1`, [good.id])).rowCount).toBe(1);
  });
});
