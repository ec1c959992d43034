import type { Endpoint } from '../../bridge/client/port.ts';
import { ACCESS_WARNING, type Connection, liveSecrets, SHOP_WARNING } from '../../bridge/connections/connection.ts';
import type { Destination } from '../../bridge/ledger/connections/destination-store.ts';
import { Failure } from '../../bridge/order/facts/failure.ts';
import { meansToTry } from '../../bridge/store-api/store-means.ts';
import type { FetchJson, StoreAccess, Storefront, StoreMeans } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { errorWords } from '../../platform/error-words.ts';
import { limitConcurrency } from '../../platform/limit-concurrency.ts';
import { insecureWords } from '../../platform/may-carry-secrets.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { Refusal } from '../refusal.ts';

/** What is verified before a store is connected. `secret` undefined: it is not known here. */
export type CredentialsToVerify = { storefront: Storefront; access: StoreAccess | null; secret: string | undefined; fetchJson: FetchJson };

const LONGEST_MS = 10_000;

/** A store's API as it may be called until an answer is waited for: for 10 s from now on. */
export function fetchWithTimeout(fetchJson: FetchJson, ms = LONGEST_MS): FetchJson {
  const timeout = AbortSignal.timeout(ms);
  return (request) => {
    if (timeout.aborted) throw new Failure('storefront.unreachable', `${URL.parse(request.url)?.host ?? 'the store'} did not answer within ${ms / 1000} s`);
    return fetchJson({ ...request, signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]) });
  };
}

/** What is wrong with the access to a store's API, in sentences; none: it works, or there is nothing to try. */
export async function verifyStoreCredentials(given: CredentialsToVerify): Promise<string[]> {
  return (await tryStore(given)).access;
}

/** `isOutage`: the store gave no answer, or one of an outage. */
async function tryStore({ storefront: { api }, access, secret, fetchJson }: CredentialsToVerify): Promise<{ access: string[]; isOutage: boolean }> {
  if (access === null || api?.checkAccess === undefined) return { access: [], isOutage: false };
  let isOutage = false;
  const noting: FetchJson = async (request) => {
    const answer = await fetchJson(request).catch((thrown: unknown) => {
      isOutage = true;
      throw thrown;
    });
    isOutage ||= answer.status === 429 || answer.status >= 500;
    return answer;
  };
  try {
    return { access: await api.checkAccess(access, meansToTry(noting, secret)), isOutage };
  } catch (thrown) {
    if (thrown instanceof Failure) return { access: [thrown.message], isOutage };
    throw thrown;
  }
}

type AskShop = { knowsShop(endpoint: Endpoint, shopId: string, signal?: AbortSignal): Promise<boolean | null> };

/** Why the compliance service will refuse the orders of this shop; null: it knows the shop. Undefined: it does not say it, or can't be asked now. */
export async function verifyShop(client: AskShop, endpoint: Endpoint, shopId: string): Promise<string | null | undefined> {
  try {
    const isKnown = await client.knowsShop(endpoint, shopId, AbortSignal.timeout(LONGEST_MS));
    if (isKnown === null) return undefined;
    return isKnown
      ? null
      : `The compliance service has no shop ${shopId} for this key: its orders will wait. \`orderbridge shop create\` makes one and prints its id.`;
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return thrown.code === 'compliance.misconfigured' ? `${thrown.message}: check the key and the secret of the compliance service.` : undefined;
  }
}

export type RecheckDeps = {
  connections: { list(): Promise<Connection[]>; endWarning(id: string, kind: string): Promise<boolean> };
  destinations: { find(id: string): Promise<Destination | null> };
  access: Pick<ComplianceAccess, 'endpointOf'>;
  client: AskShop;
};

/** Asks again about the shops that the compliance service did not know when their store was connected; the warning of one that it knows ends. */
export async function recheckShops({ connections, destinations, access, client }: RecheckDeps): Promise<void> {
  const warned = (await connections.list()).filter(({ closedAt, warnings }) => closedAt === null && warnings[SHOP_WARNING] !== undefined);
  for (const { id, shopId, destinationId } of warned) {
    const destination = await destinations.find(destinationId);
    if (destination === null) continue;
    const words = await verifyShop(client, await access.endpointOf(destination), shopId);
    if (words === null) await connections.endWarning(id, SHOP_WARNING);
  }
}

export type RecheckAccessDeps = Deps & { connections: { list(): Promise<Connection[]> }; fetchJson: FetchJson };

/** Stores that are called at once. */
const AT_ONCE = 32;

/**
 * Tries the API of each live store, keeps what is wrong, and ends the warning of one that works. Returns what is wrong with each, by the id of its
 * connection; '': nothing. One that can't be tried hides no other.
 */
export async function recheckAccess({ connections, fetchJson }: RecheckAccessDeps): Promise<Map<string, string>> {
  const live = (await connections.list()).filter(({ closedAt, access }) => closedAt === null && access !== null);
  const inTurn = limitConcurrency({ atOnce: AT_ONCE, mostWaiting: live.length });
  const recheck = async (connection: Connection): Promise<string> => {
    const { id, platform, access } = connection;
    const [secret] = liveSecrets(connection, Date.now());
    const tried = { storefront: storefrontOf(storefronts, platform), access, secret, fetchJson: fetchWithTimeout(fetchJson) };
    const found = await tryStore(tried);
    // An outage of a store that worked before shows by readings that fail, and end by themselves.
    if (!found.isOutage && (found.access.length > 0 || ACCESS_WARNING in connection.warnings)) await keepVerification({ connections }, id, found);
    return found.access.join(' ');
  };
  const failed = (thrown: unknown) => `it could not be tried (${errorWords(thrown)})`;
  return new Map(await Promise.all(live.map(async (connection) => [connection.id, await inTurn(() => recheck(connection)).catch(failed)] as const)));
}

type Deps = { connections: { warn(id: string, kind: string, words: string): Promise<void>; endWarning(id: string, kind: string): Promise<boolean> } };

/** What verifying found. Undefined: it was not verified. */
export type VerificationResult = { access?: readonly string[]; shop?: string | null };

/** Keeps what is wrong as warnings of the connection, and ends those of what works. */
export async function keepVerification({ connections }: Deps, id: string, { access, shop }: VerificationResult): Promise<void> {
  const keep = async (kind: string, words: string) => {
    if (words === '') await connections.endWarning(id, kind);
    else await connections.warn(id, kind, words);
  };
  if (access !== undefined) await keep(ACCESS_WARNING, access.join(' '));
  if (shop !== undefined) await keep(SHOP_WARNING, shop ?? '');
}

/** Refuses access to a store's API by an address to which its keys would go in the clear. */
export function refuseInsecure(access: StoreAccess | null, trusted: readonly string[]): void {
  const words = access === null ? null : insecureWords(access.url, trusted);
  if (words === null) return;
  throw new Refusal('invalid', {
    en: `--store-url: ${words}`,
    bg: 'адресът на магазина е http:// и ключовете могат да бъдат прочетени по пътя: използвайте https:// или посочете хоста в TRUSTED_HTTP_HOSTS',
  });
}

/** The platform's own id of the store at this address; null: not known, because it can't be queried, or does not say it. */
export async function storeIdentity({ api }: Storefront, access: StoreAccess | null, means: StoreMeans): Promise<string | null> {
  if (access === null || api?.identify === undefined) return null;
  try {
    return await api.identify(access, means);
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}
