import { randomUUID } from 'node:crypto';
import { openStoreDeps } from '../../../src/app/store-reader.ts';
import type { AcceptedDelivery } from '../../../src/bridge/delivery/jobs.ts';
import { createStoreCalls, type StorePause } from '../../../src/bridge/delivery/store-calls.ts';
import { createStoreCallLedger } from '../../../src/bridge/ledger/sync/store-calls.ts';
import { beginReading, createReadingLedger } from '../../../src/bridge/ledger/sync/sync-store.ts';
import { openReadableStore } from '../../../src/bridge/reconciliation/open-readable-store.ts';
import { readConnection } from '../../../src/bridge/reconciliation/read-connection.ts';
import type { SyncRunEvent } from '../../../src/bridge/reconciliation/reading-deps.ts';
import type { StoreSync } from '../../../src/bridge/reconciliation/sync-run.ts';
import { createFetchJson } from '../../../src/bridge/store-api/fetch-json.ts';
import { parseJson } from '../../../src/bridge/storefronts/read-payload.ts';
import { storefrontOf, storefronts } from '../../../src/bridge/storefronts/registry.ts';
import type { Bridge, Connected } from '../worlds/bridge.ts';

/** So many times faster than in life: a second stands for a minute. A shop that it reads gives points back as much faster. */
export const SCALE = 60;
const READ_MS = 60_000;
const timeouts = { connectMs: READ_MS, headersMs: READ_MS, totalMs: READ_MS };
const fetchJson = createFetchJson({ allowPrivateAddresses: true, timeouts, parse: parseJson });

/** Reads a store that was never read, with the limits that reading has, in scaled time; what it hands over is counted and goes nowhere. */
export class ScaledReader {
  readonly handed = new Map<string, number>();
  readonly pauses: StorePause[] = [];
  readonly synced: SyncRunEvent[] = [];
  readonly #bridge: Bridge;
  readonly #connected: Connected;
  readonly #limitMs: number;

  /** `limitMs`: of what is read at once. */
  constructor(bridge: Bridge, connected: Connected, limitMs = READ_MS / SCALE) {
    this.#limitMs = limitMs;
    this.#bridge = bridge;
    this.#connected = connected;
  }

  /** One reading, until it lets go of the store; it is as it was left then. */
  async readOnce(): Promise<StoreSync> {
    const { core } = this.#bridge.app;
    const { id, platform, access } = this.#connected.connection;
    const { api } = storefrontOf(storefronts, platform);
    const lease = randomUUID();
    const reading = await beginReading(core.pool, id, lease);
    if (access === null || api === undefined) throw new Error('it can’t be read');
    const connection = (await core.cache.fresh(id)) ?? this.#connected.connection;
    const page = {
      knownSummaries: async () => new Map(),
      noteUnread: async () => undefined,
      now: Date.now,
      handOver: async (all: AcceptedDelivery[]) => this.#count(all),
    };
    const stores = createStoreCalls({
      ...{ ledger: createStoreCallLedger(core.pool), fetchJson, limitMs: this.#limitMs, random: Math.random },
      onPause: (pause) => void this.pauses.push(pause),
    });
    const ignored = async () => undefined;
    const deps = {
      ...{ ledger: createReadingLedger(core.pool, lease), page, capacity: ignored, noteStoreApi: ignored, periodMs: 900_000, now: Date.now },
      ...{ open: (given: Parameters<typeof openReadableStore>[1]) => openReadableStore({ ...openStoreDeps(core), stores }, given), random: () => 0 },
      ...{ onSynced: (event: SyncRunEvent) => void this.synced.push(event), onAnew: () => undefined, onPage: () => undefined },
    };
    await readConnection(deps, reading, { connection, access, api, signal: new AbortController().signal });
    const { rows } = (await core.pool.query('select sync_runs as "syncRuns", last, read_at as "readAt" from store_syncs where connection_id = $1', [
      id,
    ])) as unknown as {
      rows: StoreSync[];
    };
    const [left] = rows;
    if (left === undefined) throw new Error('it was not read');
    return left;
  }

  #count(deliveries: readonly AcceptedDelivery[]): void {
    for (const { normalized } of deliveries) {
      const id = normalized.kind === 'order' && normalized.news.snapshot !== undefined ? normalized.news.orderId : 'none';
      this.handed.set(id, (this.handed.get(id) ?? 0) + 1);
    }
  }
}
