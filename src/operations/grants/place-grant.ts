import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { wasShort } from '../../bridge/connections/go-on.ts';
import type { AppStore, StoredApp } from '../../bridge/ledger/app-store.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { addInvitation } from '../../bridge/ledger/change-invitation.ts';
import { unfinishedWay, wayOfConnection } from '../../bridge/ledger/granted-ways.ts';
import type { StoreTokens } from '../../bridge/store-api/store-means.ts';
import type { AppClient } from '../../bridge/storefronts/app-grant.ts';
import type { AccessToken, StoreAccess } from '../../bridge/storefronts/contract.ts';
import { digestOf } from '../../bridge/storefronts/digest.ts';
import type { LookProblem, Proved } from '../../bridge/storefronts/onboarding.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { type Actor, PROGRAM } from '../../platform/trail/trail.ts';
import { connectStore } from '../connections/connect-store.ts';
import { reconnectStore } from '../connections/reconnect-store.ts';
import type { AttachDeps } from '../onboarding/attach-store.ts';
import { makeWebhooks } from '../onboarding/make-webhooks.ts';
import { ChangedMeanwhile, findNewest, newOnboardingLink, type Onboarding, saveNewest } from '../onboarding/onboarding.ts';
import { type KeysDeps, takeKeys } from '../onboarding/store-keys.ts';
import { foundStore } from '../onboarding/store-progress.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';

type Connections = AttachDeps['connections'] & KeysDeps['connections'] & { findByStore(platform: string, store: string): Promise<Connection[]> };

export type PlaceDeps = Omit<AttachDeps & KeysDeps, 'connections' | 'fetchJson' | 'trustedHttpHosts'> &
  Pick<Parameters<typeof makeWebhooks>[0], 'stores'> & {
    connections: Connections;
    apps: Pick<AppStore, 'find' | 'list'>;
    tokens: StoreTokens;
    /** Keeps what goes on behind an answer. */
    background(work: Promise<unknown>): void;
  };

/** What a merchant approved at his store, which was asked who it is. `lacking`: scopes that were asked for and not granted. `onboarding`: of his link. */
export type Approval = {
  app: StoredApp;
  access: StoreAccess;
  store: string;
  identity: string;
  token: AccessToken;
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
 * makes any meanwhile: of two windows that approve at once, the tokens that were granted last are kept.
 */
export async function grantForLive<Came extends { token: AccessToken | null }>(
  deps: Pick<PlaceDeps, 'connections' | 'tokens'>,
  { platform, access }: { platform: string; access: StoreAccess },
  grant: () => Promise<Came>,
): Promise<Came> {
  const known = await deps.connections.findByStore(platform, storeHost(access.url) ?? access.url);
  const live = known.find((one) => one.closedAt === null && one.access !== null && digestOf(one.access) === digestOf(access));
  return live === undefined ? grant() : deps.tokens({ id: live.id, access }).replace(grant);
}

/** Has the store of an approval go on: as the connection that it has or had a moment ago, or else on a merchant's way to one. */
export async function placeGrant(deps: PlaceDeps, approval: Approval): Promise<Placed> {
  const { app, store, onboarding } = approval;
  const known = await deps.connections.findByStore(app.platform, store);
  const live = known.find(({ closedAt }) => closedAt === null);
  if (live !== undefined && onboarding !== null && onboarding.connectionId !== live.id) return { kind: 'taken', store };
  if (live !== undefined) return goOn(deps, { approval, connection: live });
  const away = known.find((one) => one.app === app.id && wasShort(one, new Date().toISOString()));
  const isHis = onboarding === null || onboarding.connectionId === away?.id;
  const back = away === undefined || !isHis ? null : await reopened(deps, { approval, connection: away });
  return back === null ? onTheWay(deps, approval) : goOn(deps, { approval, connection: back });
}

type OfConnection = { approval: Approval; connection: Connection };

/** A store that is connected has what was approved last; whatever webhooks an uninstalled app left behind are made anew. */
async function goOn(deps: PlaceDeps, { approval, connection }: OfConnection): Promise<Placed> {
  const { access, identity, token, app, store } = approval;
  const way = await wayOfConnection(deps.pool, connection.id);
  const by = way === null ? PROGRAM : `merchant:${way}`;
  await tell(deps, { approval, by, connectionId: connection.id });
  const unchanged = { name: null, secret: null, url: null, credentials: null, settings: null, recordFrom: null };
  await reconnectStore({ ...storeDeps(deps), compliance: keepsDestination(connection), patience: null, by }, connection, { ...unchanged, access, identity });
  // Those of the same app are kept already, and may have been renewed since.
  if (connection.app !== app.id || connection.access?.url !== access.url) await deps.tokens({ id: connection.id, access }).keep(token);
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
        ...{ platform, name, shopId, store, secret, access, identity, settings: null, recordFrom: null, credentials: null, ownShop: false },
        ...{ hosts: [store], claim: { is: 'same', connectionId: id }, trial: trialSince !== null, ...(way === null ? {} : { keepsWay: way }) },
      },
    );
    await deps.tokens({ id, access }).keep(token);
    return opened.connection;
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.kind === 'conflict') return null;
    throw thrown;
  }
}

