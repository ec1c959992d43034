import type { Connection } from '../../bridge/connections/connection.ts';
import { type UntaxedShare, untaxedShares, type WaitingStatus, waitingSince } from '../../bridge/ledger/connections/connection-signs.ts';
import type { KnownTraffic } from '../../bridge/ledger/deliveries/traffic-store.ts';
import type { StoreReadState } from '../../bridge/ledger/sync/sync-store.ts';
import type { UnreadOrders } from '../../bridge/ledger/sync/unread-orders.ts';
import type { WatchState } from '../../bridge/ledger/sync/watch-store.ts';
import { type FailureCode, failureWords } from '../../bridge/order/facts/failure.ts';
import type { KeptProblem } from '../../bridge/reconciliation/watch-ledger.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { ownValue } from '../../contract/own-value.ts';
import { counted, form } from '../../contract/plural.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { settingsWarnings } from './show-settings.ts';

const LONG_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;
/** The newest records of a connection that are looked at, and how many of them say something. */
const SAMPLE = 50;
const ENOUGH = 10;

/** What the orders of living connections, taken together, tell a merchant, and what its settings do: warnings by the connection's id. `now` in ms since 1970. */
export async function orderWarnings(pool: Pool, connections: readonly Connection[], now: number): Promise<ReadonlyMap<string, string[]>> {
  const living = connections.filter(({ closedAt }) => closedAt === null);
  const ids = living.map(({ id }) => id);
  const [waiting, untaxed] = await Promise.all([waitingSince(pool, ids, new Date(now - LONG_DAYS * DAY_MS).toISOString()), untaxedShares(pool, ids, SAMPLE)]);
  const settings = await settingsWarnings(pool, living);
  const waitingOf = Map.groupBy(waiting, ({ connectionId }) => connectionId);
  const shareOf = new Map(untaxed.map((one) => [one.connectionId, one]));
  const ofOrders = (one: Connection) => warningsOf(one, { waiting: waitingOf.get(one.id) ?? [], share: shareOf.get(one.id) });
  return new Map(living.map((one) => [one.id, [...ofOrders(one), ...(settings.get(one.id) ?? []).map(({ en }) => en)]]));
}

function warningsOf({ platform }: Connection, { waiting, share }: { waiting: readonly WaitingStatus[]; share: UntaxedShare | undefined }): string[] {
  const { knowsStatus } = storefrontOf(storefronts, platform);
  const foreign = waiting.filter(({ status }) => knowsStatus?.(status) === false);
  const isUntaxed = share !== undefined && share.recorded >= ENOUGH && share.untaxed >= share.recorded * 0.9;
  return [...(foreign.length === 0 ? [] : [waitingWords(foreign)]), ...(isUntaxed ? [untaxedWords(share)] : [])];
}

function waitingWords(statuses: readonly WaitingStatus[]): string {
  const count = statuses.reduce((all, { orders }) => all + orders, 0);
  const names = statuses.map(({ status }) => `“${status}”`).join(', ');
  const [orders, where, them] = [counted.en(count, 'order has', 'orders have'), ...(statuses.length === 1 ? ['status', 'it'] : ['statuses', 'them'])];
  return `${orders} been waiting in the ${where} ${names} for more than ${LONG_DAYS} days; if they are paid then, add ${them} to paidStatuses`;
}

function untaxedWords({ untaxed, recorded }: UntaxedShare): string {
  return `${untaxed} of the last ${recorded} recorded orders are at 0 % VAT; if the store calculates no taxes although its prices contain VAT, set pricesContainVat`;
}

/** From so many on, it is no accident. */
const NO_ACCIDENT = 3;
/** A disconnected store that ended its webhooks is not warned about for ever. */
const STILL_MS = 7 * 24 * 60 * 60 * 1000;

