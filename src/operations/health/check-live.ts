import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { everyTraffic } from '../../bridge/ledger/read-traffic.ts';
import type { FetchJson } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { tryAccess, withPatience } from '../connections/try-access.ts';
import type { Reason } from '../verdict/verdict.ts';
import type { CheckFinding } from './check-finding.ts';

export type CheckLiveDeps = { pool: Pool; connections: { list(): Promise<Connection[]> }; fetchJson: FetchJson };

const what = 'connection';

/** Each live connection: whether its shop is known, its key reads the store, and when its last webhook came. `reasons`: those of the verdict. */
export async function checkLive({ pool, connections, fetchJson }: CheckLiveDeps, reasons: readonly Reason[]): Promise<CheckFinding[]> {
  const [all, traffic] = await Promise.all([connections.list(), everyTraffic(pool)]);
  const lastOf = new Map(traffic.map(({ connectionId, lastAccepted }) => [connectionId, lastAccepted]));
  const live = all.filter(({ closedAt }) => closedAt === null);
  const checked = live.map(async (connection): Promise<CheckFinding[]> => {
    const { id, name } = connection;
    const access = await accessOf(connection, fetchJson);
    const shop = isRefused(connection, reasons) ? 'its orders wait, as said above' : 'its shop takes orders, as far as is known';
    const last = lastOf.get(id) ?? null;
    const webhook = last === null ? 'no webhook has come yet' : `the last webhook came at ${last}`;
    const words = `${id} (${name}): ${shop}; ${access.words}; ${webhook}`;
    return [{ what, verdict: 'ok', words }, ...access.problems.map((problem): CheckFinding => ({ what, verdict: 'wrong', words: `${id}: ${problem}` }))];
  });
  return (await Promise.all(checked)).flat();
}

const REFUSALS: readonly Reason['code'][] = ['shop.unknown', 'shop.paused', 'key.unknown', 'destination.paused'];

function isRefused({ id, shopId, destinationId }: Connection, reasons: readonly Reason[]): boolean {
  return reasons.some(({ code, subject }) => REFUSALS.includes(code) && (subject === id || subject === shopId || subject === destinationId));
}

async function accessOf(connection: Connection, fetchJson: FetchJson): Promise<{ words: string; problems: string[] }> {
  const { access, platform } = connection;
  const storefront = storefrontOf(storefronts, platform);
  if (access === null || storefront.api?.checkAccess === undefined) return { words: 'it has no key of the store’s API', problems: [] };
  const [secret] = liveSecrets(connection, Date.now());
  const problems = await tryAccess({ storefront, access, secret, fetchJson: withPatience(fetchJson) });
  return { words: problems.length === 0 ? 'its key reads orders of the store' : 'its key does not work', problems };
}
