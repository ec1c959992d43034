import { setTimeout as pause } from 'node:timers/promises';
import { ownValue } from '../../contract/own-value.ts';
import type { Connection } from '../connections/connection.ts';
import type { Storefronts } from '../storefronts/contract.ts';
import type { Watch } from './watch-ledger.ts';
import { LEASE_MS, type WatchDeps, type Watched, type WatchedStore, watchStore } from './watch-subscriptions.ts';

export type WatchDueDeps = WatchDeps & {
  storefronts: Storefronts;
  /** Past the cache: its secrets and access are those of now. */
  connection(id: string): Promise<Connection | null>;
  onWatched(connectionId: string, watched: Watched): void;
  onFailed(connectionId: string, err: unknown): void;
};

/** Stores that one process lists at once: one that hangs must not hold up all others. */
const AT_ONCE = 4;
const LATER_MS = 10 * 60_000;

/** Looks after the webhooks of every store whose time has come, each by one process alone. */
export async function watchDue(deps: WatchDueDeps, signal: AbortSignal): Promise<void> {
  const platforms = Object.values(deps.storefronts).flatMap(({ name, api }) => (api?.subscriptions === undefined ? [] : [name]));
  if (platforms.length === 0) return;
  await deps.ledger.begin(platforms);
  const line = async () => {
    while (!signal.aborted) {
      const watch = await deps.ledger.takeDue(platforms, LEASE_MS);
      if (watch === null) return;
      await watchOne(deps, watch, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}

async function watchOne(deps: WatchDueDeps, watch: Watch, signal: AbortSignal): Promise<void> {
  try {
    const connection = await deps.connection(watch.connectionId);
    const store = connection === null ? null : watchedStore(deps.storefronts, connection);
    if (store === null) return await deps.ledger.end(watch, { nextMs: LATER_MS, error: 'its access to the store’s API can’t be read' });
    deps.onWatched(watch.connectionId, await watchStore(deps, { watch, store }, { heal: 'itself', signal }));
  } catch (thrown) {
    if (signal.aborted) return;
    deps.onFailed(watch.connectionId, thrown);
    // If that fails, too, it is due again when it is no longer leased.
    await deps.ledger.end(watch, { nextMs: LATER_MS, error: 'an unexpected error, which is in the log' }).catch(() => undefined);
  }
}

/** Null: the webhooks of this connection's store can't be listed, because it has no access, or its platform no list of them. */
export function watchedStore(storefronts: Storefronts, connection: Connection): WatchedStore | null {
  const storefront = ownValue(storefronts, connection.platform);
  const subscriptions = storefront?.api?.subscriptions;
  if (storefront === undefined || subscriptions === undefined || connection.access === null || connection.closedAt !== null) return null;
  return { connection, access: connection.access, storefront, subscriptions };
}

const LOOK_MS = 250;

/** The right to look after the webhooks of a connection, waited for so long; null: another process keeps it for longer. */
export async function takeWatch(
  { ledger, now }: WatchDeps,
  id: string,
  { patienceMs, signal }: { patienceMs: number; signal: AbortSignal },
): Promise<Watch | null> {
  for (const began = now(); ; ) {
    const watch = await ledger.take(id, LEASE_MS);
    if (watch !== null || now() - began > patienceMs) return watch;
    await pause(LOOK_MS, undefined, { signal });
  }
}
