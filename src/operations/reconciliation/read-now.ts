import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { readAnew, wantWindow } from '../../bridge/ledger/reading-store.ts';
import type { Storefronts } from '../../bridge/storefronts/contract.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { canBeAsked } from './ask-for-order.ts';
import { liveConnections } from './live-connections.ts';
import { windowOf } from './window.ts';

type Deps = { pool: Pool; connections: FindConnection; storefronts: Storefronts };

/** `named`: a connection. `since`: ISO instant; if left out: the beginning of last month. */
export type ReadingWanted = { named: string; since?: string | undefined; by: Actor };

/** Has a store read again by a worker as soon as one can: what changed since then, and what is gone. What was being read of it begins anew (`isAnew`). */
export async function readNow(
  { pool, connections, storefronts }: Deps,
  { named, since, by }: ReadingWanted,
): Promise<{ id: string; name: string; since: string; isAnew: boolean }> {
  const [connection] = await liveConnections(connections, named);
  if (connection === undefined || !canBeAsked(storefronts, connection)) {
    const said = {
      en: `the store ${connection?.name ?? named} can’t be read: there is no key of its API, or it lists no orders`,
      bg: `магазинът ${connection?.name ?? named} не може да бъде прочетен: няма ключ за неговия API или той не показва поръчки`,
    };
    const reconnect = `\`orderbridge reconnect ${connection?.id ?? named}\``;
    throw new Refusal('conflict', said, { advice: { en: `give its address and key with ${reconnect}`, bg: `дайте адреса и ключа му с ${reconnect}` } });
  }
  const from = since ?? windowOf({}, Date.now()).from;
  await writeBridgeActs(pool, [{ who: by, act: 'store.read-wanted', connectionId: connection.id, after: { since: from } }]);
  await wantWindow(pool, connection.id, { since: from, why: 'a person wanted it' });
  const isAnew = await readAnew(pool, connection.id);
  return { id: connection.id, name: connection.name, since: from, isAnew };
}
