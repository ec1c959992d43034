import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import { newestOrders } from '../../bridge/ledger/orders/left-out-orders.ts';
import { type Desired, type NothingReason, takenIn } from '../../bridge/order/decisions/desired.ts';
import { wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { type Facts, isBasket, noFacts } from '../../bridge/order/facts/facts.ts';
import { Failure } from '../../bridge/order/facts/failure.ts';
import { factsOf } from '../../bridge/order/facts/merge.ts';
import { missingOf } from '../../bridge/order/facts/missing.ts';
import { canonicalRate, type Terms } from '../../bridge/order/facts/settings.ts';
import type { Money } from '../../bridge/reconciliation/difference.ts';
import { moneyOf } from '../../bridge/reconciliation/order-findings.ts';
import type { WatchDeps } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { FetchJson } from '../../bridge/storefronts/contract.ts';
import type { StoreInspection } from '../../bridge/storefronts/onboarding.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import { denialOf, type StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import { toDto } from '../../contract/order-dto.ts';
import { fetchWithTimeout } from '../../operations/connections/verify-credentials.ts';
import { type OrderSources, orderSources } from '../../operations/order-detail/order-sources.ts';
import { sumWords } from '../../operations/orders/sum-words.ts';
import { AnswerCache } from '../../platform/answer-cache.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

/**
 * What a store says of itself; null: it can't be asked. `orders`: its last ones, of so many `days`, or those that came as webhooks. `failed`: it
 * should have said it, and why it did not.
 */
export type InspectedStore = { inspection: Omit<StoreInspection, 'orders'> | null; orders: SeenOrder[]; days: number; failed: InspectionFailed | null };

/** Why a store did not say what it should: `refused`, its key; the others as they are called there. */
type InspectionFailed = 'refused' | 'unreachable' | Exclude<StoreDenial, 'key'>;

type InspectionDeps = { pool: Pool; stores: { fetchJson: FetchJson; watch: Pick<WatchDeps, 'means'> }; now(): Date };

const USUAL_DAYS = 30;
const MOST = 200;
const DAY_MS = 86_400_000;
const LONGEST_MS = 40_000;
const KEPT_MS = 10 * 60_000;
/** Pages that renew themselves look at a store that fails no more often. */
const FAILED_MS = 15_000;

/** What stores said, for a few minutes: each page of a merchant is about it, and asking takes many requests. In memory alone, and without the buyers. */
export type Inspections = { of(deps: InspectionDeps, connection: Connection, options?: { again: boolean }): Promise<InspectedStore> };

export function openInspections(now: () => number): Inspections {
  const kept = new AnswerCache<InspectedStore>({ size: 50, freshMs, now });
  return {
    of: (deps, connection, { again } = { again: false }) => {
      if (again) kept.forget(connection.id);
      return kept.get(connection.id, () => inspectOrders(deps, connection));
    },
  };
}

function freshMs({ inspection, failed }: InspectedStore): number {
  if (failed !== null) return FAILED_MS;
  return inspection === null ? 0 : KEPT_MS;
}

/** Asks a store for its settings and its orders of the last weeks; where it can't be asked, those that came are taken. Records nothing. */
async function inspectOrders(deps: InspectionDeps, connection: Connection): Promise<InspectedStore> {
  const { inspectStore, inspectionDays: days = USUAL_DAYS } = storefrontOf(storefronts, connection.platform).onboarding ?? {};
  if (inspectStore === undefined || connection.access === null) return { inspection: null, orders: await cameFor(deps, connection), days, failed: null };
  const now = deps.now().getTime();
  const means = await deps.stores.watch.means(connection, fetchWithTimeout(deps.stores.fetchJson, LONGEST_MS));
  try {
    const { orders, ...said } = await inspectStore(connection.access, means, { since: new Date(now - days * DAY_MS).toISOString(), most: MOST });
    const at = new Date(now).toISOString();
    return {
      inspection: said,
      orders: orders.map((news) => ({ orderId: news.orderId, facts: { ...factsOf(news, at), customer: noFacts.customer } })),
      ...{ days, failed: null },
    };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { inspection: null, orders: await cameFor(deps, connection), days, failed: failedBy(thrown) };
  }
}

function failedBy(failure: Failure): InspectionFailed {
  const denial = denialOf(failure);
  if (denial !== null && denial !== 'key') return denial;
  return failure.code === 'storefront.refused' ? 'refused' : 'unreachable';
}

async function cameFor({ pool }: InspectionDeps, { id }: Connection): Promise<SeenOrder[]> {
  return (await newestOrders(pool, id, MOST)).map(({ platformId, facts }) => ({ orderId: platformId, facts }));
}

/** An order as the store has it. */
type SeenOrder = { orderId: string; facts: Facts };

/** What would become of an order. `isRounded`: its lines miss its total by what rounding explains; before it is recorded, they are read with all their decimals. */
type Fate =
  | { order: SeenOrder; is: 'recorded'; money: Money; isRounded: boolean }
  | { order: SeenOrder; is: 'left-out'; why: NothingReason }
  | { order: SeenOrder; is: 'stopped'; code: string };

/**
 * What would be recorded of orders by today's settings, if the store were not on trial. `orders`: all that should be recorded. `stopped`: those about
 * which a person would be asked, by code. `leftOut`: the others, by why.
 */
export type DryRun = {
  orders: number;
  recorded: number;
  sum: string | null;
  stopped: { code: string; orders: number; numbers: string[] }[];
  leftOut: { why: NothingReason; orders: number }[];
  rounded: number;
};

const MOST_NAMED = 3;

export function runDry(orders: readonly SeenOrder[], connection: Connection): DryRun {
  const terms = termsIfStarted(connection);
  const fates = orders.map((order) => fateOf(order, terms));
  const recorded = fates.filter((fate) => fate.is === 'recorded');
  const stopped = fates.filter((fate) => fate.is === 'stopped');
  const leftOut = fates.filter((fate) => fate.is === 'left-out');
  return {
    orders: recorded.length + stopped.length,
    recorded: recorded.length,
    sum: sumWords(recorded.map(({ money }) => money)),
    stopped: [...Map.groupBy(stopped, ({ code }) => code)].map(([code, of]) => {
      return { code, orders: of.length, numbers: of.slice(0, MOST_NAMED).map(({ order }) => order.facts.snapshot?.number ?? order.orderId) };
    }),
    leftOut: [...Map.groupBy(leftOut, ({ why }) => why)].map(([why, of]) => ({ why, orders: of.length })),
    rounded: recorded.filter(({ isRounded }) => isRounded).length,
  };
}

/** The terms of a connection as they will be for orders that count. */
function termsIfStarted(connection: Connection): Terms {
  return takenIn({ ...termsOf(connection, storefrontOf(storefronts, connection.platform)), onTrial: false });
}

function fateOf(order: SeenOrder, terms: Terms): Fate {
  const wanted = wantedFor(order, terms);
  if (wanted.kind === 'record') return { order, is: 'recorded', money: moneyOf(wanted.record), isRounded: missingOf(order.facts)?.exact === true };
  if (wanted.kind === 'nothing') return { order, is: 'left-out', why: wanted.why };
  return { order, is: 'stopped', code: wanted.problems[0].code };
}

/** What should be recorded of it; the buyer plays no part. */
function wantedFor({ orderId, facts }: SeenOrder, terms: Terms): Desired {
  const known = { ...facts, customer: noFacts.customer };
  return wantedOf({ key: { orderId }, facts: known, mapping: null, current: null, previous: null, backfilled: true }, terms);
}

/** An order that is not paid, and on its way to the customer. `isSaid`: the store itself says that it is paid on delivery. */
type InTransit = { gateways: readonly string[]; status: string; isSaid: boolean };

/** How many orders that could be recorded have this rate in a line, or were paid through this gateway, or are in this status; and those on their way. */
export type Seen = {
  rates: ReadonlyMap<string, number>;
  gateways: ReadonlyMap<string, number>;
  statuses: ReadonlyMap<string, number>;
  inTransit: readonly InTransit[];
};

export function seenIn(orders: readonly SeenOrder[]): Seen {
  const inTransit: InTransit[] = [];
  const seen = { rates: new Map<string, number>(), gateways: new Map<string, number>(), statuses: new Map<string, number>(), inTransit };
  for (const { facts } of orders) {
    const { snapshot } = facts;
    if (snapshot === null || snapshot.test || isBasket(snapshot)) continue;
    count(seen.rates, new Set(snapshot.lines.map(({ vatRate }) => canonicalRate(vatRate))));
    count(seen.gateways, new Set([...snapshot.gateways, ...Object.values(facts.transactions).map(({ gateway }) => gateway)]));
    count(seen.statuses, new Set([snapshot.status]));
    const isSaid = snapshot.payment === 'on-delivery';
    if (isSaid || (snapshot.payment === 'unpaid' && snapshot.onItsWay === true))
      inTransit.push({ gateways: snapshot.gateways, status: snapshot.status, isSaid });
  }
  return seen;
}

function count(into: Map<string, number>, values: ReadonlySet<string>): void {
  for (const value of values) into.set(value, (into.get(value) ?? 0) + 1);
}

/** An order that came as a webhook. `sum`: what would be recorded; null: nothing, and `code` or `why` says why. */
export type ArrivedOrder = { number: string; at: string | null; sum: string | null; code: string | null; why: NothingReason | null };

const SHOWN = 5;

/** The newest orders that came, the newest first, and what would become of them. */
export async function receivedOrders({ pool }: { pool: Pool }, connection: Connection): Promise<ArrivedOrder[]> {
  const terms = termsIfStarted(connection);
  return (await newestOrders(pool, connection.id, SHOWN)).map(({ platformId, facts }): ArrivedOrder => {
    const wanted = wantedFor({ orderId: platformId, facts }, terms);
    return {
      number: facts.snapshot?.number ?? platformId,
      at: facts.snapshotSeenAt,
      sum: wanted.kind === 'record' ? sumWords([moneyOf(wanted.record)]) : null,
      code: wanted.kind === 'problems' ? wanted.problems[0].code : null,
      why: wanted.kind === 'nothing' ? wanted.why : null,
    };
  });
}

/** An order line by line beside what would be recorded of it. `code`: why a person would be asked; null: nobody would be. */
export type DryRunOrder = { number: string; placedAt: string; sources: OrderSources; code: string | null };

/** The newest of these orders that should be recorded, the recordable ones first; null: none should be. `orders`: the newest first. */
export function newestDryRun(orders: readonly SeenOrder[], connection: Connection): DryRunOrder | null {
  const terms = termsIfStarted(connection);
  const all = orders.map((order) => ({ order, wanted: wantedFor(order, terms) }));
  const chosen = all.find(({ wanted }) => wanted.kind === 'record') ?? all.find(({ wanted }) => wanted.kind === 'problems');
  if (chosen === undefined) return null;
  const { order, wanted } = chosen;
  const { snapshot } = order.facts;
  const record = wanted.kind === 'record' ? toDto(wanted.record, null, connection.shopId) : null;
  return {
    number: snapshot?.number ?? order.orderId,
    placedAt: snapshot?.placedAt ?? '',
    // As if it stood, so that only the store and the record are compared.
    sources: orderSources(order, { desired: record === null ? { kind: 'problems', problems: [] } : { kind: 'record', record }, record, state: 'ignored' }),
    code: wanted.kind === 'problems' ? wanted.problems[0].code : null,
  };
}
