import { API_WARNINGS, type Connection, liveSecrets, SCOPES_WARNING, TOPIC_MISMATCH_WARNING } from '../../bridge/connections/connection.ts';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { hostOf, knownHosts } from '../../bridge/connections/host-owner.ts';
import type { SecretsAfter } from '../../bridge/ledger/connection-row.ts';
import type { Replacement } from '../../bridge/ledger/connections/connection-store.ts';
import type { Credentials } from '../../bridge/ledger/connections/destination-store.ts';
import { callStoreAgain } from '../../bridge/ledger/sync/store-calls.ts';
import { meansToTry } from '../../bridge/store-api/store-means.ts';
import type { AccessToken, StoreAccess, Storefront } from '../../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { calledStore, withoutEndSlashes } from '../../bridge/storefronts/store-host.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { refuseStoreName } from '../plain-name.ts';
import { Refusal } from '../refusal.ts';
import { refuseUnknown } from './change-settings.ts';
import type { ConnectDeps } from './connect-store.ts';
import { type DecidedAgain, decideAgain } from './decide-again.ts';
import { takeQuarantined, URL_WARNING, urlWarning } from './store-hosts.ts';
import { rotated } from './store-secrets.ts';
import { fetchWithTimeout, keepVerification, refuseInsecure, storeIdentity, verifyStoreCredentials } from './verify-credentials.ts';

type Deps = Omit<ConnectDeps, 'connections'> & {
  connections: {
    replace(id: string, parts: Replacement, said: Authorship): Promise<Connection | null>;
    warn(id: string, kind: string, words: string): Promise<void>;
  };
};

/** Null: it stays as it is. */
export type Changes = {
  name: string | null;
  secret: string | null;
  access: StoreAccess | null;
  /** The store's address; alone it says only where the store is. */
  url: string | null;
  credentials: Credentials | null;
  settings: SettingsInput | null;
  /** ISO instant: orders paid from then on are taken. */
  recordFrom: string | null;
  /** The platform's own id of the store, if `access` was asked for it already. */
  identity?: string;
  /** What the merchant granted to the app that `access` names: stored with it. Absent: nothing, or it is stored already. */
  granted?: AccessToken;
};

export type Reconnected = DecidedAgain & {
  connection: Connection;
  /** Until when the old secret is live; null: the secret was not changed. */
  oldUntil: string | null;
  /** What was being read of the store is read anew, from its start. */
  isReadAnew: boolean;
  /** The store at this address says that it is another one than before. */
  otherStore: boolean;
  /** A host of which webhooks are quarantined until a person says that the store is there; null: there is no new one, or the store itself proved it. */
  quarantinedHost: string | null;
};

/** Changes parts of a live connection, which keeps its webhook address and its orders. What waited for them goes on. */
export async function reconnectStore(deps: Deps, before: Connection, changes: Changes): Promise<Reconnected> {
  requireLive(before);
  const { access, credentials, settings, recordFrom } = changes;
  refuseStoreName(changes.name ?? '', [before.store, before.access?.url, access?.url]);
  refuseInsecure(access, deps.trustedHttpHosts);
  const storefront = storefrontOf(storefronts, before.platform);
  const identity = await identityOf(deps, before, changes);
  const destinationId = credentials === null ? null : await deps.compliance.destination(credentials);
  if (settings !== null) await refuseUnknown(deps.pool, destinationId ?? before.destinationId, settings);
  const { secrets, oldUntil } = secretsAfter(before, changes);
  const { host, quarantinedHost } = hostsAfter(storefront, before, { url: changes.url, identity });
  const parts: Replacement = {
    ...{ name: changes.name, secrets, access, settings, recordFrom, host, ...(changes.granted === undefined ? {} : { granted: changes.granted }) },
    storeIdentity: before.storeIdentity ?? identity,
    destinationId,
    cures: [
      ...(access === null ? [] : [...API_WARNINGS, SCOPES_WARNING]),
      ...(changes.url === null ? [] : [URL_WARNING]),
      ...(secrets === null ? [] : [TOPIC_MISMATCH_WARNING]),
    ],
  };
  const connection = await deps.connections.replace(before.id, parts, { by: deps.by });
  if (connection === null) throw closed(before);
  const isReadAnew = access !== null && (await callStoreAgain(deps.pool, calledStore(before.id, access)));
  if (host !== null) await takeProven(deps.pool, before, host);
  const warning = changes.url === null ? null : urlWarning(storefront, changes.url);
  if (warning !== null) await deps.connections.warn(before.id, URL_WARNING, warning);
  const again = await decideAgain(deps, { connection, settings, span: recordFrom !== null, storeApi: access !== null });
  return { ...again, connection, oldUntil, quarantinedHost, isReadAnew, otherStore: identity !== null && identity !== connection.storeIdentity };
}

/** The platform's own id of the store, by the access that is new. */
async function identityOf({ fetchJson }: Deps, before: Connection, { identity, access, secret }: Changes): Promise<string | null> {
  if (identity !== undefined) return identity;
  return storeIdentity(storefrontOf(storefronts, before.platform), access, meansToTry(fetchJson, secret ?? liveSecrets(before, Date.now())[0]));
}

function secretsAfter(before: Connection, { secret }: Changes): { secrets: SecretsAfter | null; oldUntil: string | null } {
  return secret === null ? { secrets: null, oldUntil: null } : rotated(before, { secret, revokeNow: false });
}

