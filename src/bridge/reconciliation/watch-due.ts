import { setTimeout as pause } from 'node:timers/promises';
import { ownValue } from '../../contract/own-value.ts';
import { DONE, type JobEnd } from '../../platform/jobs/job-kind.ts';
import type { Job } from '../../platform/jobs/job-store.ts';
import type { Connection } from '../connections/connection.ts';
import type { Storefronts } from '../storefronts/contract.ts';
import type { Watch } from './watch-ledger.ts';
import { LEASE_MS, type WatchDeps, type WatchedStore, type WatchResult, watchStore } from './watch-subscriptions.ts';

export type WatchDueDeps = WatchDeps & {
  storefronts: Storefronts;
  /** Past the cache: its secrets and access are those of now. */
  connection(id: string): Promise<Connection | null>;
  onWatched(connectionId: string, watched: WatchResult): void;
  onFailed(connectionId: string, err: unknown): void;
};

const LATER_MS = 10 * 60_000;

/** Writes the jobs of stores whose webhooks are to be listed. */
export async function beginWatches({ ledger, storefronts }: Pick<WatchDueDeps, 'ledger' | 'storefronts'>): Promise<void> {
  await ledger.begin(Object.values(storefronts).flatMap(({ name, api }) => (api?.subscriptions === undefined ? [] : [name])));
}

/** Looks after the webhooks of the store whose job it is. */
export async function watchOne(deps: WatchDueDeps, job: Job, signal: AbortSignal): Promise<JobEnd> {
  const connection = await deps.connection(job.key);
  if (connection === null || connection.closedAt !== null) return DONE;
  const watch = await deps.ledger.open(job);
  try {
    const store = watchedStore(deps.storefronts, connection);
    if (store === null) await deps.ledger.end(watch, { nextMs: LATER_MS, error: 'its access to the store’s API can’t be read' });
    else deps.onWatched(job.key, await watchStore(deps, { watch, store }, { repair: 'itself', signal }));
  } catch (thrown) {
    if (signal.aborted) return { is: 'waits', ms: 0 };
    deps.onFailed(job.key, thrown);
    await deps.ledger.end(watch, { nextMs: LATER_MS, error: 'an unexpected error, which is in the log' });
  }
  return { is: 'again', ms: LATER_MS };
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
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Watch | null> {
  for (const began = now(); ; ) {
    const watch = await ledger.take(id, LEASE_MS);
    if (watch !== null || now() - began > timeoutMs) return watch;
    await pause(LOOK_MS, undefined, { signal });
  }
}
