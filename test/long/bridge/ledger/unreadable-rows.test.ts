import { randomUUID } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { deliveriesInReview, findDelivery, noteDelivery } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { inboxSize, moveInbox, putInInbox } from '../../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { reevaluate } from '../../../../src/bridge/ledger/orders/pending-orders.ts';
import { keptOrders } from '../../../../src/bridge/ledger/orders/read-orders.ts';
import { erase, eraseUnread } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { idsOfName } from '../../../../src/operations/orders/named-order.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, recorded, totals, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

/** As no release wrote it: a total that is a number, beside a name that must not be logged. */
async function spoil({ bridge }: World, orderId: string): Promise<number> {
  const [id = 0] = await idsOfName(bridge, orderId);
  await bridge.pool.query(
    `update order_facts set facts = jsonb_set(jsonb_set(facts, '{snapshot,total}', '48'), '{snapshot,lines,0,name}', '"Мария Иванова"') where order_ref = $1`,
    [id],
  );
  return id;
}

/** Makes the order the one that waited longest. */
async function alwaysFirst({ bridge }: World, orderId: string): Promise<void> {
  await bridge.pool.query(`create function first() returns trigger language plpgsql as $$ begin new.due_at := '2026-01-01'; return new; end $$`);
  await bridge.pool.query(`create trigger first before update on orders for each row when (new.order_id = '${orderId}') execute function first()`);
  await bridge.pool.query('update orders set updated_at = now()');
}

const fault = (id: number) => `a row of orders (id ${id}) can’t be read: facts.snapshot.total: expected string`;

