import { knownHosts } from '../../bridge/connections/whose-store.ts';
import { dismissHeld } from '../../bridge/ledger/held-deliveries.ts';
import { judgeHost } from '../../bridge/ledger/store-hosts.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';
import { typedHost } from './typed-host.ts';

type Deps = { pool: Pool; connections: FindConnection; by: Actor };

const PAGE = 500;

/** Declares that a host is not the store's: what was held of it is dropped, and its webhooks are answered and counted from now on, but not kept. */
export async function notOurStore(
  { pool, connections, by }: Deps,
  { id: named, host: typed }: { id: string; host: string },
): Promise<{ host: string; dismissed: number }> {
  const connection = await knownConnection(connections, named);
  const { id } = connection;
  const storefront = storefrontOf(storefronts, connection.platform);
  const host = typedHost(storefront, connection, typed);
  const isAllowed: Parameters<typeof judgeHost>[1]['isAllowed'] = (hosts) => {
    const known = knownHosts(storefront, { ...connection, hosts: [...hosts] });
    return !(known.length === 1 && known[0] === host);
  };
  if ((await judgeHost(pool, { connectionId: id, host, verdict: 'not-ours', said: { by }, isAllowed })) === null) {
    throw onlyHost(host, id);
  }
  for (let dismissed = 0; ; ) {
    const page = await dismissHeld(pool, { connectionId: id, host, size: PAGE });
    dismissed += page;
    if (page < PAGE) return { host, dismissed };
  }
}

function onlyHost(host: string, id: string): Refusal {
  const said = {
    en: `${host} is the only host of ${id}: without it none of the store’s webhooks would be taken`,
    bg: `${host} е единственият хост на ${id}: без него не би било прието никое известие на магазина`,
  };
  const advice = {
    en: `if the store moved, \`orderbridge reconnect ${id} --moved HOST\` first; to take no webhooks any more, \`orderbridge disconnect ${id}\``,
    bg: `ако магазинът е преместен, първо \`orderbridge reconnect ${id} --moved HOST\`; ако вече не трябва да се приемат известия, \`orderbridge disconnect ${id}\``,
  };
  return new Refusal('conflict', said, { advice });
}
