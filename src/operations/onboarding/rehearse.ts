import type { Connection } from '../../bridge/connections/connection.ts';
import type { Desired, NothingReason } from '../../bridge/order/desired.ts';
import { type Facts, noFacts } from '../../bridge/order/facts.ts';
import { takenIn } from '../../bridge/order/fiscal-settings.ts';
import { isBasket } from '../../bridge/order/is-basket.ts';
import { missingOf } from '../../bridge/order/missing.ts';
import type { Terms } from '../../bridge/order/terms.ts';
import { canonicalRate } from '../../bridge/order/vat-groups.ts';
import { wantedOf } from '../../bridge/order/wanted.ts';
import type { Money } from '../../bridge/reconciliation/difference.ts';
import { moneyOf } from '../../bridge/reconciliation/order-words.ts';
import { sumWords } from '../orders/sum-words.ts';
import { termsOf } from '../reconciliation/sightings.ts';

/** An order as the store has it. */
export type SeenOrder = { orderId: string; facts: Facts };

/** What would become of an order. `isRounded`: its lines miss its total by what rounding explains; before it is recorded, they are read with all their decimals. */
type Fate =
  | { order: SeenOrder; is: 'recorded'; money: Money; isRounded: boolean }
  | { order: SeenOrder; is: 'left-out'; why: NothingReason }
  | { order: SeenOrder; is: 'stopped'; code: string };

/**
 * What would be recorded of orders by today's settings, if the store were not on trial. `orders`: all that should be recorded. `stopped`: those about
 * which a person would be asked, by code. `leftOut`: the others, by why.
 */
export type Rehearsal = {
  orders: number;
  recorded: number;
  sum: string | null;
  stopped: { code: string; orders: number; numbers: string[] }[];
  leftOut: { why: NothingReason; orders: number }[];
  rounded: number;
};

const MOST_NAMED = 3;

export function rehearse(orders: readonly SeenOrder[], connection: Connection): Rehearsal {
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
export function termsIfStarted(connection: Connection): Terms {
  return takenIn({ ...termsOf(connection), onTrial: false });
}

function fateOf(order: SeenOrder, terms: Terms): Fate {
  const wanted = wantedFor(order, terms);
  if (wanted.kind === 'record') return { order, is: 'recorded', money: moneyOf(wanted.record), isRounded: missingOf(order.facts)?.exact === true };
  if (wanted.kind === 'nothing') return { order, is: 'left-out', why: wanted.why };
  return { order, is: 'stopped', code: wanted.problems[0].code };
}

/** What should be recorded of it; the buyer plays no part. */
export function wantedFor({ orderId, facts }: SeenOrder, terms: Terms): Desired {
  const known = { ...facts, customer: noFacts.customer };
  return wantedOf({ key: { orderId }, facts: known, mapping: null, standing: null, previous: null, backfilled: true }, terms);
}

/** An order that is not paid, and on its way to the customer. `isSaid`: the store itself says that it is paid on delivery. */
type OnTheWay = { gateways: readonly string[]; status: string; isSaid: boolean };

/** How many orders that could be recorded have this rate in a line, or were paid through this gateway, or are in this status; and those on their way. */
export type Seen = {
  rates: ReadonlyMap<string, number>;
  gateways: ReadonlyMap<string, number>;
  statuses: ReadonlyMap<string, number>;
  onTheWay: readonly OnTheWay[];
};

export function seenIn(orders: readonly SeenOrder[]): Seen {
  const onTheWay: OnTheWay[] = [];
  const seen = { rates: new Map<string, number>(), gateways: new Map<string, number>(), statuses: new Map<string, number>(), onTheWay };
  for (const { facts } of orders) {
    const { snapshot } = facts;
    if (snapshot === null || snapshot.test || isBasket(snapshot)) continue;
    count(seen.rates, new Set(snapshot.lines.map(({ vatRate }) => canonicalRate(vatRate))));
    count(seen.gateways, new Set([...snapshot.gateways, ...Object.values(facts.transactions).map(({ gateway }) => gateway)]));
    count(seen.statuses, new Set([snapshot.status]));
    const isSaid = snapshot.payment === 'on-delivery';
    if (isSaid || (snapshot.payment === 'unpaid' && snapshot.onItsWay === true))
      onTheWay.push({ gateways: snapshot.gateways, status: snapshot.status, isSaid });
  }
  return seen;
}

function count(into: Map<string, number>, values: ReadonlySet<string>): void {
  for (const value of values) into.set(value, (into.get(value) ?? 0) + 1);
}
