import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { wasShort } from '../../bridge/connections/go-on.ts';
import type { AppStore, StoredApp } from '../../bridge/ledger/app-store.ts';
import { wayOfConnection } from '../../bridge/ledger/granted-ways.ts';
import type { StoreTokens } from '../../bridge/store-api/store-means.ts';
import type { AppClient } from '../../bridge/storefronts/app-grant.ts';
import type { AccessToken, StoreAccess } from '../../bridge/storefronts/contract.ts';
import { digestOf } from '../../bridge/storefronts/digest.ts';
import type { LookProblem } from '../../bridge/storefronts/onboarding.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { PROGRAM } from '../../platform/trail/trail.ts';
import { connectStore } from '../connections/connect-store.ts';
import { reconnectStore } from '../connections/reconnect-store.ts';
import type { AttachDeps } from '../onboarding/attach-store.ts';
import { makeWebhooks } from '../onboarding/make-webhooks.ts';
import { findNewest, newOnboardingLink, type Onboarding } from '../onboarding/onboarding.ts';
import type { KeysDeps } from '../onboarding/store-keys.ts';
import { Refusal } from '../refusal.ts';
import { announceGranted } from './announce-granted.ts';
import { keepOnWay, wayFor } from './on-the-way.ts';

type Connections = AttachDeps['connections'] & KeysDeps['connections'] & { findByStore(platform: string, store: string): Promise<Connection[]> };

export type PlaceDeps = Omit<AttachDeps & KeysDeps, 'connections' | 'fetchJson' | 'trustedHttpHosts'> &
  Pick<Parameters<typeof makeWebhooks>[0], 'stores'> & {
    connections: Connections;
    apps: Pick<AppStore, 'find' | 'list'>;
    tokens: StoreTokens;
    /** Keeps what goes on behind an answer. */
    background(work: Promise<unknown>): void;
  };

/**
 * What a merchant approved at his store, which was asked who it is. `lacking`: scopes that were asked for and not granted. `keptFor`: the connection that has
 * the token already; null: none has. `onboarding`: of his link.
 */
export type Approval = {
  app: StoredApp;
  access: StoreAccess;
  store: string;
  identity: string;
  token: AccessToken;
  keptFor: string | null;
  client: AppClient;
  lacking: readonly string[];
  onboarding: Onboarding | null;
};

/**
 * way: he goes on by the link of this token, shown once; null: by his own. connected: the store is connected, and has no pages of a merchant. taken: it is
 * connected by another way than that of his link. problem: what keeps the store from being used.
 */
export type Placed = { kind: 'way'; token: string | null } | { kind: 'connected' | 'taken'; store: string } | { kind: 'problem'; problem: LookProblem };

const DAYS = 14;
/** Whoever opens the app at the store gets another link each time. */
const STATUS_DAYS = 30;

/**
 * New tokens end those before: where the store is connected by the app, they take their place at once, whatever becomes of the merchant's way. Nobody else
 * makes any meanwhile: of two windows that approve at once, the tokens that were granted last are kept. `keptFor`: the connection that has them.
 */
export async function grantForLive<Came extends { token: AccessToken | null }>(
  deps: Pick<PlaceDeps, 'connections' | 'tokens'>,
  { platform, access }: { platform: string; access: StoreAccess },
  grant: () => Promise<Came>,
): Promise<{ came: Came; keptFor: string | null }> {
  const known = await deps.connections.findByStore(platform, storeHost(access.url) ?? access.url);
  const live = known.find((one) => one.closedAt === null && isAccess(one, access));
  if (live === undefined) return { came: await grant(), keptFor: null };
  return { came: await deps.tokens({ id: live.id, access }).replace(grant), keptFor: live.id };
}

