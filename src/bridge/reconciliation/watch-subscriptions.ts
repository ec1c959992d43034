import type { Said } from '../../contract/said.ts';
import type { Connection } from '../connections/connection.ts';
import type { StoreCalls } from '../delivery/store-calls.ts';
import type { StoredCode } from '../order/failure.ts';
import type { FetchJson, StoreAccess, Storefront, StoreMeans } from '../storefronts/contract.ts';
import type { StoreDenial, StoreRefusal } from '../storefronts/store-failure.ts';
import { storeHost } from '../storefronts/store-host.ts';
import type { Subscription, Subscriptions } from '../storefronts/store-reader.ts';
import { type HealingStore, healSubscriptions, type ToHeal } from './heal-subscriptions.ts';
import { type Heals, type Judged, judgeSubscriptions, type SubscriptionProblem, sameAddress } from './judge-subscriptions.ts';
import { missedSince } from './missed-since.ts';
import { type Called, callForSubscriptions, type SubscriptionCall } from './subscription-calls.ts';
import { subscriptionWords } from './subscription-words.ts';
import type { KeptProblem, Watch, WatchLedger } from './watch-ledger.ts';

export type WatchDeps = {
  ledger: WatchLedger;
  stores: StoreCalls;
  means(connection: Connection, fetchJson: FetchJson): Promise<StoreMeans>;
  /** Where the webhooks of a connection must go; null: that is not known here. */
  addressOf(connection: Connection): string | null;
  /** The address for all stores of its app; null: there is none. */
  appAddressOf(connection: Connection): string | null;
  /** The topics that its app's configuration subscribes to, which no list shows; null: it came by no app, or that is not known here. */
  configuredOf(connection: Connection): Promise<readonly string[] | null>;
  /** Keeps a warning on the connection that its store's API refuses us. */
  noteStoreApi(connectionId: string, refusal: StoreRefusal): Promise<void>;
  /** A call of the store's API worked. */
  accessWorks(connectionId: string): Promise<void>;
  /** ms since 1970 */
  now(): number;
};

/** A store whose webhooks can be listed. */
export type WatchedStore = { connection: Connection; access: StoreAccess; storefront: Storefront; subscriptions: Subscriptions };

/** `heal`: what is healed: nothing, what needs no question, or all of it; `remove`: all that deliver here are removed instead. `allTopics`: those that are good to have must be there, too. */
export type WatchOrder = { heal: 'nothing' | 'itself' | 'all' | 'remove'; allTopics?: boolean; signal: AbortSignal };

/** `stopped`: why not all of it was healed. `before`: what was known to be wrong. `denial`: who can mend it; null: that is not known. */
export type Watched =
  | ({ kind: 'watched'; before: KeptProblem[]; healed: string[]; stopped: Said | null } & Judged)
  | { kind: 'not-listed'; code: StoredCode; detail: string; denial: StoreDenial | null };

/** How long a process may be silent that looks after webhooks: one call, and more than that. */
export const HELD_MS = 2 * 60_000;
const EVERY_MS = 60 * 60_000;
const SOON_MS = 10 * 60_000;
const LEAST_MS = 60_000;

/** Lists the webhooks of a store, heals what may be healed, and keeps what is wrong. */
export async function watchStore(deps: WatchDeps, { watch, store }: { watch: Watch; store: WatchedStore }, order: WatchOrder): Promise<Watched> {
  const { ledger } = deps;
  const look: Look = { deps, watch, store, order, address: deps.addressOf(store.connection) };
  const listed = await list(look);
  if (listed.kind !== 'done') return notListed(look, listed);
  await deps.accessWorks(store.connection.id);
  const found = await judge(look, listed.value);
  const healing = await heal(look, found);
  const again = healing === null || healing.healed.length === 0 ? listed : await list(look);
  const after = again.kind === 'done' ? await judge(look, again.value) : found;
  const missed = await missedSince(ledger, { watch, connection: store.connection, found: found.problems, after: after.problems });
  if (missed !== null) await ledger.wantWindow(watch.connectionId, missed);
  await ledger.end(watch, {
    nextMs: EVERY_MS,
    listedAt: new Date((again.kind === 'done' ? again : listed).value.at).toISOString(),
    found: after.ours,
    problems: kept(after.problems),
  });
  return { kind: 'watched', before: watch.problems, healed: healing?.healed ?? [], stopped: healing?.stopped ?? null, ...after };
}

type Look = { deps: WatchDeps; watch: Watch; store: WatchedStore; order: WatchOrder; address: string | null };
/** `at`: ms since 1970, before the store was called. */
type Listed = { at: number; subscriptions: Subscription[] };