/** What a person should know of webhooks that are refused one after the other. `now` in ms since 1970. */
export function deliveryWarnings({ id, closedAt }: Pick<Connection, 'id' | 'closedAt'>, traffic: KnownTraffic | undefined, now: number): string[] {
  if (traffic === undefined || traffic.refusedInARow < NO_ACCIDENT || traffic.lastRefused === null) return [];
  const { refusedCode, refusedInARow, lastRefused, lastAccepted } = traffic;
  const code = refusedCode ?? '';
  if (closedAt !== null && (code !== 'connection.closed' || Date.parse(lastRefused) < now - STILL_MS)) return [];
  const since = lastAccepted === null ? 'none was ever accepted' : `the last accepted one was at ${lastAccepted}`;
  const count = `the last ${refusedInARow} webhooks were refused, the newest at ${lastRefused}; ${since}`;
  return [`${code}: ${count}. ${wordsFor(code).replaceAll('CONNECTION', id)} \`orderbridge deliveries ${id} --refused\` lists them`];
}

function wordsFor(code: string): string {
  const { means, todo } = failureWords(code);
  return ownValue<string>(words, code) ?? `${means} ${todo}`;
}

const words = {
  'signature.mismatch':
    'The store signs with another secret than this connection has: copy the secret of its webhooks, and give it with `orderbridge rotate-secret CONNECTION --secret prompt`. ' +
    'If it is the same, something between changes the body, such as a proxy or a security plugin.',
  'signature.missing': 'The store sends its webhooks without a signature: set a secret in each of its webhooks, the one that this connection has.',
  'signature.expired': 'The store’s clock is wrong, or its webhooks are delayed for more than 5 minutes on their way: correct its clock (NTP).',
  'body.incomplete': 'Webhooks break off on their way: look at the proxy in front of orderbridge, its limits and its log.',
  'body.encoded': 'Webhooks come compressed: turn that off at the sender, or in the proxy in front of orderbridge.',
  'body.not-json': 'Webhooks are signed, but their body is not JSON: choose JSON as their format in the store.',
  'body.wrong-type': 'Webhooks are signed, but their content type is not application/json: choose JSON as their format in the store.',
  'connection.closed': 'The store was disconnected, and still sends: delete its webhooks there, or connect it again with `orderbridge connect`.',
  'intake.unavailable':
    'Neither the queue nor the database took them: `orderbridge doctor` checks both. Platforms that give up after a few attempts switch their webhooks off.',
} satisfies Partial<Record<FailureCode, string>>;

/** What a person should know of the webhooks of a live connection's store. `wrong`: some do not come at all. `remarks`: worth knowing. */
type SubscriptionWarnings = { wrong: string[]; remarks: string[] };

export function subscriptionWarnings({ id, closedAt }: Pick<Connection, 'id' | 'closedAt'>, state: WatchState | undefined): SubscriptionWarnings {
  if (state === undefined || closedAt !== null) return { wrong: [], remarks: [] };
  const { problems, error } = state;
  const similar = Map.groupBy(problems, ({ words }) => words);
  const all = [...similar.values()].flatMap((of) => {
    const [first] = of;
    if (first === undefined) return [];
    const topics = of.map(({ topic }) => topic).join(', ');
    return [{ kind: first.kind, words: `webhooks of ${topics}: ${first.words}; \`orderbridge subscriptions ${id}\` says what to do` }];
  });
  const isRemark = ({ kind }: Pick<KeptProblem, 'kind'>) => kind === 'left-over' || kind === 'not-arriving';
  const wrong = all.filter((one) => !isRemark(one)).map(({ words }) => words);
  const remarks = all.filter(isRemark).map(({ words }) => words);
  return { wrong, remarks: error === null ? remarks : [...remarks, `its webhooks can’t be listed (${error})`] };
}

