import { randomUUID } from 'node:crypto';
import { openStoreDeps } from '../../../src/app/store-reader.ts';
import { watchDeps } from '../../../src/app/watchdog.ts';
import { beginReading, createReadingLedger } from '../../../src/bridge/ledger/sync/sync-store.ts';
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
  const { id } = connected.connection;
  const began = clock.now;
  const counts: number[] = [];
  let watchAt = began + HOUR_MS;
  for (let hour = 0; hour < hours; ) {
    const before = asked();
    const nextAt = await read(idle);
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
async function read(idle: IdleStore): Promise<number> {
  const { bridge, connected, storefronts, clock } = idle;
  const { pool, cache } = bridge.app.core;
  const { id, platform, access } = connected.connection;
  const { api } = storefrontOf(storefronts, platform);
  if (access === null || api === undefined) throw new Error('it can’t be read');
  const lease = randomUUID();
  const reading = await beginReading(pool, id, lease);
  const connection = (await cache.fresh(id)) ?? connected.connection;
  const end = await readConnection(idleDeps(idle, lease), reading, { connection, access, api, signal: new AbortController().signal });
  if (end.is !== 'again') throw new Error(JSON.stringify(end));
  return clock.now + end.ms;
}

async function watch({ bridge, connected, storefronts, clock }: IdleStore): Promise<void> {
  const { core } = bridge.app;
  const store = watchedStore(storefronts, connected.connection);
  if (store === null) return;
  const deps = { ...watchDeps(core, storefronts), addressOf: () => idleAddress(connected), now: () => clock.now };
  const taken = await deps.ledger.take(connected.connection.id, LEASE_MS);
  if (taken === null) throw new Error('somebody else looks after its webhooks');
  const watched = await watchStore(deps, { watch: taken, store }, { repair: 'itself', signal: new AbortController().signal });
  if (watched.kind !== 'watched') throw new Error(watched.detail);
}

function idleDeps({ bridge, clock }: IdleStore, lease: string): ReadConnectionDeps {
  const { core } = bridge.app;
  const now = () => clock.now;
  const opening = { ...openStoreDeps(core), now };
  return {
    ledger: createReadingLedger(core.pool, lease),
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