/** Has the store of an approval go on: as the connection that it has or had a moment ago, or else on a merchant's way to one. */
export async function placeGrant(deps: PlaceDeps, given: Approval): Promise<Placed> {
  const { app, store } = given;
  const known = await deps.connections.findByStore(app.platform, store);
  const live = known.find(({ closedAt }) => closedAt === null);
  const keptFor = live === undefined ? null : await keptAtLive(deps, { approval: given, connection: live });
  // Another window of his may have connected the store meanwhile.
  const onboarding = given.onboarding === null ? null : await findNewest(deps, given.onboarding.id);
  const approval = { ...given, keptFor, onboarding };
  if (live !== undefined && onboarding !== null && onboarding.connectionId !== live.id) return { kind: 'taken', store };
  if (live !== undefined) return goOn(deps, { approval, connection: live });
  const away = known.find((one) => one.app === app.id && wasShort(one, new Date().toISOString()));
  const isHis = onboarding === null || onboarding.connectionId === away?.id;
  const back = away === undefined || !isHis ? null : await reopened(deps, { approval, connection: away });
  return back === null ? onTheWay(deps, approval) : goOn(deps, { approval: { ...approval, keptFor: back.id }, connection: back });
}

type OfConnection = { approval: Approval; connection: Connection };

/** The connection that has what was approved: by the same app, also if it was made since the store was asked for it. Null: this one has it not yet. */
async function keptAtLive({ tokens }: PlaceDeps, { approval: { access, token, keptFor }, connection }: OfConnection): Promise<string | null> {
  const { id } = connection;
  if (keptFor === id) return id;
  return isAccess(connection, access) && (await tokens({ id, access }).keep(token)) ? id : null;
}

function isAccess({ access }: Pick<Connection, 'access'>, other: StoreAccess): boolean {
  return access !== null && digestOf(access) === digestOf(other);
}

/** A store that is connected has what was approved last; whatever webhooks an uninstalled app left behind are made anew. */
async function goOn(deps: PlaceDeps, { approval, connection }: OfConnection): Promise<Placed> {
  const { access, identity, token, store } = approval;
  const way = await wayOfConnection(deps.pool, connection.id);
  const by = way === null ? PROGRAM : `merchant:${way}`;
  const unchanged = { name: null, secret: null, url: null, credentials: null, settings: null, recordFrom: null };
  // What is kept already may have been renewed since.
  const granted = approval.keptFor === connection.id ? {} : { granted: token };
  const changes = { ...unchanged, access, identity, ...granted };
  await reconnectStore({ ...storeDeps(deps), compliance: keepsDestination(connection), patience: null, by }, connection, changes);
  await announceGranted(deps, { approval, by, connectionId: connection.id });
  deps.background(makeWebhooks(deps, { id: connection.id, access }, by));
  if (approval.onboarding?.connectionId === connection.id) return { kind: 'way', token: null };
  if (way === null) return { kind: 'connected', store };
  const { startedAt } = await findNewest(deps, way);
  const link = startedAt === null ? ({ scope: { kind: 'all' }, days: DAYS } as const) : ({ scope: { kind: 'status' }, days: STATUS_DAYS } as const);
  return { kind: 'way', token: await newOnboardingLink(deps, { id: way }, link) };
}

/** Uninstalled a moment ago and installed again: the connection is as it was, and so are its merchant's links. Null: its shop has another store by now. */
async function reopened(deps: PlaceDeps, { approval, connection }: OfConnection): Promise<Connection | null> {
  const { access, identity, token, store } = approval;
  const { id, platform, name, shopId, trialSince } = connection;
  const way = await wayOfConnection(deps.pool, id);
  const by = way === null ? PROGRAM : `merchant:${way}`;
  const [secret] = liveSecrets(connection, Date.now());
  if (secret === undefined) return null;
  try {
    const opened = await connectStore(
      { ...storeDeps(deps), compliance: keepsDestination(connection), patience: null, by },
      {
        ...{ platform, name, shopId, store, secret, access, identity, granted: token, settings: null, recordFrom: null, credentials: null, ownShop: false },
        ...{ hosts: [store], claim: { is: 'same', connectionId: id }, trial: trialSince !== null, ...(way === null ? {} : { keepsWay: way }) },
      },
    );
    return opened.connection;
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.kind === 'conflict') return null;
    throw thrown;
  }
}

/** A store without a connection: its merchant has approved, and goes on with his company. */
async function onTheWay(deps: PlaceDeps, approval: Approval): Promise<Placed> {
  const way = await wayFor(deps, approval);
  return keepOnWay(deps, { approval, way });
}

function storeDeps({ pool, connections, notify, stores, config }: PlaceDeps) {
  return { pool, connections, notify, fetchJson: stores.fetchJson, trustedHttpHosts: config.trustedHttpHosts };
}

function keepsDestination({ destinationId }: Connection) {
  return { destination: async () => destinationId };
}
