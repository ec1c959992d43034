import { z } from 'zod';
import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import { storeOrders } from '../../bridge/ledger/orders/store-orders.ts';
import { type Backfill, beginBackfill, endBackfill, keepBackfill, unfinishedBackfill } from '../../bridge/ledger/sync/sync-store.ts';
import { takenIn } from '../../bridge/order/decisions/desired.ts';
import { currentResolution, wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { compareSummary } from '../../bridge/reconciliation/compare-summary.ts';
import type { Money } from '../../bridge/reconciliation/difference.ts';
import { paidByList } from '../../bridge/reconciliation/order-findings.ts';
import { handOverWhole, type ReadableStore } from '../../bridge/reconciliation/read-page.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { OrderSummary } from '../../bridge/storefronts/store-reader.ts';
import { decimalsOf, formatMoney, parseMoney } from '../../contract/money.ts';
import type { Authorship } from '../../platform/audit-log/audit-log.ts';
import { Refusal } from '../refusal.ts';
import { fileMonth, readRecords } from './read-records.ts';
import { listedPages } from './read-store.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

/** Orders sold from `from` until before `until`; ISO instants. */
export type BackfillInput = { from: string; until: string; onRead(count: number): void };

/**
 * `months`: of one file and one currency each. `recorded`: how many of them the compliance service has already; null: it does not list them. `goesOn`: how
 * many an unfinished run took in before. `recordFrom`: what it becomes; null: it stays.
 */
export const backfillPlan = z.object({
  orders: z.int(),
  months: z.array(z.object({ month: z.string(), currency: z.string(), orders: z.int(), total: z.string() })),
  ...{ recorded: z.int().nullable(), goesOn: z.int().nullable(), recordFrom: z.string().nullable() },
});
export type BackfillPlan = z.output<typeof backfillPlan>;

export type BackfillDeps = ReconcileDeps & {
  /** Orders count from an earlier moment on. */
  moveRecordFrom(connectionId: string, recordFrom: string, said: Authorship): Promise<unknown>;
};

/** For pauses of a store; who waits longer gives the command again. */
const TIMEOUT_MS = 150_000;

/** What a backfill would take in. Reads only. Refuses while a service that lists its records can’t be read: it may have some of them already. */
export async function planBackfill(deps: BackfillDeps, connection: Connection, input: BackfillInput): Promise<BackfillPlan> {
  const store = await opened(deps, connection);
  const { from, until } = input;
  await mustShow(store, from);
  const unfinished = await unfinishedBackfill(deps.pool, { connectionId: connection.id, from, until });
  const recordedIds = await recordedAlready(deps, connection, input);
  const orders = new Map<string, { month: string; money: Money }>();
  const monthOfSale = await fileMonth(deps, connection);
  for await (const { summaries } of listedPages(store, { since: input.from, after: null })) {
    for (const summary of await wanting(deps, { connection, input }, summaries)) {
      const money = paidByList(summary, takenIn(connection));
      if (money !== null) orders.set(summary.orderId, { month: monthOfSale(summary.createdAt ?? summary.soldAt), money });
    }
    input.onRead(orders.size);
  }
  const recorded = recordedIds && [...orders.keys()].filter((id) => recordedIds.has(id)).length;
  return { orders: orders.size, months: byMonth([...orders.values()]), recorded, goesOn: unfinished?.taken ?? null, recordFrom: movedTo(connection, input) };
}

/** Takes the orders in, page by page; a run that was broken off goes on where it was. Returns how many were handed over, and what could not be read whole. */
export async function runBackfill(deps: BackfillDeps, connection: Connection, input: BackfillInput): Promise<{ taken: number; unread: string[] }> {
  const store = await opened(deps, connection);
  const { from, until } = input;
  let state: Backfill = await beginBackfill(deps.pool, { connectionId: connection.id, from, until }, { by: deps.by });
  const unread = new Set<string>();
  // Pages may overlap, and the recorder may not have come to what was handed over.
  const met = new Set<string>();
  for await (const { summaries, next } of listedPages(store, { since: from, after: state.after })) {
    const sought = (await wanting(deps, { connection, input }, summaries)).flatMap(({ orderId }) => (met.has(orderId) ? [] : [{ orderId, placedAt: null }]));
    const handed = await handOverWhole(deps, store, { sought, wasDeleted: () => false, takenIn: true });
    for (const { orderId } of sought) met.add(orderId);
    for (const orderId of handed.unread) unread.add(orderId);
    state = { ...state, after: next, taken: state.taken + handed.handed };
    if (next !== null) await keepBackfill(deps.pool, state);
    input.onRead(state.taken);
  }
  const earlier = movedTo(connection, input);
  if (earlier !== null) await deps.moveRecordFrom(connection.id, earlier, { by: deps.by });
  await endBackfill(deps.pool, state.id);
  return { taken: state.taken, unread: [...unread] };
}

/** Orders count from `from` on if all since then were taken in. */
function movedTo({ recordFrom }: Connection, { from, until }: BackfillInput): string | null {
  return Date.parse(from) < Date.parse(recordFrom) && Date.parse(recordFrom) <= Date.parse(until) ? from : null;
}

async function opened(deps: BackfillDeps, connection: Connection): Promise<ReadableStore> {
  refuseTrial(connection);
  const store = await deps.openStore(connection, TIMEOUT_MS);
  if (store !== null) return store;
  throw new Refusal('conflict', {
    en: `the store of ${connection.id} can’t be read: there is no key of its API, or it lists no orders`,
    bg: `магазинът на ${connection.id} не може да бъде прочетен: няма ключ за неговия API или той не показва поръчки`,
    advice: `give its address and key with \`orderbridge reconnect ${connection.id}\``,
  });
}

// Nothing of it would be recorded, and its start takes in what its store has.
function refuseTrial({ id, name, trialSince }: Connection): void {
  if (trialSince === null) return;
  const said = {
    en: `${name} is on trial since ${trialSince}: nothing of it is recorded`,
    bg: `${name} е в проба от ${trialSince}: нищо от него не се записва`,
  };
  throw new Refusal('conflict', { ...said, advice: `\`orderbridge start-recording ${id} --from DATE\` takes in what was paid since then` });
}

// An order that is hidden would be left out without a word, and `recordFrom` would say that it is in.
async function mustShow(store: ReadableStore, from: string): Promise<void> {
  const since = (await store.showsSince?.()) ?? null;
  if (since === null || Date.parse(since) <= Date.parse(from)) return;
  throw new Refusal('conflict', {
    en: `orders placed before ${since} are hidden from the key of the store’s API`,
    bg: `поръчки отпреди ${since} не се виждат с ключа за API на магазина`,
    advice: { en: 'give a key with the right to all orders, or a later day', bg: 'дайте ключ с право върху всички поръчки или по-късен ден' },
  });
}

type Wanting = { connection: Connection; input: BackfillInput };

/** Of a page: the paid orders of the window that the ledger does not know, left out because of the time of their payment, or needs no record of by older facts. */
async function wanting(deps: BackfillDeps, { connection, input: { from, until } }: Wanting, summaries: readonly OrderSummary[]): Promise<OrderSummary[]> {
  const inside = summaries.filter((summary) => {
    const sold = Date.parse(summary.soldAt);
    return Date.parse(from) <= sold && sold < Date.parse(until) && summary.lifecycle !== 'trashed' && paidByList(summary, takenIn(connection)) !== null;
  });
  const decided = new Set<string>();
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  const platformIds = inside.map(({ orderId }) => orderId);
  const known = await deps.knownSummaries(connection, platformIds);
  const stale = new Set(inside.flatMap((one) => (compareSummary(one, known.get(one.orderId) ?? []) === 'known' ? [] : [one.orderId])));
  for await (const page of storeOrders(deps.pool, connection, { platformIds })) {
    for (const order of page) {
      const wanted = wantedOf(order, terms);
      // What a person said of it stays.
      const isOutdated = stale.has(order.platformId) && currentResolution(order) === null;
      const isLeftOut = wanted.kind === 'nothing' && (wanted.why === 'before-record-from' || wanted.why === 'disconnected' || isOutdated);
      if (!isLeftOut) decided.add(order.platformId);
    }
  }
  return inside.filter(({ orderId }) => !decided.has(orderId));
}

/** The ids under which the service has records of these months already; null: it lists none. */
async function recordedAlready(deps: BackfillDeps, connection: Connection, { from, until }: BackfillInput): Promise<Set<string> | null> {
  const read = await readRecords(deps, connection, { from, to: until, month: null });
  if (!('why' in read)) return new Set([...read.records.values()].map(({ internalId }) => internalId));
  if (!read.isFailure) return null;
  throw new Refusal('unavailable', {
    en: `which of these orders are recorded already can’t be said: ${read.why.en}`,
    bg: `не може да се каже кои от тези поръчки вече са записани: ${read.why.bg}`,
    advice: 'give the same command when it answers again',
  });
}

function byMonth(orders: readonly { month: string; money: Money }[]): BackfillPlan['months'] {
  const groups = Map.groupBy(orders, ({ month, money }) => `${month} ${money.currency}`);
  const months = [...groups.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined) return [];
    const { currency } = first.money;
    const total = own.reduce((sum, { money }) => sum + (parseMoney(money.total, decimalsOf(currency)) ?? 0n), 0n);
    return [{ month: first.month, currency, orders: own.length, total: formatMoney(total, decimalsOf(currency)) }];
  });
  return months.toSorted((a, b) => a.month.localeCompare(b.month) || a.currency.localeCompare(b.currency));
}
