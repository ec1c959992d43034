import { describe, expect, test } from 'vitest';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { inTransaction } from '../../../../src/platform/postgres/postgres.ts';
import { claimsIn, dueLedger, idsOf, PAGE, pending } from '../../../support/worlds/due-ledger.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

describe('a page of what is due', () => {
  test('has the oldest orders, none that is due later, and none that is at rest', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    await pending(it, b, { count: 2, minutes: -1, prefix: 'later' });
    const young = await pending(it, b, { count: 2, minutes: 1, prefix: 'young' });
    const old = await pending(it, b, { count: 2, minutes: 10, prefix: 'old' });
    const [rests = 0] = await pending(it, b, { count: 1, minutes: 20, prefix: 'rests' });
    await it.bridge.pool.query('update orders set recorded_revision = revision where id = $1', [rests]);
    const { claim } = dueLedger(it, b);

    const [first, second, third] = [await claim({ ...PAGE, size: 3 }), await claim({ ...PAGE, size: 3 }), await claim({ ...PAGE, size: 3 })];

    expect([idsOf(first).toSorted(), idsOf(second), idsOf(third)]).toEqual([[young[0], ...old].toSorted(), [young[1]], []]);
  });

  test('says when the next order is due that is not due yet', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    const { nextDueMs } = dueLedger(it, b);
    expect(await nextDueMs()).toBeNull();
    await pending(it, b, { count: 1, minutes: 5 });
    expect(await nextDueMs()).toBeNull();

    await pending(it, b, { count: 3, minutes: -2, prefix: 'later' });

    const ms = (await nextDueMs()) ?? 0;
    expect(ms).toBeGreaterThan(110_000);
    expect(ms).toBeLessThanOrEqual(120_001);
  });

  test('leaves out what a worker has, what another transaction has locked, and what the reader names', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    const [leased = 0, locked = 0, named = 0, free = 0, late = 0] = await pending(it, b, { count: 5, minutes: 5 });
    await createClaimStore(it.bridge.pool, { leaseMs: 60_000 }).claim(leased);
    await it.bridge.pool.query(`update orders set lease_until = now() - interval '1 second' where id = $1`, [late]);
    const { claim } = dueLedger(it, b);

    const page = await inTransaction(it.bridge.pool, async (tx) => {
      await tx.query('select 1 from orders where id = $1 for update', [locked]);
      return claim({ ...PAGE, not: [named] });
    });

    expect(idsOf(page).toSorted()).toEqual([free, late]);
    expect(page.orders.map(({ claim: { id }, abandoned }) => [id, abandoned]).toSorted()).toEqual([
      [free, false],
      [late, true],
    ]);
    expect(idsOf(await claim(PAGE)).toSorted()).toEqual([locked, named]);
  });

  test('has a page that is crowded of orders of every connection, however much older those of one are', async () => {
    await using it = await world({ role: 'receiver' });
    const [b, c, d] = [await it.bridge.connect(), await it.bridge.connect(), await it.bridge.connect()];
    await pending(it, b, { count: 2_000, minutes: 60 });
    await pending(it, c, { count: 1, minutes: 1 });
    await pending(it, d, { count: 40, minutes: 2 });

    const page = await dueLedger(it, b).claim({ ...PAGE, roundRobin: true });

    const counts = Object.fromEntries([...Map.groupBy(page.orders, ({ claim }) => claim.connectionId)].map(([id, { length }]) => [id, length]));
    expect(counts).toEqual({ [b.connection.id]: 25, [c.connection.id]: 1, [d.connection.id]: 24 });
  });

  test('goes first to anyone who has fewer attempts, and then to anyone who was served longest ago', async () => {
    await using it = await world({ role: 'receiver' });
    const [b, c, d] = [await it.bridge.connect(), await it.bridge.connect(), await it.bridge.connect()];
    const [ofB = 0] = await pending(it, b, { count: 20, minutes: 60 });
    const [ofC = 0] = await pending(it, c, { count: 20, minutes: 30 });
    const [ofD = 0] = await pending(it, d, { count: 20, minutes: 1 });
    const served = { [b.connection.id]: { running: 1, last: 3 }, [c.connection.id]: { running: 0, last: 2 }, [d.connection.id]: { running: 0, last: 1 } };
    const { claim } = dueLedger(it, b);
    const one = async () => idsOf(await claim({ ...PAGE, size: 1, served, roundRobin: true }));

    expect([await one(), await one()]).toEqual([[ofD], [ofD + 1]]);
    served[d.connection.id] = { running: 2, last: 5 };
    expect([await one(), await one()]).toEqual([[ofC], [ofC + 1]]);
    served[c.connection.id] = { running: 2, last: 7 };
    expect(await one()).toEqual([ofB]);
  });

  test('leaves out connections and destinations that have no place, and pauses, whatever waits there', async () => {
    await using it = await world({ role: 'receiver' });
    const { destinations } = it.bridge.app.core;
    const [full, elsewhere, paused, shop, open] = await Promise.all(Array.from({ length: 5 }, () => it.bridge.connect()));
    if (!full || !elsewhere || !paused || !shop || !open) throw new Error('five were connected');
    const move = async (connected: typeof full) => {
      const id = await destinations.ensure(`http://${connected.connection.id.toLowerCase()}.invalid`, { apiKey: 'key', apiSecret: 'secret' });
      await it.bridge.pool.query('update connections set destination_id = $1 where id = $2', [id, connected.connection.id]);
      return id;
    };
    const [gone, down] = [await move(elsewhere), await move(paused)];
    for (const one of [full, elsewhere, paused, shop]) await pending(it, one, { count: 300, minutes: 60 });
    const expected = await pending(it, open, { count: 3, minutes: 1 });
    const pause = { code: 'compliance.throttled', detail: '429', callType: 'records' } as const;
    await destinations.pause({ ...pause, destinationId: down, shopId: null }, () => 60_000);
    await destinations.pause({ ...pause, destinationId: shop.connection.destinationId, shopId: shop.connection.shopId }, () => 60_000);
    // Recorded at the paused destination before its connection moved here: the delete would go there.
    const [moved = 0] = await pending(it, open, { count: 1, minutes: 90, prefix: 'moved' });
    await it.bridge.pool.query('update orders set record_destination = $1 where id = $2', [down, moved]);

    const page = await dueLedger(it, open).claim({ ...PAGE, notOf: [full.connection.id], notTo: [gone], roundRobin: true });

    expect(idsOf(page).toSorted()).toEqual(expected);
  });

  test('a pause of receipts leaves out orders that lack nothing else', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    const { destinationId } = b.connection;
    const [record = 0, receipt = 0] = await pending(it, b, { count: 2, minutes: 5 });
    const due = JSON.stringify({ state: 'due', complianceId: 'r1', since: new Date().toISOString(), seq: null });
    await it.bridge.pool.query('update orders set recorded_revision = 1, receipt = $2 where id = $1', [receipt, due]);
    const scope = { destinationId, shopId: null, callType: 'receipts' } as const;
    await it.bridge.app.core.destinations.pause({ ...scope, code: 'compliance.failing', detail: '502' }, () => 60_000);
    const { claim } = dueLedger(it, b, { plan: async () => null });

    expect(idsOf(await claim({ ...PAGE, roundRobin: true }))).toEqual([record]);
    await it.bridge.app.core.destinations.resume(scope);
    expect(idsOf(await claim({ ...PAGE, roundRobin: true }))).toEqual([receipt]);
  });

  test.each([true, false])('two ledgers at once never get the same order (in turn: %s)', async (roundRobin) => {
    await using it = await world({ role: 'receiver' });
    const connected = [await it.bridge.connect(), await it.bridge.connect()];
    const [b] = connected;
    if (b === undefined) throw new Error('it was connected');
    for (const one of connected) await pending(it, one, { count: 300, minutes: 5 });
    const ledgers = [1, 2, 3].map(() => dueLedger(it, b, { leaseMs: 600_000 }));

    const claimed: number[] = [];
    for (let round = 0; round < 200; round += 1) {
      const pages = await Promise.all(ledgers.map(({ claim }) => claim({ ...PAGE, size: 4, roundRobin })));
      claimed.push(...pages.flatMap(idsOf));
    }

    expect(claimed).toHaveLength(600);
    expect(new Set(claimed).size).toBe(600);
    expect((await claimsIn(it)).every(({ fence, steps }) => fence === 1 && steps === 1)).toBe(true);
  });
});

