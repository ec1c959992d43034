import type { Redis } from 'ioredis';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pause } from '../../bridge/delivery/pauses.ts';
import type { AppStore } from '../../bridge/ledger/apps/app-store.ts';
import type { Destination } from '../../bridge/ledger/connections/destination-store.ts';
import { type PendingOf, pendingByConnection } from '../../bridge/ledger/orders/pending-orders.ts';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ConfirmedWrite } from '../../platform/queue/confirmed-writes.ts';
import { hasService } from '../../service/database/service-tables.ts';
import type { FailedCheck } from './health-status.ts';

/** The file system of DATA_DIR, in bytes; `free`: for this user. */
export type Space = { free: number; size: number };

/** The queues that are looked at, and the Redis that they are on; null: they are in PostgreSQL. `every`: those that this process, or any, works on. */
export type WatchedQueues = {
  deliveries: {
    getJobCounts(state: 'waiting'): Promise<Record<string, number>>;
    getJobs(states: 'waiting'[], from: number, to: number, oldestFirst: boolean): Promise<{ timestamp: number }[]>;
  };
  system: { redis: Redis | null; confirmed: ConfirmedWrite; ping(ms: number): Promise<void> };
  every: readonly WatchedQueue[];
};
export type WatchedQueue = { readonly name: string; isPaused(): Promise<boolean> };

/** What a health status is read from. */
export type HealthDeps = {
  pool: Pool;
  config: Config;
  connections: { list(): Promise<Connection[]> };
  apps: Pick<AppStore, 'list'>;
  destinations: { pauses(): Promise<Pause[]>; opened(ids: readonly string[]): Promise<Destination[]> };
  queues: WatchedQueues;
  disk(): Promise<Space>;
  /** When an embedded PostgreSQL died and was started again, as ISO instants. */
  restarts(): Promise<string[]>;
  /** Of a command that asks over the network itself: what is wrong there. Absent: what the servers kept counts. */
  network?(): Promise<FailedCheck[]>;
  /** Of a command that tried the APIs of stores itself: what is wrong with each, by the id of its connection; '': nothing. Absent: what was kept counts. */
  tried?: ReadonlyMap<string, string>;
  /** Of a command: does a server run, as far as can be seen from here? Absent: this is one. */
  isServed?(): Promise<boolean>;
};

/** One round of all checks; what several subjects need is read once. `now`: ms since 1970. */
export type Round = HealthDeps & {
  now: number;
  all(): Promise<Connection[]>;
  /** Without those that were disconnected. */
  live(): Promise<Connection[]>;
  pauses(): Promise<Pause[]>;
  pending(): Promise<ReadonlyMap<string, PendingOf>>;
  /** Our own service's tables are in this database. */
  hasService(): Promise<boolean>;
};

export function startRound(deps: HealthDeps): Round {
  const all = once(() => deps.connections.list());
  return {
    ...deps,
    now: Date.now(),
    all,
    live: once(async () => (await all()).filter(({ closedAt }) => closedAt === null)),
    pauses: once(() => deps.destinations.pauses()),
    pending: once(() => pendingByConnection(deps.pool)),
    hasService: once(() => hasService(deps.pool)),
  };
}

/** Reads at the first call, for all. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= read();
    return known;
  };
}
