import { randomUUID } from 'node:crypto';
import { openStoreDeps } from '../../../src/app/reconciler.ts';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { claimReadings, createReadingLedger } from '../../../src/bridge/ledger/sync/sync-store.ts';
import { openReadableStore } from '../../../src/bridge/reconciliation/open-readable-store.ts';
import { readConnection } from '../../../src/bridge/reconciliation/read-connection.ts';
import type { ReadConnectionDeps } from '../../../src/bridge/reconciliation/reading-deps.ts';
import { watchedStore } from '../../../src/bridge/reconciliation/watch-due.ts';
import { LEASE_MS, watchStore } from '../../../src/bridge/reconciliation/watch-subscriptions.ts';
import type { Storefronts } from '../../../src/bridge/storefronts/contract.ts';
import { storefrontOf } from '../../../src/bridge/storefronts/registry.ts';
import type { Bridge, Connected } from './bridge.ts';

export const HOUR_MS = 3_600_000;
const PERIOD_MS = 900_000;

/** What is asked of a store in which nothing changes, and of which all is known. */
export type IdleStore = { bridge: Bridge; connected: Connected; storefronts: Storefronts; clock: { now: number }; asked(): number };

/** Where webhooks of a connection must go. */
export function idleAddress({ connection: { platform, id } }: Connected): string {
  return `https://bridge.example/webhooks/${platform}/${id}`;
}

/** How many requests the store got in each of so many hours of the clock: by reading it, and by looking after its webhooks from the second on. */
export async function requestsPerHour(idle: IdleStore, hours: number): Promise<number[]> {
  const { bridge, connected, clock, asked } = idle;
  const { id, platform } = connected.connection;
  const began = clock.now;
  const holder = { id: randomUUID(), leaseMs: 60_000, periodMs: PERIOD_MS, platforms: [platform] };
  const deps = idleDeps(idle, holder);
  await claimReadings(bridge.pool, holder, 0);
  const counts: number[] = [];
  let watchAt = began + HOUR_MS;
  for (let hour = 0; hour < hours; ) {
    const before = asked();
    const nextAt = await read(idle, deps, holder);
    if (clock.now >= watchAt) {
      await watch(idle);
      watchAt += HOUR_MS;
    }
    counts[hour] = (counts[hour] ?? 0) + asked() - before;
    clock.now = Math.max(clock.now + 1, nextAt);
    hour = Math.floor((clock.now - began) / HOUR_MS);
  }
  await bridge.pool.query('delete from store_syncs where connection_id = $1', [id]);
  return counts;
}

/** Reads what is due; when more will be. */
async function read({ bridge, connected, storefronts }: IdleStore, deps: ReadConnectionDeps, holder: Parameters<typeof claimReadings>[1]): Promise<number> {
  const { pool, cache } = bridge.app.core;
  const { id, platform, access } = connected.connection;
  await pool.query('update store_syncs set next_at = now() where connection_id = $1', [id]);
  const [reading] = (await claimReadings(pool, holder, 1)).readable;
  const { api } = storefrontOf(storefronts, platform);
  if (reading === undefined || access === null || api === undefined) throw new Error('nothing is due, or it can’t be read');
  const connection = (await cache.fresh(id)) ?? connected.connection;
  await readConnection(deps, reading, { connection, access, api, signal: new AbortController().signal });
  const { rows } = (await pool.query('select next_at, last from store_syncs where connection_id = $1', [id])) as unknown as { rows: Read[] };
  const [{ next_at, last } = { next_at: '', last: null }] = rows;
  if (last?.error != null) throw new Error(last.error);
  return Date.parse(next_at);
}

type Read = { next_at: string; last: { error: string | null } | null };

async function watch({ bridge, connected, storefronts, clock }: IdleStore): Promise<void> {
  const { core } = bridge.app;
  const store = watchedStore(storefronts, connected.connection);
  if (store === null) return;
  const deps = { ...watchDeps(core, storefronts), addressOf: () => idleAddress(connected), now: () => clock.now };
  const taken = await deps.ledger.take(connected.connection.id, LEASE_MS);
  if (taken === null) throw new Error('somebody else looks after its webhooks');
  const watched = await watchStore(deps, { watch: taken, store }, { heal: 'itself', signal: new AbortController().signal });
  if (watched.kind !== 'watched') throw new Error(watched.detail);
}

function idleDeps({ bridge, clock }: IdleStore, holder: { id: string; leaseMs: number }): ReadConnectionDeps {
  const { core } = bridge.app;
  const now = () => clock.now;
  const opening = { ...openStoreDeps(core), now };
  return {
    ledger: createReadingLedger(core.pool, holder),
    page: {
      knownSummaries: async (_, ids) => new Map(ids.map((id) => [id, [KNOWN]])),
      handOver: () => Promise.reject(new Error('nothing changed')),
      noteUnread: async () => undefined,
      now,
    },
    open: (given) => openReadableStore(opening, given),
    capacity: async () => undefined,
    noteStoreApi: async () => undefined,
    periodMs: PERIOD_MS,
    now,
    random: () => 0,
    onSynced: () => undefined,
    onAnew: () => undefined,
    onPage: () => undefined,
  };
}

const KNOWN = { updatedAt: '9', status: '', lifecycle: 'live', currency: 'EUR', total: '', kept: null, seenAt: '', refundIds: null, isDeleted: false } as const;