/** A store without a connection: its merchant has approved, and goes on with his company. */
async function onTheWay(deps: PlaceDeps, approval: Approval): Promise<Placed> {
  const { access, app, identity, client, token: granted, lacking } = approval;
  const { onboarding, token } = await wayFor(deps, approval);
  const by = `merchant:${onboarding.id}`;
  await tell(deps, { approval, by });
  const notes = lacking.length === 0 ? [] : [{ code: 'scopes.fewer' as const, data: { to: lacking.join(', ') } }];
  const given = { url: access.url, credentials: { app: app.id }, by, granted: { token: granted, identity, client, notes } };
  const proved = await takeApproved(deps, onboarding, given);
  return proved.ok ? { kind: 'way', token } : { kind: 'problem', problem: proved.problem };
}

const MOST_TRIES = 5;

/** Other windows of his may change his way while his store is asked: what he approved is kept all the same, unless his way leads to another store by now. */
async function takeApproved(deps: PlaceDeps, onboarding: Onboarding, given: Parameters<typeof takeKeys>[2]): Promise<Proved> {
  let newest = onboarding;
  for (let tries = 1; ; tries += 1) {
    try {
      return await takeKeys(deps, newest, given);
    } catch (thrown) {
      if (!(thrown instanceof ChangedMeanwhile) || tries >= MOST_TRIES) throw thrown;
      newest = await findNewest(deps, onboarding.id);
      if (foundStore(newest)?.url !== given.url) throw thrown;
    }
  }
}

/** `token`: of a link that was made for him; null: he goes on by his own. */
type Way = { onboarding: Onboarding; token: string | null };

async function wayFor(deps: PlaceDeps, { app, access, onboarding }: Approval): Promise<Way> {
  if (onboarding !== null && onboarding.connectionId === null) return { onboarding, token: null };
  // Whoever approved is of the store; that he is of its company still, his own link says.
  if (onboarding !== null) return newWay(deps, { app, access, shop: onboarding });
  const begun = await unfinishedWay(deps.pool, { url: access.url, app: app.id });
  if (begun === null) return newWay(deps, { app, access, shop: { shopId: null, destinationId: null } });
  return { onboarding: await findNewest(deps, begun), token: await newOnboardingLink(deps, { id: begun }, { scope: { kind: 'all' }, days: DAYS }) };
}

type NewWay = Pick<Approval, 'app' | 'access'> & { shop: Pick<Onboarding, 'shopId' | 'destinationId'> };

async function newWay(deps: PlaceDeps, { app, access: { url }, shop: { shopId, destinationId } }: NewWay): Promise<Way> {
  const token = newToken();
  const made = await addInvitation(deps.pool, { who: PROGRAM, email: null, lang: null, shopId, destinationId, days: DAYS, token: hashOf(token) });
  const found = { kind: 'address', typed: new URL(url).host, url, home: url, name: null, canHandOver: false, notes: [], mayWrite: null, version: null };
  return { onboarding: await saveNewest(deps, made.id, () => ({ step: 'store', progress: found, platform: app.platform })), token };
}

function tell({ pool }: Pick<PlaceDeps, 'pool'>, { approval, by, connectionId }: { approval: Approval; by: Actor; connectionId?: string }): Promise<void> {
  const { app, store } = approval;
  const after = { store, scopes: 'granted' };
  return writeBridgeActs(pool, [{ who: by, act: 'store.granted', subject: app.id, after, ...(connectionId === undefined ? {} : { connectionId }) }]);
}

function storeDeps({ pool, connections, wake, stores, config }: PlaceDeps) {
  return { pool, connections, wake, fetchJson: stores.fetchJson, trustedHttpHosts: config.trustedHttpHosts };
}

function keepsDestination({ destinationId }: Connection) {
  return { destination: async () => destinationId };
}
