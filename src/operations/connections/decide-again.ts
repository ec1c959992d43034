import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import { curedCodes, type SettingsInput } from '../../bridge/connections/connection-settings.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { reevaluate } from '../../bridge/ledger/orders/pending-orders.ts';
import { type OrderInReview, ordersInReview } from '../../bridge/ledger/review/release-from-review.ts';
import { type ReviewFacts, reviewFacts } from '../../bridge/ledger/review/review-groups.ts';
import type { Desired } from '../../bridge/order/decisions/desired.ts';
import { asProblem } from '../../bridge/order/decisions/transition.ts';
import { wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { canonicalText } from '../../bridge/order/facts/canonical-text.ts';
import type { Problem } from '../../bridge/order/facts/failure.ts';
import type { Terms } from '../../bridge/order/facts/settings.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { type Actor, PROGRAM } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FirstTry, type NotReleased, releaseOneFirst, type SimilarOrders } from '../one-first.ts';

/** What changed of a connection. `span`: which orders count by the time of their payment. */
type Changed = {
  connection: Connection;
  settings: SettingsInput | null;
  span: boolean;
  storeApi: boolean;
  why?: string | undefined;
  /** The orders in review that the settings may free, if that was looked up already. */
  freed?: readonly SimilarOrders[];
};

/** `by`: who changed it; not given: the program. `firstTry` null: no order goes first; not given: one does, for a minute. */
type Deps = { pool: Pool; notify: Notify; by?: Actor; firstTry?: FirstTry | null };

/** `released` counts the orders that waited for a person; `notReleased` is absent if all were. */
export type DecidedAgain = { released: number; notReleased?: readonly NotReleased[] };

const WAIT_MS = 60_000;

/** Decides again about the orders that a change of their connection may cure. */
export async function decideAgain(deps: Deps, { connection, settings, span, storeApi, why, freed }: Changed): Promise<DecidedAgain> {
  const { pool, notify, by = PROGRAM, firstTry = { waitMs: WAIT_MS } } = deps;
  const { id } = connection;
  const answered = storeApi ? await reevaluate(pool, { waitsForStoreOf: id }) : [];
  // Settings also say which orders count, and from when: those that the old ones left out are decided again.
  const leftOut = settings !== null || span ? await reevaluate(pool, { unrecordedOf: id }) : [];
  notify([...answered, ...leftOut]);
  if (settings === null) return { released: 0 };
  const groups = freed ?? (await freedOrders(pool, connection, curedCodes(settings)));
  const endsAtRefusal = { isOutdated: (order: OrderInReview) => isOutdated(pool, connection, order) };
  const { released, notReleased } = await releaseOneFirst({ pool, notify }, { groups, by, why, firstTry, endsAtRefusal });
  return { released: released.length, ...(notReleased.length === 0 ? {} : { notReleased }) };
}

const PAGE = 500;

/**
 * The orders in review of a connection that its settings, as they are now, may free: those of the codes, but refused ones only if another record would
 * be sent than was refused. Orders of one group are paid and taxed alike.
 */
export async function freedOrders(pool: Pool, connection: Connection, codes: readonly string[]): Promise<SimilarOrders[]> {
  const review = await ordersInReview(pool, { codes, connectionId: connection.id });
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  const groups = new Map<string, OrderInReview[]>();
  for (let from = 0; from < review.length; from += PAGE) {
    const page = review.slice(from, from + PAGE);
    const known = new Map(
      (
        await reviewFacts(
          pool,
          page.map(({ id }) => id),
        )
      ).map((facts) => [facts.id, facts]),
    );
    for (const order of page) {
      const kind = kindOf(order, known.get(order.id), terms);
      if (kind === null) continue;
      const similar = groups.get(kind);
      if (similar === undefined) groups.set(kind, [order]);
      else similar.push(order);
    }
  }
  return [...groups.values()].map((orders) => ({ connectionId: connection.id, orders }));
}

/** Was the record that was sent last made with other settings than the connection has now? */
export async function isOutdated(pool: Pool, connection: Connection, { id }: Pick<OrderInReview, 'id'>): Promise<boolean> {
  const [facts] = await reviewFacts(pool, [id]);
  if (facts === undefined || facts.sent === null) return false;
  const wanted = wantedOf(decidable(facts), termsOf(connection, storefrontOf(storefronts, connection.platform)));
  return wanted.kind === 'record' && !isSame(facts.sent, wanted);
}

/** By what an order's new record may be refused; null: the settings change nothing of what was refused, or asked. */
function kindOf({ code }: OrderInReview, facts: ReviewFacts | undefined, terms: Terms): string | null {
  if (facts === undefined) return 'unreadable';
  const wanted = wantedOf(decidable(facts), terms);
  if (wanted.kind === 'problems') return isAsked(asProblem(wanted.problems), { code, detail: facts.detail }) ? null : wanted.kind;
  if (wanted.kind !== 'record') return wanted.kind;
  return code === 'compliance.refused' && facts.sent !== null && isSame(facts.sent, wanted) ? null : taxedAs(wanted.record);
}

function isAsked(problem: Problem, asked: { code: string; detail: string | null }): boolean {
  return problem.code === asked.code && problem.detail === asked.detail;
}

function decidable({ orderId, facts, mapping, record, previous, backfilled }: ReviewFacts): Parameters<typeof wantedOf>[0] {
  const current = record === null ? null : { record, complianceId: '', destinationId: '' };
  return { key: { orderId }, facts: { ...facts, customer: { kind: 'none' } }, mapping, current, previous, backfilled };
}

function isSame(sent: TaxRecord, { record }: Extract<Desired, { kind: 'record' }>): boolean {
  return canonicalText(sent) === canonicalText(record);
}

function taxedAs({ paymentType, paymentProcessorName, currency, lineItems }: TaxRecord): string {
  const taxes = [...new Set(lineItems.map(({ vatRate, vatGroup }) => `${vatRate} ${vatGroup}`))].sort();
  return JSON.stringify([paymentType, paymentProcessorName, currency, taxes]);
}
