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
  const checked = live.map(async (connection): Promise<CheckFinding> => {
    const { id, name } = connection;
    const access = await accessOf(connection, fetchJson);
    const shop = isRefused(connection, reasons) ? 'its orders wait, as said above' : 'its shop takes orders, as far as is known';
    const last = lastOf.get(id) ?? null;
    const webhook = last === null ? 'no webhook has come yet' : `the last webhook came at ${last}`;
    const words = `${id} (${name}): ${shop}; ${access.words}; ${webhook}`;
    return { what, verdict: access.isWrong ? 'wrong' : 'ok', words };
  });
  return Promise.all(checked);
}

const REFUSALS: readonly Reason['code'][] = ['shop.unknown', 'shop.paused', 'key.unknown', 'destination.paused'];

function isRefused({ id, shopId, destinationId }: Connection, reasons: readonly Reason[]): boolean {
  return reasons.some(({ code, subject }) => REFUSALS.includes(code) && (subject === id || subject === shopId || subject === destinationId));
}

async function accessOf(connection: Connection, fetchJson: FetchJson): Promise<{ words: string; isWrong: boolean }> {
  const { access, platform } = connection;
  const storefront = storefrontOf(storefronts, platform);
  if (access === null || storefront.api?.checkAccess === undefined) return { words: 'it has no key of the store’s API', isWrong: false };
  const [secret] = liveSecrets(connection, Date.now());
  const problems = await tryAccess({ storefront, access, secret, fetchJson: withPatience(fetchJson) });
  if (problems.length === 0) return { words: 'its key reads orders of the store', isWrong: false };
  return { words: `its key does not read orders of the store (${problems.join(' ')})`, isWrong: true };
}
