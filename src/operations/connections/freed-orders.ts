import type { Connection } from '../../bridge/connections/connection.ts';
import { termsOf } from '../../bridge/delivery/terms-of.ts';
import { type OrderInReview, ordersInReview } from '../../bridge/ledger/release-from-review.ts';
import { type ReviewFacts, reviewFacts } from '../../bridge/ledger/review-facts.ts';
import { canonicalText } from '../../bridge/order/canonical-text.ts';
import type { Desired } from '../../bridge/order/desired.ts';
import type { Problem } from '../../bridge/order/failure.ts';
import type { Terms } from '../../bridge/order/terms.ts';
import { asProblem } from '../../bridge/order/transition.ts';
import { wantedOf } from '../../bridge/order/wanted.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { AlikeOrders } from '../one-first.ts';

const PAGE = 500;

/**
 * The orders in review of a connection that its settings, as they are now, may free: those of the codes, but refused ones only if another record would
 * be sent than was refused. Orders of one group are paid and taxed alike.
 */
export async function freedOrders(pool: Pool, connection: Connection, codes: readonly string[]): Promise<AlikeOrders[]> {
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
      const alike = groups.get(kind);
      if (alike === undefined) groups.set(kind, [order]);
      else alike.push(order);
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
  const standing = record === null ? null : { record, complianceId: '', destinationId: '' };
  return { key: { orderId }, facts: { ...facts, customer: { kind: 'none' } }, mapping, standing, previous, backfilled };
}

function isSame(sent: TaxRecord, { record }: Extract<Desired, { kind: 'record' }>): boolean {
  return canonicalText(sent) === canonicalText(record);
}

function taxedAs({ paymentType, paymentProcessorName, currency, lineItems }: TaxRecord): string {
  const taxes = [...new Set(lineItems.map(({ vatRate, vatGroup }) => `${vatRate} ${vatGroup}`))].sort();
  return JSON.stringify([paymentType, paymentProcessorName, currency, taxes]);
}
