import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '../connections/connection.ts';
import type { Store, StoreCalls } from '../delivery/store-calls.ts';
import { Failure, type StoredCode } from '../order/facts/failure.ts';
import type { FetchJson, StoreAccess, Storefront, StoreMeans } from '../storefronts/contract.ts';
import { refusalIn, type StoreDenial, type StoreRefusal } from '../storefronts/store-failure.ts';
import { calledStore } from '../storefronts/store-host.ts';
import type { Subscription, Subscriptions } from '../storefronts/store-reader.ts';
import { type Evaluated, evaluateSubscriptions, type Repairs, type SubscriptionProblem, sameAddress, subscriptionWords } from './evaluate-subscriptions.ts';
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

/** `repair`: what is repaired: nothing, what needs no question, or all of it; `remove`: all that deliver here are removed instead. `allTopics`: those that are good to have must be there, too. */
export type WatchOrder = { repair: 'nothing' | 'itself' | 'all' | 'remove'; allTopics?: boolean; signal: AbortSignal };

/** `stopped`: why not all of it was repaired. `before`: what was known to be wrong. `denial`: who can mend it; null: that is not known. */
export type WatchResult =
  | ({ kind: 'watched'; before: KeptProblem[]; repaired: string[]; stopped: string | null } & Evaluated)
  | { kind: 'not-listed'; code: StoredCode; detail: string; denial: StoreDenial | null };

/** How long a process may be silent that looks after webhooks: one call, and more than that. */
export const LEASE_MS = 2 * 60_000;
const EVERY_MS = 60 * 60_000;
const SOON_MS = 10 * 60_000;
const LEAST_MS = 60_000;

/** Lists the webhooks of a store, repairs what may be repaired, and keeps what is wrong. */
export async function watchStore(deps: WatchDeps, { watch, store }: { watch: Watch; store: WatchedStore }, order: WatchOrder): Promise<WatchResult> {
  const { ledger } = deps;
  const round: Round = { deps, watch, store, order, address: deps.addressOf(store.connection) };
  const listed = await list(round);
  if (listed.kind !== 'done') return notListed(round, listed);
  await deps.accessWorks(store.connection.id);
  const found = await evaluate(round, listed.value);
  const repairing = await repair(round, found);
  const again = repairing === null || repairing.repaired.length === 0 ? listed : await list(round);
  const after = again.kind === 'done' ? await evaluate(round, again.value) : found;
  const missed = await missedSince(ledger, { watch, connection: store.connection, found: found.problems, after: after.problems });
  if (missed !== null) await ledger.wantWindow(watch.connectionId, missed);
  await ledger.end(watch, {
    nextMs: EVERY_MS,
    listedAt: new Date((again.kind === 'done' ? again : listed).value.at).toISOString(),
    found: after.ours,
    problems: kept(after.problems),
  });
  return { kind: 'watched', before: watch.problems, repaired: repairing?.repaired ?? [], stopped: repairing?.stopped ?? null, ...after };
}

type Round = { deps: WatchDeps; watch: Watch; store: WatchedStore; order: WatchOrder; address: string | null };
/** `at`: ms since 1970, before the store was called. */
type Listed = { at: number; subscriptions: Subscription[] };

function list(round: Round): Promise<Called<Listed>> {
  const { deps, store } = round;
  return call(round, {
    writes: false,
    run: async (fetchJson) => {
      const at = deps.now();
      return { at, subscriptions: await store.subscriptions.list(store.access, await deps.means(store.connection, fetchJson)) };
    },
  });
}

function call<T>({ deps, store: { connection, access }, order }: Round, one: SubscriptionCall<T>): Promise<Called<T>> {
  const store = calledStore(connection.id, access);
  return callForSubscriptions(deps.stores, store, { ...one, signal: order.signal });
}

async function evaluate({ deps, watch, store, address, order }: Round, { at, subscriptions: listed }: Listed): Promise<Evaluated> {
  const { connection, storefront, subscriptions } = store;
  const can = (topic: string) => subscriptions.topics?.includes(topic) !== false;
  const configured = await deps.configuredOf(connection);
  const mine = (topic: string) => can(topic) && configured?.includes(topic) !== true;
  const also = (storefront.alsoTopics ?? []).filter(mine);
  const topics = storefront.topics.filter(mine);
  return evaluateSubscriptions(listed, {
    connectionId: connection.id,
    address,
    appAddress: deps.appAddressOf(connection),
    topics: order.allTopics === true ? [...topics, ...also] : topics,
    alsoTopics: order.allTopics === true ? [] : also,
    configured: (configured ?? []).filter(can),
    // What an app's configuration has is known: what it lacks is in the list, or missing.
    // Who asks for them to be made has given other keys, or sees that none comes: a second one does no harm.
    hidesOthers: subscriptions.hidesOthers === true && configured === null && order.repair !== 'all',
    accepted: await deps.ledger.accepted(connection.id),
    since: watch.since,
    missedAt: await deps.ledger.missedAt(connection.id),
    now: at,
  });
}