/** What a person should know of orders that their store lists and that could not be read whole. */
export function unreadWarnings(unread: UnreadOrders | undefined): string[] {
  if (unread === undefined) return [];
  const { count, since, numbers } = unread;
  const [many, them] = count === 1 ? ['1 order', 'it'] : [`${count} orders`, 'them'];
  const named = `${numbers.join(', ')}${count > numbers.length ? ', …' : ''}`;
  return [
    `${many} of its store could not be read whole, the first since ${since} (${named}): what changed of ${them} is not known here, and every day it is retried; look at ${them} in the store, and save ${them} there, so that a webhook tells of ${them}`,
  ];
}

/** How a store is read by its API. Instants in ISO 8601; null: never. */
export type LastStoreRead = {
  /** What changed in the store until then is known here. */
  watermark: string | null;
  /** When all changes had been read the last time. */
  readAt: string | null;
  /** When anything was read to its end the last time, such as a window that somebody wanted. */
  lastReadAt: string | null;
  lastSyncRun: StoreReadState['last'];
  /** Paid orders that no webhook announced, and that were found by reading; when the last of them was. */
  missed: { count: number; last: string | null };
};

type Clock = { now: number; periodMs: number };

/** How long it is worth a warning that webhooks were missed. */
const RECENT_MS = 3 * 86_400_000;

/** The reading of a connection's store, and what is wrong with it, as sentences. */
export function storeRead(
  { closedAt, createdAt }: Pick<Connection, 'closedAt' | 'createdAt'>,
  state: StoreReadState | undefined,
  { now, periodMs }: Clock,
): { read: LastStoreRead | null; warnings: string[] } {
  if (state === undefined) return { read: null, warnings: [] };
  const { watermark, readAt, last, missed, missedAt } = state;
  const endedAt = last?.error === null ? last.at : null;
  const lastReadAt = (endedAt ?? '') > (readAt ?? '') ? endedAt : readAt;
  const read = { watermark, readAt, lastReadAt, lastSyncRun: last, missed: { count: missed, last: missedAt } };
  if (closedAt !== null) return { read, warnings: [] };
  const unread = unreadStore({ closedAt, createdAt }, state, { now, periodMs });
  const isMissed = missedAt !== null && now - Date.parse(missedAt) < RECENT_MS;
  return { read, warnings: [...(unread === null ? [] : [unread.words]), ...(isMissed ? [missedWords(missed, missedAt)] : [])] };
}

/** Since when (ISO instant) the store of a live connection was not read, for two periods, or as what is being read of it does not go on; null: it was, or can't be. */
export function unreadStore(
  { closedAt, createdAt }: Pick<Connection, 'closedAt' | 'createdAt'>,
  state: StoreReadState | undefined,
  { now, periodMs }: Clock,
): { since: string; words: string } | null {
  if (state === undefined || closedAt !== null) return null;
  const { readAt, addedAt, warning } = state;
  const since = readAt ?? (addedAt > createdAt ? addedAt : createdAt);
  if (now - Date.parse(since) > 2 * periodMs) return { since, words: unreadWords(state, { since, now }) };
  return warning === null ? null : { since, words: `its orders are read slowly by its API: ${warning}` };
}

function unreadWords(state: StoreReadState, { since, now }: { since: string; now: number }): string {
  const { readAt } = state;
  const what = readAt === null ? `its orders were never read by its API since ${since}` : `its orders were last read by its API at ${since}`;
  return `${what} (${whyUnread(state, now)}); an order whose webhook is lost stays unknown until they are`;
}

function whyUnread({ warning, last, nextAt, isLeased }: StoreReadState, now: number): string {
  const why = warning ?? last?.error;
  if (why != null) return why;
  if (isLeased) return 'a worker reads it now';
  return Date.parse(nextAt) > now ? `the next reading is at ${nextAt}` : `it is due since ${nextAt}: is a worker running?`;
}

function missedWords(count: number, last: string): string {
  return `webhooks did not tell of ${count} paid order${form.en(count, '', 's')}, which were found by reading the store, the last at ${last}: look at the webhooks in the store`;
}
