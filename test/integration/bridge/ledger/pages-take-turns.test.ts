import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { takeBehind } from '../../../../src/bridge/ledger/behind-store.ts';
import { inboxSize, moveInbox, putInInbox } from '../../../../src/bridge/ledger/inbox-store.ts';
import type { Connected } from '../../../support/worlds/bridge.ts';
import { useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();
const PAGE = { size: 50, each: 16, graceMs: 1_000 };

/** Orders that are behind, due so many minutes ago. */
async function behind({ bridge }: World, { connection }: Connected, { count, minutes }: { count: number; minutes: number }): Promise<void> {
  await bridge.pool.query(
    `with made as (insert into orders (shop_id, platform, store, order_id, connection_id, revision, state, dirty_since, due_at)
       select $1, 'standard', 'corner', 'o' || n, $2, 1, 'queued', now(), now() - $4 * interval '1 minute' from generate_series(1, $3::int) n returning id)
     insert into order_facts select id, '{}' from made`,
    [connection.shopId, connection.id, count, minutes],
  );
}

function accepted({ connection }: Connected, arrivedAt: string): AcceptedDelivery {
  const id = randomUUID();
  return {
    id,
    connectionId: connection.id,
    arrivedAt,
    topic: 'order.paid',
    platformDeliveryId: null,
    store: null,
    body: null,
    normalized: { kind: 'ignored', why: 'a test' },
  };
}

/** Moves one page; the connections whose deliveries it had. */
async function movedPage({ bridge }: World): Promise<string[]> {
  const page: string[] = [];
  const add = async (deliveries: AcceptedDelivery[]) => void page.push(...deliveries.map(({ connectionId }) => connectionId));
  await moveInbox(bridge.pool, { size: 50, add, onUnreadable: () => undefined });
  return page;
}

describe('a page of the backlog', () => {
  test('has orders of every connection, however much older those of one are', async () => {
    await using it = await world({ role: 'receiver' });
    const [b, c, d] = [await it.bridge.connect(), await it.bridge.connect(), await it.bridge.connect()];
    await behind(it, b, { count: 2_000, minutes: 60 });
    await behind(it, c, { count: 1, minutes: 1 });
    await behind(it, d, { count: 40, minutes: 2 });

    const page = await takeBehind(it.bridge.pool, PAGE);

    const counts = Object.fromEntries([...Map.groupBy(page, ({ connectionId }) => connectionId)].map(([id, { length }]) => [id, length]));
    expect(counts).toEqual({ [b.connection.id]: 16, [c.connection.id]: 1, [d.connection.id]: 16 });
  });

  test('is full if one connection has enough and may fill it; none comes twice', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    await behind(it, b, { count: 70, minutes: 60 });
    const take = async () => (await takeBehind(it.bridge.pool, { ...PAGE, each: PAGE.size })).map(({ id }) => id);

    const [first, second] = [await take(), await take()];

    expect([first.length, second.length]).toEqual([50, 20]);
    expect(new Set([...first, ...second]).size).toBe(70);
    expect(await take()).toEqual([]);
  });

  test('two sweepers at once take different orders', async () => {
    await using it = await world({ role: 'receiver' });
    const b = await it.bridge.connect();
    await behind(it, b, { count: 30, minutes: 60 });

    const pages = await Promise.all([1, 2, 3].map(() => takeBehind(it.bridge.pool, PAGE)));

    const ids = pages.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('a page of the inbox', () => {
  test('has deliveries of every connection, and nothing is left in the end', async () => {
    await using it = await world({ role: 'receiver' });
    const [b, c] = [await it.bridge.connect(), await it.bridge.connect()];
    for (let n = 0; n < 120; n += 1) await putInInbox(it.bridge.pool, accepted(b, `2026-11-01T10:00:00.${String(n).padStart(3, '0')}Z`));
    await putInInbox(it.bridge.pool, accepted(c, '2026-11-01T11:00:00.000Z'));

    const first = await movedPage(it);
    const others: string[] = [];
    for (let page = await movedPage(it); page.length > 0; page = await movedPage(it)) others.push(...page);

    expect(first).toContain(c.connection.id);
    expect(first.length + others.length).toBe(121);
    expect(await inboxSize(it.bridge.pool)).toBe(0);
  });
});