/** Null: nothing is to be repaired here. */
async function repair(round: Round, { ours, problems }: Evaluated): Promise<Awaited<ReturnType<typeof repairSubscriptions>> | null> {
  const { deps, watch, store, order, address } = round;
  const mends = (by: Repairs) => (by === 'itself' && order.repair !== 'nothing') || (by === 'request' && order.repair === 'all');
  const wanted = order.repair === 'remove' ? removals(ours, address) : problems.filter(({ repairs }) => mends(repairs));
  if (address === null || wanted.length === 0) return null;
  const { ledger } = deps;
  const { connection, access, subscriptions } = store;
  if (order.repair === 'itself' && !(await ledger.mayChange(connection.id))) return { repaired: [], stopped: subscriptionWords.refused, isRefused: true };
  const repairing: RepairingStore = {
    subscriptions,
    access,
    address,
    call: (one) => call(round, one),
    means: (fetchJson) => deps.means(connection, fetchJson),
    secret: () => ledger.repairingSecret(connection.id, () => subscriptions.newSecret()),
    // What is wrong is kept before it is repaired: after a crash the next run knows that something was missed.
    goOn: () => ledger.keep(watch, kept(problems), LEASE_MS),
  };
  const repaired = await repairSubscriptions(repairing, wanted);
  await ledger.noteRefused(connection.id, repaired.isRefused);
  return repaired;
}

/** Another server of ours may have webhooks of the same connection: those are not this one's to remove. */
function removals(ours: readonly Subscription[], address: string | null): ToRepair[] {
  return ours.flatMap((one) => (address !== null && sameAddress(one.address, address) ? { topic: one.topic, creates: false, ids: [one.id] } : []));
}

async function notListed({ deps, watch, store }: Round, failed: Exclude<Called<Listed>, { kind: 'done' }>): Promise<WatchResult> {
  const { code, refusal, until } = failed.kind === 'failed' ? failed : { code: 'storefront.refused' as const, refusal: null, until: null };
  // Anyone who reads the store ends it when that works.
  if (refusal !== null && store.subscriptions.showsAccess === true) await deps.noteStoreApi(watch.connectionId, refusal);
  const wait = until === null ? SOON_MS : Date.parse(until) - deps.now();
  await deps.ledger.end(watch, { nextMs: Math.min(Math.max(wait, LEAST_MS), EVERY_MS), error: `${code}: ${failed.detail}` });
  return { kind: 'not-listed', code, detail: failed.detail, denial: refusal?.denial ?? null };
}

function kept(problems: readonly SubscriptionProblem[]): KeptProblem[] {
  return problems.map(({ topic, kind, words, repairs }) => ({ topic, kind, words, repairs }));
}

/** The webhooks of one store, and how it is called for them. */
type RepairingStore = {
  subscriptions: Subscriptions;
  access: StoreAccess;
  /** Where webhooks must go. */
  address: string;
  call<T>(call: SubscriptionCall<T>): Promise<Called<T>>;
  means(fetchJson: FetchJson): Promise<StoreMeans>;
  /** A secret that is live already when this resolves. */
  secret(): Promise<string>;
  /** Before each step; false: another process looks after them by now. */
  goOn(): Promise<boolean>;
};

/** `stopped`: why the rest was not repaired; null: all was. `isRefused`: the key may not change webhooks. */
type Repairing = { repaired: string[]; stopped: string | null; isRefused: boolean };

type ToRepair = Pick<SubscriptionProblem, 'topic' | 'creates' | 'ids'>;

/**
 * Repairs webhooks topic by topic: creates a new one, then removes those that it replaces. An old one is never activated again, because the store goes
 * on counting its failures. After a crash between any two steps, one webhook more than needed is left at most.
 */
async function repairSubscriptions(store: RepairingStore, problems: readonly ToRepair[]): Promise<Repairing> {
  const repaired: string[] = [];
  const secret = store.subscriptions.hasSecrets && problems.some(({ creates }) => creates) ? await store.secret() : null;
  for (const problem of problems) {
    const stopped = await repairTopic(store, problem, secret);
    if (stopped !== null) return { repaired, ...stopped };
    repaired.push(problem.topic);
  }
  return { repaired: [...new Set(repaired)], stopped: null, isRefused: false };
}

type Stopped = Pick<Repairing, 'isRefused'> & { stopped: string };

