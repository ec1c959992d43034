import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStoreDeps } from '../../../../src/app/reconciler.ts';
import { claimReadings, createReadingLedger } from '../../../../src/bridge/ledger/reading-store.ts';
import { openReadableStore } from '../../../../src/bridge/reconciliation/open-readable-store.ts';
import { type ReadConnectionDeps, readConnection } from '../../../../src/bridge/reconciliation/read-connection.ts';
import { storefrontOf } from '../../../../src/bridge/storefronts/storefront-of.ts';
import { startChangingStore } from '../../../support/servers/changing-store.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { Bridge, orderOf } from '../../../support/worlds/bridge.ts';
import { namedStorefronts } from '../../../support/worlds/changing-store-api.ts';

const PERIOD_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAYS = 3;

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

test('a store in which nothing changes costs at most 12 requests an hour', { timeout: 120_000 }, async () => {
  await using store = await startChangingStore();
  await using bridge = await Bridge.start({ databaseUrl: await postgres.createDatabase(), role: 'receiver' });
  const { pool, cache } = bridge.app.core;
  const { connection } = await bridge.connect({ platform: 'woocommerce', access: { url: store.url } });
  const { api } = storefrontOf(namedStorefronts, connection.platform);
  if (connection.access === null || api === undefined) throw new Error('it can’t be read');
  const updatedAt = new Date(Date.now() - HOUR_MS).toISOString();
  store.put({ ...orderOf('1'), id: '1', updatedAt });
  store.name = 'corner';

  const clock = { now: Date.now() };
  const holder = { id: randomUUID(), leaseMs: 60_000, periodMs: PERIOD_MS, platforms: [connection.platform] };
  const deps = fastDeps(bridge, holder, clock);
  const perHour = new Map<number, number>();
  const began = clock.now;
  await claimReadings(pool, holder, 0);
  while (clock.now < began + DAYS * 24 * HOUR_MS) {
    const before = store.asked.length;
    await pool.query('update walks set next_at = now()');
    const [reading] = (await claimReadings(pool, holder, 1)).readable;
    if (reading === undefined) throw new Error('nothing is due');
    const fresh = (await cache.fresh(connection.id)) ?? connection;
    await readConnection(deps, reading, { connection: fresh, access: connection.access, api, signal: new AbortController().signal });
    const hour = Math.floor((clock.now - began) / HOUR_MS);
    perHour.set(hour, (perHour.get(hour) ?? 0) + store.asked.length - before);
    const { rows } = (await pool.query('select next_at from walks')) as unknown as { rows: { next_at: string }[] };
    clock.now = Math.max(clock.now + 1, Date.parse(rows[0]?.next_at ?? ''));
  }

  const [first = 0, ...others] = [...perHour.values()];
  expect(others).toHaveLength(DAYS * 24 - 1);
  expect(Math.max(...others)).toBeLessThanOrEqual(12);
  // Every quarter of an hour it was looked at all the same.
  expect(Math.min(...others)).toBeGreaterThanOrEqual(3);
  expect(first).toBeLessThanOrEqual(12);
});

function fastDeps(bridge: Bridge, holder: { id: string; leaseMs: number }, clock: { now: number }): ReadConnectionDeps {
  const { core } = bridge.app;
  const now = () => clock.now;
  const opening = { ...openStoreDeps(core), now };
  return {
    ledger: createReadingLedger(core.pool, holder),
    page: {
      knownHeads: async (_, ids) => new Map(ids.map((id) => [id, [KNOWN]])),
      handOver: () => Promise.reject(new Error('nothing changed')),
      noteUnread: async () => undefined,
      now,
    },
    open: (given) => openReadableStore(opening, given),
    room: async () => undefined,
    noteStoreApi: async () => undefined,
    periodMs: PERIOD_MS,
    now,
    random: () => 0,
    onWalked: () => undefined,
    onPage: () => undefined,
  };
}

const KNOWN = { updatedAt: '9', status: '', lifecycle: 'live', currency: 'EUR', total: '', refundIds: null, isDeleted: false } as const;
