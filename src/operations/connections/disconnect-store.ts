import type { Connection } from '../../bridge/connections/connection.ts';
import { callStoreAgain } from '../../bridge/ledger/sync/store-calls.ts';
import { countFound } from '../../bridge/ledger/sync/watch-store.ts';
import { takeWatch, watchedStore } from '../../bridge/reconciliation/watch-due.ts';
import { type WatchDeps, watchStore } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { Storefronts } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { calledStore } from '../../bridge/storefronts/store-host.ts';
import type { LocalizedText as Words } from '../../contract/messages.ts';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';
import { webhookAddress } from './store-webhooks.ts';

type Deps = {
  pool: Pool;
  connections: FindConnection & { close(id: string, said: Authorship, since: Date): Promise<Connection | null> };
  stores: { watch: WatchDeps; storefronts: Storefronts };
};

/** `since`: when it was disconnected before. `remains`: what is still in the store, and where a person deletes it. */
type Disconnected = { since: string | null; remains: Words[] };

/** A person waits for it; a store that does not answer keeps its webhooks, which are refused from then on. */
const LONGEST_MS = 20_000;

/**
 * Stops taking webhooks of a connection, and removes them from its store. Accepted orders are still submitted, records stay. The webhooks first: the
 * access of a closed connection may be gone, and if this is cut off in between, they are made anew.
 */
export async function disconnectStore(deps: Deps, { id: named, ...said }: Authorship & { id: string }): Promise<Disconnected> {
  const connection = await knownConnection(deps.connections, named);
  const { id, closedAt } = connection;
  const since = new Date();
  await removeWebhooks(deps, connection);
  // What is paid while they are removed may come by none: if the store is connected again, it is read from before that.
  if (closedAt === null) await deps.connections.close(id, said, since);
  return { since: closedAt, remains: await remainsInStore(deps.pool, connection) };
}

async function removeWebhooks({ pool, stores: { watch: deps, storefronts } }: Deps, connection: Connection): Promise<void> {
  const store = watchedStore(storefronts, { ...connection, closedAt: null });
  if (store === null) return;
  // A store that failed is called at once, because somebody waits for it.
  await callStoreAgain(pool, calledStore(connection.id, store.access));
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    const watch = await takeWatch(deps, connection.id, { timeoutMs: LONGEST_MS, signal });
    if (watch !== null) await watchStore(deps, { watch, store }, { repair: 'remove', signal });
  } catch (thrown) {
    // What is left then is said by what was listed last.
    if (!signal.aborted) throw thrown;
  }
}

const REMOVED: Words = {
  en: 'The webhooks that it sent here are removed from the store.',
  bg: 'Известията, които магазинът изпращаше тук, са премахнати от него.',
};

/** What a disconnected store still has of us, and where a person deletes it. */
export async function remainsInStore(pool: Pool, { id, platform, access }: Pick<Connection, 'id' | 'platform' | 'access'>): Promise<Words[]> {
  const { remains, api } = storefrontOf(storefronts, platform);
  if (remains === undefined) return [];
  const showsAll = access !== null && api?.subscriptions?.hidesOthers !== true;
  const isRemoved = showsAll && (await countFound(pool, id)) === 0;
  return [isRemoved ? REMOVED : remains.webhooks(webhookAddress('', { platform, id })), ...(access === null ? [] : [remains.key(access)])];
}
