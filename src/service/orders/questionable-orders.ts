import { z } from 'zod';
import { endedCurrencies } from '../../contract/money.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { ORDER_DAY } from '../rates/missing-rates.ts';
import { termAt } from '../term.ts';

/** Recorded orders that look wrong: why, of which currency where that is why, how many, and the numbers of the first twenty. */
const questionableOrders = z.object({
  why: z.enum(['currency-ended', 'transaction-missing', 'transaction-shared']),
  currency: z.string().nullable(),
  orders: z.int(),
  numbers: z.array(z.string()),
});
export type QuestionableOrders = z.output<typeof questionableOrders>;

const questionableRows = rowsOf('compliance.orders', questionableOrders);

const ENDED = [Object.keys(endedCurrencies), Object.values(endedCurrencies)];

const OF_MONTH = `o.shop_id = $1 and o.month = to_date($2, 'YYYY-MM')`;

const QUESTIONABLE = `
  select d.why, d.currency, count(*)::int as orders, (array_agg(d.internal_number order by d.document_number))[1:20] as numbers
  from (
    select 'currency-ended' as why, o.currency, o.internal_number, o.document_number
    from compliance.orders o join unnest($3::text[], $4::text[]) ended(currency, last_day) on ended.currency = o.currency and ${ORDER_DAY} > ended.last_day
    where ${OF_MONTH}
    union all
    select 'transaction-missing', null, o.internal_number, o.document_number
    from compliance.orders o where ${OF_MONTH} and o.payment_type = 'PAYMENT_PROCESSOR' and o.transaction_id is null
    union all
    select 'transaction-shared', null, o.internal_number, o.document_number
    from compliance.orders o where ${OF_MONTH} and o.payment_type in ('PAYMENT_PROCESSOR', 'VIRTUAL_POS') and exists (
      select from compliance.orders t
      where t.shop_id = $1 and t.transaction_id = o.transaction_id and t.payment_type in ('PAYMENT_PROCESSOR', 'VIRTUAL_POS') and t.id <> o.id)
  ) d
  group by 1, 2 order by 1, 2`;

/** Those that a month's file lists ("2026-10"), so far. */
export function questionableOrdersOf(db: Queryable, { shopId, month }: { shopId: string; month: string }): Promise<QuestionableOrders[]> {
  return readRows(db, questionableRows, { text: QUESTIONABLE, values: [shopId, month, ...ENDED] });
}

const endedOrders = z.object({ month: z.string(), currency: z.string(), orders: z.int() });
export type EndedOrders = z.output<typeof endedOrders>;

const endedRows = rowsOf('compliance.orders', endedOrders);

// The condition of the index orders_in_ended_currency.
const INDEXED = `o.month >= '2026-02-01' and o.currency in (${ENDED[0]?.map((code) => `'${code}'`).join(', ')})`;

const IN_ENDED = `
  select to_char(o.month, 'YYYY-MM') as month, o.currency, count(*)::int as orders
  from compliance.orders o join unnest($1::text[], $2::text[]) ended(currency, last_day) on ended.currency = o.currency and ${ORDER_DAY} > ended.last_day
  where ${INDEXED} and o.month >= $3 and o.shop_id not in (select s.id from compliance.shops s where s.test)
    and not exists (select from compliance.audit_months a where a.shop_id = o.shop_id and a.month = o.month and a.state = 'filed')
  group by 1, 2 order by 1, 2`;

/** Orders in a currency that had ended when they were made, by month; of months that can be filed and are not. Test shops count for nothing. */
export function ordersInEndedCurrency(db: Queryable, now: Date): Promise<EndedOrders[]> {
  return readRows(db, endedRows, { text: IN_ENDED, values: [...ENDED, termAt(now).firstOpen] });
}

/** What only the database knows of a recorded order: another one of its shop that the same payment paid, and that its currency is in no sheet of the bank. */
export const orderDoubts = z.object({ twin: z.string().nullable(), hasNoRates: z.boolean() });
export type OrderDoubts = z.output<typeof orderDoubts>;

/** An `orderDoubts`, as an expression; `id`: the column with the order's id. */
export function doubtsOf(id: string): string {
  return `(select json_build_object('twin', d.twin, 'hasNoRates', coalesce(d.has_no_rates, false)) from compliance.order_doubts(${id}) d)`;
}