/** Null: it is repaired. */
async function repairTopic(store: RepairingStore, { topic, creates, ids }: ToRepair, secret: string | null): Promise<Stopped | null> {
  const { subscriptions, access, address, means } = store;
  const steps: ((fetchJson: FetchJson) => Promise<unknown>)[] = [
    ...(creates ? [async (fetchJson: FetchJson) => subscriptions.create(access, { topic, address, secret }, await means(fetchJson))] : []),
    ...ids.map((id) => async (fetchJson: FetchJson) => subscriptions.remove(access, id, await means(fetchJson))),
  ];
  for (const run of steps) {
    if (!(await store.goOn())) return { stopped: subscriptionWords.otherProcess, isRefused: false };
    const called = await store.call({ writes: true, run });
    if (called.kind === 'refused') return { stopped: subscriptionWords.mayNotChange(called.detail), isRefused: true };
    if (called.kind === 'failed') return { stopped: subscriptionWords.failed(called.code, called.detail), isRefused: false };
  }
  return null;
}

type Seen = {
  watch: Watch;
  connection: Pick<Connection, 'createdAt'>;
  /** What was wrong when the store was listed, and what is now. */
  found: readonly SubscriptionProblem[];
  after: readonly SubscriptionProblem[];
};

/** What was sent shortly before may have been lost as well. */
const MARGIN_MS = 10 * 60_000;

/**
 * From when on orders may have been missed, if webhooks of a topic work again, or the store tried to deliver one that did not come; null: nothing
 * new is known to be missed. The last good moment is that of the last list without a problem, else of the last delivery.
 */
async function missedSince(ledger: WatchLedger, { watch, connection, found, after }: Seen): Promise<{ since: string; why: string } | null> {
  const broken = new Set(after.filter(loses).map(({ topic }) => topic));
  const repaired = [...watch.problems, ...found].filter((one) => loses(one) && !broken.has(one.topic));
  const known = new Set(watch.problems.map(({ words }) => words));
  const lost = after.filter(({ kind, words }) => kind === 'not-arriving' && !known.has(words));
  const topics = [...new Set([...repaired, ...lost].map(({ topic }) => topic))];
  if (topics.length === 0) return null;
  const good = watch.goodAt ?? (await ledger.lastArrived(watch.connectionId, topics)) ?? connection.createdAt;
  const since = new Date(Date.parse(good) - MARGIN_MS).toISOString();
  return { since, why: `webhooks did not come: ${topics.join(', ')}` };
}

/** Whether orders are missed meanwhile. */
function loses({ kind }: Pick<KeptProblem, 'kind'>): boolean {
  return kind !== 'left-over';
}

/**
 * What became of a call for webhooks. `refused`: the key may not do that, though it works. `refusal`: the store was called just now, and refused.
 * `until`: when it may be called again, ISO; null: soon.
 */
type Called<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; detail: string }
  | { kind: 'failed'; code: StoredCode; detail: string; refusal: StoreRefusal | null; until: string | null };

type SubscriptionCall<T> = { writes: boolean; run(fetchJson: FetchJson): Promise<T> };

const FULL_MS = 500;
const FULL_ATTEMPTS = 40;

/** Calls a store for its webhooks. A key that may only read is refused as a value: it would pause what reads with it. */
async function callForSubscriptions<T>(stores: StoreCalls, store: Store, call: SubscriptionCall<T> & { signal: AbortSignal }): Promise<Called<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const end = await stores.call(store, (fetchJson) => unlessRefused(call, fetchJson), call.signal);
    if (end.kind === 'read') return end.value;
    if (end.kind === 'paused') return { kind: 'failed', code: end.pause.code, detail: end.pause.detail, refusal: null, until: end.pause.until };
    if (end.kind === 'failed') return { kind: 'failed', ...wordsOf(end.failure), refusal: refusalIn(end.failure), until: end.pause?.until ?? null };
    if (attempt === FULL_ATTEMPTS)
      return { kind: 'failed', code: 'storefront.unreachable', detail: 'it was busy with other calls', refusal: null, until: null };
    await pause(FULL_MS, undefined, { signal: call.signal });
  }
}

async function unlessRefused<T>({ writes, run }: SubscriptionCall<T>, fetchJson: FetchJson): Promise<Called<T>> {
  try {
    return { kind: 'done', value: await run(fetchJson) };
  } catch (thrown) {
    if (!writes || !(thrown instanceof Failure) || thrown.code !== 'storefront.refused') throw thrown;
    return { kind: 'refused', detail: wordsOf(thrown).detail };
  }
}

function wordsOf({ code, message }: Failure): { code: StoredCode; detail: string } {
  return { code, detail: message.slice(`${code}: `.length) };
}
