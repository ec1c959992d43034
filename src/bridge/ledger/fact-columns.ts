import type { Queryable } from '../../platform/postgres/postgres.ts';
import type { Facts } from '../order/facts.ts';
import { jsonText } from './json-text.ts';

/** What an amount of money looks like; what looks otherwise has no number in its column. */
const AMOUNT = /^-?[0-9]{1,20}([.][0-9]{1,10})?$/;

/**
 * The facts of an order, and the columns of its row that repeat some of them: what lists, sums and hot statements read without the facts.
 * `sold_at`: when it was paid, or else placed, ISO in UTC; `total`: decimal text, what the customer paid or has to pay; `delivered_at`: ISO.
 */
export function factColumns(facts: Omit<Facts, 'customer'>) {
  const { snapshot, paidAt } = facts;
  const { number = null, currency = null, deliveredAt = null } = snapshot ?? {};
  return {
    facts,
    number,
    sold_at: snapshot?.paidAt ?? paidAt ?? snapshot?.placedAt ?? null,
    total: snapshot !== null && AMOUNT.test(snapshot.total) ? snapshot.total : null,
    currency,
    delivered_at: deliveredAt,
  };
}

/** The columns of `factColumns` that are in the row of the order. */
const NAMES = ['number', 'sold_at', 'total', 'currency', 'delivered_at'];

/** Their list, their list of definitions for a row `x` of JSON, with the facts, and what sets those of a row of orders to those of `x`. */
export const FACT_COLUMNS = NAMES.join(', ');
export const FACTS_OF_JSON = 'facts jsonb, number text, sold_at text, total numeric, currency text, delivered_at text';
export const SET_FACT_COLUMNS = NAMES.map((name) => `${name} = x.${name}`).join(', ');

const WRITE = `with x as (select * from jsonb_to_record($2) as x(${FACTS_OF_JSON})),
    f as (update order_facts f set facts = x.facts from x where f.order_ref = $1)
  update orders o set ${SET_FACT_COLUMNS}, updated_at = now() from x where o.id = $1`;

/** Writes an order's facts. Whoever does has locked the row of the order: who locks it next reads them with a statement of its own, as they are then. */
export async function writeFacts(tx: Queryable, id: number, facts: Omit<Facts, 'customer'>): Promise<void> {
  await tx.query(WRITE, [id, jsonText(factColumns(facts))]);
}
