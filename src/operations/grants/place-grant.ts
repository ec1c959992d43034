import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { wasShort } from '../../bridge/connections/new-connection.ts';
import type { AppStore, StoredApp } from '../../bridge/ledger/apps/app-store.ts';
import { unfinishedWays, wayOfConnection } from '../../bridge/ledger/apps/grant-request-store.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { addInvitation } from '../../bridge/ledger/invitations/invitation-store.ts';
import type { StoreTokens } from '../../bridge/store-api/store-means.ts';
import type { AppClient } from '../../bridge/storefronts/app-grant.ts';
import type { AccessToken, StoreAccess } from '../../bridge/storefronts/contract.ts';
import { digestOf } from '../../bridge/storefronts/hmac.ts';
import type { StoreProblem, VerifiedCredentials } from '../../bridge/storefronts/onboarding.ts';
import { storeHost } from '../../bridge/storefronts/store-host.ts';
import { type Actor, PROGRAM } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { hashOf } from '../../platform/token-hash.ts';
import { connectStore } from '../connections/connect-store.ts';
import { reconnectStore } from '../connections/reconnect-store.ts';
import type { AttachDeps } from '../onboarding/attach-store.ts';
import { mailboxOf } from '../onboarding/confirm-company.ts';
import { keptStore, sealStore } from '../onboarding/kept-store.ts';
import { ChangedMeanwhile, carryMailbox, findNewest, newOnboardingLink, type Onboarding, saveNewest } from '../onboarding/onboarding.ts';
import { foundStore } from '../onboarding/store.ts';
import { type KeysDeps, takeKeys } from '../onboarding/store-keys.ts';
import { makeWebhooks } from '../onboarding/webhooks.ts';
import { newToken } from '../people/sessions.ts';
import { Refusal } from '../refusal.ts';

export type PlaceDeps = Omit<AttachDeps & KeysDeps, 'connections' | 'fetchJson' | 'trustedHttpHosts'> &
  Pick<Parameters<typeof makeWebhooks>[0], 'stores'> & {
    connections: AttachDeps['connections'] & KeysDeps['connections'] & { findByStore(platform: string, store: string): Promise<Connection[]> };
    apps: Pick<AppStore, 'find' | 'list'>;
    tokens: StoreTokens;
    /** Keeps what goes on behind an answer. */
    background(work: Promise<unknown>): void;
  };

/**
 * What a merchant approved at their store, which was asked who it is. `lacking`: scopes that were asked for and not granted. `keptFor`: the connection that has
 * the token already; null: none has. `onboarding`: of their link.
 */
