import { API_WARNINGS, APP_WARNING, apiWarningOf, type Connection, VERSION_WARNINGS } from '../bridge/connections/connection.ts';
import { reevaluate } from '../bridge/ledger/orders/pending-orders.ts';
import { curedByStoreAccess } from '../bridge/order/facts/failure.ts';
import type { FetchJson } from '../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../bridge/storefronts/registry.ts';
import type { StoreRefusal } from '../bridge/storefronts/store-failure.ts';
import type { Core } from './core.ts';

/** Keeps a warning on the connection that its store's API refuses us, of the kind that says who can mend it; null, once it works again, removes it. */
export async function noteStoreApi({ connections, pool }: Pick<Core, 'connections' | 'pool'>, id: string, refusal: StoreRefusal | null): Promise<void> {
  if (refusal !== null) return connections.warn(id, apiWarningOf(refusal.denial), refusal.words);
  await endWarnings({ connections, pool }, id, API_WARNINGS);
}

/** The platform takes the app’s id and secret for this connection: ends the warning that it does not. */
export function noteAppTaken(core: Pick<Core, 'connections' | 'pool'>, id: string): Promise<void> {
  return endWarnings(core, id, [APP_WARNING]);
}

async function endWarnings({ connections, pool }: Pick<Core, 'connections' | 'pool'>, id: string, kinds: readonly string[]): Promise<void> {
  // The orders that waited for it too long are decided again; they are due.
  if (await connections.endWarning(id, ...kinds)) await reevaluate(pool, { connectionId: id, codes: curedByStoreAccess });
}

type Of = Pick<Connection, 'id' | 'platform' | 'warnings'>;
/** `in`: what bore the version: answers of the store's API have the one that was asked for, webhooks one of those that are read here. */
type ReceivedVersion = { in: keyof typeof VERSION_WARNINGS; version: string };

/** Keeps a warning on a connection while its platform speaks another version of its API than is read here: that comes before a field is missing. */
export async function noteVersion({ connections }: Pick<Core, 'connections'>, { id, platform, warnings }: Of, received: ReceivedVersion): Promise<void> {
  const { apiVersions = [] } = storefrontOf(storefronts, platform);
  const [asked] = apiVersions;
  if (asked === undefined) return;
  const kind = VERSION_WARNINGS[received.in];
  const isRead = received.in === 'answers' ? received.version === asked : apiVersions.includes(received.version);
  const words = isRead ? undefined : wordsOf(received, asked);
  if (words === warnings[kind]) return;
  if (words === undefined) await connections.endWarning(id, kind);
  else await connections.warn(id, kind, words);
}

function wordsOf({ in: where, version }: ReceivedVersion, asked: string): string {
  const shown = /^[\w.-]{1,20}$/.test(version) ? version : 'that is none';
  const what =
    where === 'answers' ? `the store’s API answers in version ${shown}, though ${asked} is asked for` : `its webhooks come in version ${shown} of the API`;
  const todo = where === 'answers' ? 'upgrade orderbridge' : `set ${asked} where they are configured, or upgrade orderbridge`;
  return `${what}: a field that is read here may be missing in it; ${todo}`;
}

/** Hears the version of each answer. */
export function hearingVersions(core: Pick<Core, 'connections'>, connection: Of, fetchJson: FetchJson): FetchJson {
  return async (request) => {
    const answer = await fetchJson(request);
    if (answer.apiVersion !== undefined) await noteVersion(core, connection, { in: 'answers', version: answer.apiVersion });
    return answer;
  };
}
