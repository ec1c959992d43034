import { judgeHost } from '../../bridge/ledger/store-hosts.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { knownConnection } from './known-connection.ts';
import { type MovedAccess, moveAccess } from './move-access.ts';
import { type Taken, takeHeld } from './take-held.ts';
import { typedHost } from './typed-host.ts';

type Deps = Parameters<typeof moveAccess>[0];

/** `dismissed`: webhooks of the host that were not kept before. `api`: where the store's API is called from now on; null: where it was. */
export type Moved = Taken & { host: string; dismissed: number; api: MovedAccess | null };

/** Declares a host the store's, beside those that it has, and hands on what was held of it. Repeating it changes nothing, and finishes what was cut short. */
export async function movedStore(deps: Deps, { id: named, host: typed }: { id: string; host: string }): Promise<Moved> {
  const { pool, connections, by } = deps;
  const connection = await knownConnection(connections, named);
  const { id, platform } = connection;
  const host = typedHost(storefrontOf(storefronts, platform), connection, typed);
  // From this moment on nothing more of it is held, so that the pages come to an end.
  const dismissed = await judgeHost(pool, { connectionId: id, host, verdict: 'ours', said: { by }, isAllowed: () => true });
  // What is released may need the store's API.
  const api = await moveAccess(deps, await knownConnection(connections, id), host);
  return { host, dismissed: dismissed ?? 0, api, ...(await takeHeld(pool, connection, host)) };
}