type Approval = {
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
 * way: they go on by the link of this token, shown once; null: by their own. connected: the store is connected, and has no pages of a merchant. taken: it is
 * connected by another way than that of their link. problem: what keeps the store from being used.
 */
export type Placed = { kind: 'way'; token: string | null } | { kind: 'connected' | 'taken'; store: string } | { kind: 'problem'; problem: StoreProblem };

const DAYS = 14;
/** Anyone who opens the app at the store gets another link each time. */
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
  // Another window of theirs may have connected the store meanwhile.
  const onboarding = given.onboarding === null ? null : await findNewest(deps, given.onboarding.id);
  const approval = { ...given, keptFor, onboarding };
  if (live !== undefined && onboarding !== null && onboarding.connectionId !== live.id) return { kind: 'taken', store };
  if (live !== undefined) return goOn(deps, { approval, connection: live });
  const away = known.find((one) => one.app === app.id && wasShort(one, new Date().toISOString()));
  const isTheirs = onboarding === null || onboarding.connectionId === away?.id;
  const back = away === undefined || !isTheirs ? null : await reopened(deps, { approval, connection: away });
  return back === null ? placeUnconnected(deps, approval) : goOn(deps, { approval: { ...approval, keptFor: back.id }, connection: back });
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
  await reconnectStore({ ...storeDeps(deps), compliance: keepsDestination(connection), firstTry: null, by }, connection, changes);
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
      { ...storeDeps(deps), compliance: keepsDestination(connection), firstTry: null, by },
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

/** A store without a connection: its merchant has approved, and goes on with their company. */
async function placeUnconnected(deps: PlaceDeps, approval: Approval): Promise<Placed> {
  const way = await wayFor(deps, approval);
  return keepOnWay(deps, { approval, way });
}

function storeDeps({ pool, connections, notify, stores, config }: PlaceDeps) {
  return { pool, connections, notify, fetchJson: stores.fetchJson, trustedHttpHosts: config.trustedHttpHosts };
}

function keepsDestination({ destinationId }: Connection) {
  return { destination: async () => destinationId };
}

const MOST_TRIES = 5;

/** `token`: of a link that was made for them; null: they go on by their own. */
type OnboardingLink = { onboarding: Onboarding; token: string | null };

/** The way on which the merchant of a store without a connection goes on with their company. `onboarding` with a connection: that one was disconnected. */
async function wayFor(deps: PlaceDeps, { app, access, onboarding }: Approval): Promise<OnboardingLink> {
  if (onboarding !== null && onboarding.connectionId === null) return { onboarding, token: null };
  // Anyone who approved is of the store. Whether they are of the company that it had, their next step asks.
  const [begun] = await unfinishedWays(deps.pool, { url: access.url, app: app.id });
  if (begun === undefined) return newWay(deps, { app, access, onboarding });
  return { onboarding: await findNewest(deps, begun), token: await newOnboardingLink(deps, { id: begun }, { scope: { kind: 'all' }, days: DAYS }) };
}

async function newWay(deps: PlaceDeps, { app, access: { url }, onboarding: before }: Pick<Approval, 'app' | 'access' | 'onboarding'>): Promise<OnboardingLink> {
  const token = newToken();
  const mailTo = before === null ? null : mailboxOf(before);
  const given = { who: PROGRAM, email: null, mailTo, lang: before?.lang ?? null, shopId: null, destinationId: null, app: app.id };
  const made = await addInvitation(deps.pool, { ...given, days: DAYS, token: hashOf(token) });
  if (before !== null && mailTo !== null) await carryMailbox(deps, before, { to: made.id, address: mailTo });
  const found = { kind: 'address', typed: new URL(url).host, url, home: url, name: null, canHandOver: false, notes: [], mayWrite: null, version: null };
  return { onboarding: await saveNewest(deps, made.id, () => ({ step: 'store', progress: found, platform: app.platform })), token };
}

/** Keeps what was approved for their way, unless they have chosen another store since, in another window: then their choice leads on. */
async function keepOnWay(deps: PlaceDeps, { approval, way: { onboarding, token } }: { approval: Approval; way: OnboardingLink }): Promise<Placed> {
  const by: Actor = `merchant:${onboarding.id}`;
  const taken = await takeGranted(deps, { approval, onboarding, by });
  if (taken !== null && !taken.ok) return { kind: 'problem', problem: taken.problem };
  if (taken !== null) await announceGranted(deps, { approval, by });
  await share(deps, approval);
  return { kind: 'way', token };
}

type Taking = { approval: Approval; onboarding: Onboarding; by: Actor };

/** Null: there is nothing to keep it for. */
async function takeGranted(deps: PlaceDeps, { approval, onboarding, by }: Taking): Promise<VerifiedCredentials | null> {
  const { access, app, identity, client, token, lacking } = approval;
  const notes = lacking.length === 0 ? [] : [{ code: 'scopes.fewer' as const, data: { to: lacking.join(', ') } }];
  const given = { url: access.url, credentials: { app: app.id }, by, granted: { token, identity, client, notes } };
  for (let tries = 1, newest = onboarding; isTheirs(newest, access.url); tries += 1, newest = await findNewest(deps, newest.id)) {
    try {
      return await takeKeys(deps, newest, given);
    } catch (thrown) {
      if (!(thrown instanceof ChangedMeanwhile) || tries >= MOST_TRIES) throw thrown;
    }
  }
  return null;
}

/** Their way is open, and is of this store still. */
function isTheirs(onboarding: Onboarding, url: string): boolean {
  return onboarding.revokedAt === null && foundStore(onboarding)?.url === url;
}

/** New tokens end those before: the other open ways to this store, as of a merchant who was invited twice, have them, too. */
async function share({ pool, sealer }: PlaceDeps, { access: { url }, app, token }: Approval): Promise<void> {
  for (const id of await unfinishedWays(pool, { url, app: app.id })) {
    await saveNewest({ pool }, id, (newest) => {
      const kept = newest.revokedAt === null && newest.connectionId === null ? keptStore(sealer, newest) : null;
      if (kept?.granted === undefined || kept.access?.url !== url || kept.access['app'] !== app.id) return null;
      return kept.granted.token.token === token.token ? null : { sealed: sealStore(sealer, id, { ...kept, granted: { ...kept.granted, token } }) };
    });
  }
}

type GrantAct = { approval: Pick<Approval, 'app' | 'store'>; by: Actor; connectionId?: string };

/** Tells the audit log of an approval, once what it gave is kept. */
function announceGranted({ pool }: { pool: Pool }, { approval: { app, store }, by, connectionId }: GrantAct): Promise<void> {
  const after = { store, scopes: 'granted' };
  return writeBridgeActs(pool, [{ who: by, act: 'store.granted', subject: app.id, after, ...(connectionId === undefined ? {} : { connectionId }) }]);
}