function list(look: Look): Promise<Called<Listed>> {
  const { deps, store } = look;
  return call(look, {
    writes: false,
    run: async (fetchJson) => {
      const at = deps.now();
      return { at, subscriptions: await store.subscriptions.list(store.access, await deps.means(store.connection, fetchJson)) };
    },
  });
}

function call<T>({ deps, store: { connection, access }, order }: Look, one: SubscriptionCall<T>): Promise<Called<T>> {
  const store = { host: storeHost(access.url) ?? access.url, connectionId: connection.id };
  return callForSubscriptions(deps.stores, store, { ...one, signal: order.signal });
}

async function judge({ deps, watch, store, address, order }: Look, { at, subscriptions: listed }: Listed): Promise<Judged> {
  const { connection, storefront, subscriptions } = store;
  const can = (topic: string) => subscriptions.topics?.includes(topic) !== false;
  const configured = await deps.configuredOf(connection);
  const mine = (topic: string) => can(topic) && configured?.includes(topic) !== true;
  const also = (storefront.alsoTopics ?? []).filter(mine);
  const topics = storefront.topics.filter(mine);
  return judgeSubscriptions(listed, {
    connectionId: connection.id,
    address,
    appAddress: deps.appAddressOf(connection),
    topics: order.allTopics === true ? [...topics, ...also] : topics,
    alsoTopics: order.allTopics === true ? [] : also,
    configured: (configured ?? []).filter(can),
    // What an app's configuration has is known: what it lacks is in the list, or missing.
    // Who asks for them to be made has given other keys, or sees that none comes: a second one does no harm.
    hidesOthers: subscriptions.hidesOthers === true && configured === null && order.heal !== 'all',
    accepted: await deps.ledger.accepted(connection.id),
    since: watch.since,
    missedAt: await deps.ledger.missedAt(connection.id),
    now: at,
  });
}

/** Null: nothing is to be healed here. */
async function heal(look: Look, { ours, problems }: Judged): Promise<Awaited<ReturnType<typeof healSubscriptions>> | null> {
  const { deps, watch, store, order, address } = look;
  const mends = (by: Heals) => (by === 'itself' && order.heal !== 'nothing') || (by === 'request' && order.heal === 'all');
  const wanted = order.heal === 'remove' ? removals(ours, address) : problems.filter(({ heals }) => mends(heals));
  if (address === null || wanted.length === 0) return null;
  const { ledger } = deps;
  const { connection, access, subscriptions } = store;
  if (order.heal === 'itself' && !(await ledger.mayChange(connection.id))) return { healed: [], stopped: subscriptionWords.refused, isRefused: true };
  const healing: HealingStore = {
    subscriptions,
    access,
    address,
    call: (one) => call(look, one),
    means: (fetchJson) => deps.means(connection, fetchJson),
    secret: () => ledger.healingSecret(connection.id, () => subscriptions.newSecret()),
    // What is wrong is kept before it is healed: after a crash the next run knows that something was missed.
    goOn: () => ledger.keep(watch, kept(problems), HELD_MS),
  };
  const healed = await healSubscriptions(healing, wanted);
  await ledger.noteRefused(connection.id, healed.isRefused);
  return healed;
}

/** Another server of ours may have webhooks of the same connection: those are not this one's to remove. */
function removals(ours: readonly Subscription[], address: string | null): ToHeal[] {
  return ours.flatMap((one) => (address !== null && sameAddress(one.address, address) ? { topic: one.topic, creates: false, ids: [one.id] } : []));
}

async function notListed({ deps, watch, store }: Look, failed: Exclude<Called<Listed>, { kind: 'done' }>): Promise<Watched> {
  const { code, refusal, until } = failed.kind === 'failed' ? failed : { code: 'storefront.refused' as const, refusal: null, until: null };
  // Whoever reads the store ends it when that works.
  if (refusal !== null && store.subscriptions.showsAccess === true) await deps.noteStoreApi(watch.connectionId, refusal);
  const wait = until === null ? SOON_MS : Date.parse(until) - deps.now();
  await deps.ledger.end(watch, { nextMs: Math.min(Math.max(wait, LEAST_MS), EVERY_MS), error: `${code}: ${failed.detail}` });
  return { kind: 'not-listed', code, detail: failed.detail, denial: refusal?.denial ?? null };
}

function kept(problems: readonly SubscriptionProblem[]): KeptProblem[] {
  return problems.map(({ topic, kind, words, heals }) => ({ topic, kind, words: words.en, heals }));
}