/** The host that webhooks may name from now on, beside the known ones, because the store itself proved it; or the one that only the address names. */
function hostsAfter(
  storefront: Storefront,
  before: Connection,
  { url, identity }: { url: string | null; identity: string | null },
): { host: string | null; quarantinedHost: string | null } {
  // The first delivery of a store that had none names its host.
  const named = url === null || before.store === null ? null : hostOf(storefront, url);
  const fresh = named === null || knownHosts(storefront, before).includes(named) ? null : named;
  const isProven = identity !== null && identity === before.storeIdentity;
  return isProven ? { host: fresh, quarantinedHost: null } : { host: null, quarantinedHost: fresh };
}

/** What was quarantined of a host is the store's, now that the store itself proved it; unless a person said otherwise. */
async function takeProven(pool: Pool, before: Connection, host: string): Promise<void> {
  if (before.hosts.some((one) => one.host === host && one.ownership === 'quarantined')) await takeQuarantined(pool, before, host);
}

/** Refuses a connection that was disconnected: its store is connected again by `connect`, which knows how it goes on. */
export function requireLive(connection: Connection): void {
  if (connection.closedAt !== null) throw closed(connection);
}

function closed({ id, closedAt }: Connection): Refusal {
  const said =
    closedAt === null
      ? { en: `${id} was disconnected a moment ago`, bg: `${id} беше изключена току-що` }
      : { en: `${id} was disconnected at ${closedAt}`, bg: `${id} е изключена на ${closedAt}` };
  return new Refusal('conflict', {
    ...said,
    advice: '`orderbridge connect` connects its store again, with the same address for its webhooks',
  });
}

type ChangeAccessDeps = Parameters<typeof reconnectStore>[0] & Parameters<typeof keepVerification>[0];

/** `anyway`: although it does not work now. */
type Change = { url: string; credentials: Readonly<Record<string, string>>; anyway: boolean };

/** `problems`: what does not work; then nothing was changed, unless it was wanted anyway. */
type ChangedAccess = { problems: readonly string[]; changed: Reconnected | null };

/** Tries new keys or another address of a store's API, and takes them if they work. */
export async function changeAccess(deps: ChangeAccessDeps, before: Connection, { url, credentials, anyway }: Change): Promise<ChangedAccess> {
  requireLive(before);
  const access = changedAccess(before, { url, credentials });
  refuseInsecure(access, deps.trustedHttpHosts);
  const storefront = storefrontOf(storefronts, before.platform);
  const fetchJson = fetchWithTimeout(deps.fetchJson);
  const [secret] = liveSecrets(before, Date.now());
  const problems = await verifyStoreCredentials({ storefront, access, secret, fetchJson });
  if (problems.length > 0 && !anyway) return { problems, changed: null };
  const given = { name: null, secret: null, credentials: null, settings: null, recordFrom: null };
  const changed = await reconnectStore({ ...deps, fetchJson }, before, { ...given, access, url: storefront.deliveriesNameStore ? url : null });
  await keepVerification(deps, before.id, { access: problems });
  return { problems, changed };
}

/** A credential that a store's API takes: its name, and what it is. */
type RequestedCredential = { name: string; words: string; bg: string; isKept: boolean };

/** What can be given of a store's API, and which of it the connection has. Null: its platform has none. */
export function requestedCredentials({ platform, access }: Pick<Connection, 'platform' | 'access'>): RequestedCredential[] | null {
  const { api } = storefrontOf(storefronts, platform);
  if (api === undefined) return null;
  return Object.entries(api.credentials).map(([name, { words, bg }]) => ({ name, words, bg, isKept: ownValue(access ?? {}, name) !== undefined }));
}

/** `credentials`: those that were given; the rest stays as it is. */
type NewAccess = { url: string; credentials: Readonly<Record<string, string>> };

/** Address and credentials of a store's API with what was given. Refuses an address that is none, and a set of keys that is not whole. */
function changedAccess({ platform, access }: Pick<Connection, 'platform' | 'access'>, { url, credentials }: NewAccess): StoreAccess {
  const protocol = URL.parse(url)?.protocol;
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new Refusal('invalid', { en: 'the address of the store must start with https://', bg: 'адресът на магазина трябва да започва с https://' });
  const { api } = storefrontOf(storefronts, platform);
  if (api === undefined)
    throw new Refusal('invalid', { en: `a ${platform} store is not called by its API`, bg: `магазин на ${platform} не се търси чрез API` });
  const names = Object.keys(api.credentials);
  const given = names.filter((name) => credentials[name] !== undefined && credentials[name] !== '');
  const sets = api.credentialSets ?? [names];
  const set = sets.find((one) => given.length > 0 && given.every((name) => one.includes(name))) ?? sets.find((one) => one.every((name) => kept(access, name)));
  if (set === undefined || !set.every((name) => given.includes(name) || kept(access, name))) {
    const each = sets.map((one) => one.join(', '));
    throw new Refusal('invalid', { en: `these keys go together: ${each.join('; or ')}`, bg: `тези ключове се дават заедно: ${each.join('; или ')}` });
  }
  const pairs = set.map((name) => [name, given.includes(name) ? credentials[name] : ownValue(access ?? {}, name)]);
  return { ...Object.fromEntries(pairs), url: names.length === 0 ? url : withoutEndSlashes(url) };
}

function kept(access: StoreAccess | null, name: string): boolean {
  return ownValue(access ?? {}, name) !== undefined;
}
