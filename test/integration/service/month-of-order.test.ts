import { describe, expect, test } from 'vitest';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const OCTOBER_IN_TERM = '2026-10-05T10:00:00Z';
const world = async (clock: string): Promise<AuditWorld> => worlds.audit(clock);
const order = (n: number, internalCreatedAt: string) => ({ internalId: String(n), internalNumber: String(n), internalCreatedAt });

describe('which month lists an order', () => {
  test('that of its date in Bulgaria', async () => {
    await using w = await world(OCTOBER_IN_TERM);
    await w.create(order(1, '2026-09-30T20:59:59Z'));
    await w.create(order(2, '2026-09-30T21:00:00Z'));

    expect((await w.list('2026-09')).orders.map(({ number }) => number)).toEqual(['1']);
    expect((await w.list('2026-10')).orders.map(({ number }) => number)).toEqual(['2']);
  });

  test('the earliest open one for an order of a closed month', async () => {
    await using w = await world(OCTOBER_IN_TERM);
    await w.create(order(1, '2026-03-01T10:00:00Z'));

    expect((await w.list('2026-09')).orders.map(({ number }) => number)).toEqual(['1']);
  });

  test('D19: that of its date if a caller’s clock is ahead, in the currency of that month', async () => {
    await using w = await world('2025-12-31T21:59:58Z');
    await w.create(order(1, '2026-01-01T00:00:03+02:00'));

    expect((await w.list('2025-12')).orders).toEqual([]);
    expect((await w.list('2026-01')).orders).toMatchObject([{ number: '1', orderedOn: '2026-01-01', documentedOn: '2025-12-31' }]);
    const { rows } = await w.server.pool.query('select accounting_currency as currency, accounting_total is not null as known from compliance.orders');
    expect(rows).toEqual([{ currency: 'EUR', known: true }]);
  });
});