function delivery(connectionId: string, second = 0, body: string | null = null): AcceptedDelivery {
  const about = { topic: 'ping', platformDeliveryId: null, store: null, body, normalized: { kind: 'ignored', why: 'a test' } } as const;
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

  test('since the step is missing that made its record can’t be claimed: it is not recorded again', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '1');
    const { id = 0 } = (await it.bridge.order(connected, '1')) ?? {};
    await it.bridge.pool.query('delete from steps');
    const { claim } = createClaimStore(it.bridge.pool, { leaseMs: 1_000 });

    await expect(claim(id)).rejects.toThrow(`a row of orders (id ${id}) can’t be read: record: the step that made it is missing`);
  });

  test('does not delay news of others that comes with its own', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    for (const id of ['1', '2', '3']) await recorded(it, connected, id);
    await spoil(it, '2');

    await Promise.all(['1', '2', '3'].map((id) => it.bridge.send(connected, 'order.updated', { order: edited(id, 1, '30.00') })));

    await until(() => ['1', '3'].every((id) => totals(it.service, id).join() === '30.00'), { what: 'the others to be recorded anew' });
    expect(totals(it.service, '2')).toEqual(['48.00']);
  });

  test('is released with the others', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    const review: number[] = [];
    for (const id of ['1', '2']) {
      it.service.next('create', { status: 422, body: { title: 'no' } });
      await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
      review.push((await it.bridge.settled(connected, id, 'review')).id);
    }
    await spoil(it, '1');

    const notified = await reevaluate(it.bridge.pool, { ids: review });

    expect(new Set(notified.map(({ id }) => id))).toEqual(new Set(review));
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

  test('does not keep another order from being the probe of its destination', async () => {
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
  const compressed = (text: string) => zstdCompressSync(text).toString('base64');
  const withoutTopic = ({ bridge }: World, id: string) => bridge.pool.query(`update inbox set delivery = delivery - 'topic' where id = $1`, [id]);
  const ofNobody = ({ bridge }: World, id: string) =>
    bridge.pool.query(`update inbox set delivery = jsonb_set(delivery, '{connectionId}', '"nobody"') - 'topic' where id = $1`, [id]);

  async function keptText({ bridge }: World, id: string): Promise<string | undefined> {
    const body = (await findDelivery(bridge.pool, id))?.body;
    return body ? zstdDecompressSync(body).toString('utf8') : undefined;
  }

  function mover({ bridge }: World) {
    const moved: string[] = [];
    const faults: [string, boolean][] = [];
    const take = async (deliveries: AcceptedDelivery[]) => {
      moved.push(...deliveries.map(({ id }) => id));
      return [];
    };
    const move = async () =>
      (await moveInbox(bridge.pool, { size: 1, without: [], take, onUnreadable: ({ message }, review) => faults.push([message, review]) })).gone;
    return { moved, faults, move };
  }

  test('needs review with its body and time, and the others move on', async () => {
    await using it = await world({ role: 'receiver' });
    const { connection } = await it.bridge.connect();
    const [bad, good] = [delivery(connection.id, 1, compressed('{"order":"1"}')), delivery(connection.id, 2)];
    for (const one of [bad, good]) await putInInbox(it.bridge.pool, one);
    await withoutTopic(it, bad.id);
    const { moved, faults, move } = mover(it);

    expect([await move(), await move(), await move()]).toEqual([1, 1, 0]);

    const fault = `a row of inbox (id ${bad.id}) can’t be read: delivery.topic: expected string`;
    expect(moved).toEqual([good.id]);
    expect(faults).toEqual([[fault, true]]);
    expect(await deliveriesInReview(it.bridge.pool)).toEqual([
      expect.objectContaining({ id: bad.id, topic: '', arrivedAt: bad.arrivedAt, code: 'payload.unreadable', detail: fault, kept: true }),
    ]);
    expect(await keptText(it, bad.id)).toBe('{"order":"1"}');
  });

  test.for([
    ['no body', null],
    ['a body that does not unpack', 'bm9uc2Vuc2U='],
  ] as const)('with %s needs review whole', async ([_what, body]) => {
    await using it = await world({ role: 'receiver' });
    const { connection } = await it.bridge.connect();
    const bad = delivery(connection.id, 1, body);
    await putInInbox(it.bridge.pool, bad);
    await withoutTopic(it, bad.id);

    await mover(it).move();

    const { topic: _gone, body: _sealed, ...left } = bad;
    expect(JSON.parse((await keptText(it, bad.id)) ?? '')).toEqual({ ...left, buyer: null, body: body === null ? null : expect.any(String) });
    expect((await deliveriesInReview(it.bridge.pool))[0]?.detail).toContain('the row itself is kept instead of a body');
    expect(await inboxSize(it.bridge.pool)).toBe(0);
  });

  test('of no known connection stays there, behind the others, which move on', async () => {
    await using it = await world({ role: 'receiver' });
    const { connection } = await it.bridge.connect();
    const [bad, good] = [delivery(connection.id, 1), delivery(connection.id, 2)];
    for (const one of [bad, good]) await putInInbox(it.bridge.pool, one);
    await ofNobody(it, bad.id);
    const { moved, faults, move } = mover(it);

    expect([await move(), await move(), await move()]).toEqual([0, 1, 0]);

    expect(moved).toEqual([good.id]);
    expect(faults[0]).toEqual([`a row of inbox (id ${bad.id}) can’t be read: delivery.topic: expected string`, false]);
    expect(await inboxSize(it.bridge.pool)).toBe(1);
  });

  test('needs review, and then emptied by an erasure of before that if it names the order', async () => {
    await using it = await world({ role: 'receiver' });
    const { connection } = await it.bridge.connect();
    const [named, other] = [delivery(connection.id, 1, compressed('{"order":"4711"}')), delivery(connection.id, 2, compressed('{"order":"12"}'))];
    for (const one of [named, other]) {
      await putInInbox(it.bridge.pool, one);
      await withoutTopic(it, one.id);
    }
    const { move } = mover(it);

    await erase(it.bridge.pool, redaction(connection));
    expect([await move(), await move()]).toEqual([1, 1]);
    expect(await eraseUnread(it.bridge.pool, 10_000)).toBe(2);

    expect([await keptText(it, named.id), await keptText(it, other.id)]).toEqual([undefined, '{"order":"12"}']);
  });

  test('and can’t be sent to review holds up no erasure', async () => {
    await using it = await world();
    const connected = await it.bridge.connect();
    await recorded(it, connected, '4711');
    const bad = delivery('nobody', 1);
    await putInInbox(it.bridge.pool, bad);
    await ofNobody(it, bad.id);

    await erase(it.bridge.pool, redaction(connected.connection));

    expect((await keptOrders(it.bridge.pool, {})).orders).toMatchObject([{ orderId: '4711', customer: { kind: 'erased' } }]);
  });

  function redaction({ shopId }: { shopId: string }) {
    return { shopId, platform: 'standard', store: 'corner', orderIds: ['4711'], until: new Date().toISOString() };
  }
});

test('a kept body that can’t be unpacked goes, instead of keeping the bodies of everybody from being searched', async () => {
  await using it = await world({ role: 'receiver' });
  const { id, shopId, platform } = (await it.bridge.connect()).connection;
  const [broken, about] = [delivery(id, 0, btoa('no zstd')), delivery(id, 1, zstdCompressSync('{"id": 700}').toString('base64'))];
  for (const one of [broken, about]) await noteDelivery(it.bridge.pool, { delivery: one, outcome: 'review', code: 'payload.unreadable', detail: 'a test' });
  await erase(it.bridge.pool, { shopId, platform, store: 'corner', orderIds: ['700'], until: broken.arrivedAt });

  expect(await eraseUnread(it.bridge.pool, 10_000)).toBe(2);

  for (const one of [broken, about]) expect(await findDelivery(it.bridge.pool, one.id)).toMatchObject({ body: null });
});
