import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { inboxSize, moveInbox, putInInbox } from '../../../../src/bridge/ledger/deliveries/inbox-store.ts';
import type { Connected } from '../../../support/worlds/bridge.ts';
import { useWorlds, type World } from '../../../support/worlds/world.ts';

const world = useWorlds();

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
  const take = async (deliveries: AcceptedDelivery[]) => {
    page.push(...deliveries.map(({ connectionId }) => connectionId));
    return [];
  };
  await moveInbox(bridge.pool, { size: 50, without: [], take, onUnreadable: () => undefined });
  return page;
}

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