describe('an order that waits for its store', () => {
  test('is not due before the store call queue had its time for it, and keeps a later time', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    await pending(it, b, { count: 1, minutes: 5 });
    const { release } = createClaimStore(it.bridge.pool, { leaseMs: 5_000 });
    const { claim, nextDueMs } = dueLedger(it, b, { plan: async () => null });
    const [first] = (await claim(PAGE)).orders;
    if (first === undefined) throw new Error('it was due');

    // A jittered time is no whole number.
    await release(first.claim, 20_000.5);
    expect(idsOf(await claim(PAGE))).toEqual([]);
    const ms = (await nextDueMs()) ?? 0;
    expect(ms).toBeGreaterThan(10_000);
    await release(first.claim, 1_000);
    expect((await nextDueMs()) ?? 0).toBeGreaterThan(5_000);
  });
});

describe('an order that can’t be read', () => {
  test('is named, stops no other, and comes again when its lease is over', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    const [bad = 0, good = 0] = await pending(it, b, { count: 2, minutes: 5 });
    await it.bridge.pool.query(`update order_facts set facts = jsonb_set(facts, '{snapshot,total}', '48') where order_ref = $1`, [bad]);
    const { claim } = dueLedger(it, b, { leaseMs: 300 });

    const first = await claim(PAGE);
    const second = await claim(PAGE);

    expect([idsOf(first), first.unreadable.map(({ id }) => id)]).toEqual([[good], [bad]]);
    expect([idsOf(second), second.unreadable]).toEqual([[], []]);
    const third = await until(async () => (await claim(PAGE)).unreadable[0], { what: 'its lease to be over' });
    expect(third?.message).toContain('facts.snapshot.total');
  });
});
