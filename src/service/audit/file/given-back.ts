import { z } from 'zod';
import { convertFixed, exactMoney, formatMoney, parseMoney, type TiedCurrency } from '../../../contract/money.ts';
import { recordLine } from '../../../contract/record.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { paymentCodes, returnCodes } from '../../law/audit-codes.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { accountingCurrencyOf } from '../../law/currencies.ts';
import { declaredAmounts, lessByRate, type RateAmounts, rateAmounts, totalOfRates } from '../../rates/declared-amounts.ts';
import { storedRate } from '../../rates/exchange-rate.ts';
import type { AuditRefund, MonthReturn } from '../audit-file.ts';
import type { ReportedOrder } from '../format/rule-check.ts';
import type { MonthOf } from './read-month.ts';

/** The kept row of a sale that a file lists, as it is stored with `filed_sales`. */
export const storedEntry = z.object({
  line_items: z.array(recordLine),
  currency: z.string(),
  precision: z.int(),
  accounting_currency: z.enum(['BGN', 'EUR']),
  exchange: storedRate.nullable(),
});

const stored = z.object({
  number: z.string(),
  returnedOn: z.string(),
  way: z.string(),
  amount: z.string().nullable(),
  currency: z.enum(['BGN', 'EUR']),
  soldIn: z.string(),
  declared: z.string(),
  before: z.array(rateAmounts).nullable(),
  entry: storedEntry.nullable(),
  after: z.array(rateAmounts).nullable(),
});
type StoredReturn = z.output<typeof stored>;

const storedReturns = rowsOf('compliance.returns', stored);

// The last return of a sale is the declared amount less the recorded order; null if the rate of that order is missing. What stands after a return is
// what the next one is less of.
const RETURNS = `
  select s.order_number as number, r.returned_on::text as "returnedOn", r.way, s.currency, to_char(s.month, 'YYYY-MM') as "soldIn",
    (select max(f.base) from compliance.returns f where f.sale_id = s.id)::text as declared,
    coalesce(r.amount, r.base - case when o.id is null then 0 else o.accounting_total end)::text as amount,
    r.base_by_rate as before, case when r.base_by_rate is null and (s.entry ->> 'accounting_total')::numeric = r.base then s.entry end as entry,
    case when n.id is not null then n.base_by_rate when r.amount is null and o.id is not null then compliance.by_rate_of(o) else '[]' end as after
  from compliance.returns r join compliance.filed_sales s on s.id = r.sale_id left join compliance.orders o on o.sale_id = s.id and r.amount is null
    left join lateral (select f.id, f.base_by_rate from compliance.returns f where f.sale_id = r.sale_id and f.month > r.month order by f.month limit 1) n on true
  where r.shop_id = $1 and r.month = to_date($2, 'YYYY-MM') and coalesce(r.amount, r.base - case when o.id is null then 0 else o.accounting_total end) is distinct from 0
  order by s.document_number`;

/** `withoutRate`: how many have no amount yet. `sales`: what earlier files declared of the returned orders, by number. */
export type ReturnsOfMonth = { returns: MonthReturn[]; withoutRate: number; sales: ReadonlyMap<string, ReportedOrder> };

/** The returns of a month in its accounting currency (a sale of an earlier period is converted at the fixed rate), and how many have no amount yet. */
export async function monthReturns(
  client: Queryable,
  { shopId, month, currency }: { shopId: string; month: string; currency: TiedCurrency | null },
): Promise<ReturnsOfMonth> {
  const all = await readRows(client, storedReturns, { text: RETURNS, values: [shopId, month] });
  const to = currency ?? accountingCurrencyOf(month);
  const returns = all.flatMap(({ amount, ...back }) => (amount === null ? [] : [auditReturn({ ...back, amount }, to)]));
  const sales = all.map(
    ({ number, soldIn, declared, currency: of }) =>
      [number, { month: soldIn, orderedOn: null, total: formatMoney(convertFixed(exactMoney(declared, 2), of, to), 2) }] as const,
  );
  return { returns, withoutRate: all.length - returns.length, sales: new Map(sales) };
}

function auditReturn({ number, returnedOn, way, amount, currency, before, entry, after }: StoredReturn & { amount: string }, to: TiedCurrency): MonthReturn {
  const code = returnCodes[way];
  const cents = parseMoney(amount, 2);
  if (code === undefined || cents === undefined) throw new RangeError(`a return of order ${number} can't be written (${way}, ${amount})`);
  const byRate = rateAmountsIn(givenBackByRate({ before: before ?? (entry === null ? null : entryRates(entry)), after, amount: cents }), currency, to);
  return { number, amount: formatMoney(convertFixed(cents, currency, to), 2), returnedOn, way: code.code, byRate };
}

const storedRefund = z.object({
  number: z.string().nullable(),
  at: z.string(),
  documentNumber: z.string(),
  documentedOn: z.string(),
  returnedOn: z.string(),
  payment: z.string(),
  way: z.string(),
  amount: z.string(),
  currency: z.enum(['BGN', 'EUR']),
  before: z.array(rateAmounts).nullable(),
  after: z.array(rateAmounts).nullable(),
});

const storedRefunds = rowsOf('compliance.deleted_orders', storedRefund);

// What replaced an order is recorded, or was deleted later; in another month it is a sale of that month. What was filed since is a return.
const REFUNDS = `
  with left_of as (
    select d.id, coalesce(o.accounting_total, (g.refund ->> 'total')::numeric) as total, case when o.id is null then g.refund -> 'byRate' else compliance.by_rate_of(o) end as rates
    from compliance.deleted_orders d
      left join compliance.orders o on o.id = d.replaced_by left join compliance.deleted_orders g on g.id = d.replaced_by
    where d.shop_id = $1 and d.month = to_date($2, 'YYYY-MM') and d.replaced_by is not null and coalesce(o.month, g.month) = d.month
      and coalesce(o.accounting_currency, g.currency) = d.currency
  )
  select coalesce(s.listed_as, s.internal_number) as number, d.refund ->> 'at' as at, lpad(d.document_number::text, 10, '0') as "documentNumber",
    d.document_date::text as "documentedOn", (d.deleted_at at time zone 'Europe/Sofia')::date::text as "returnedOn",
    d.refund ->> 'payment' as payment, d.refund ->> 'way' as way, d.currency, ((d.refund ->> 'total')::numeric - coalesce(l.total, 0))::text as amount,
    d.refund -> 'byRate' as before, case when l.id is null then '[]' else l.rates end as after
  from compliance.deleted_orders d left join left_of l on l.id = d.id
    left join compliance.orders s on s.merchant = d.merchant and s.document_number = d.document_number and s.shop_id = d.shop_id
  where d.shop_id = $1 and d.month = to_date($2, 'YYYY-MM') and d.sale_id is null and d.refund is not null and not (d.refund ->> 'payment' = any($3))
    and (l.id is null or l.total is not null) and (d.refund ->> 'total')::numeric > coalesce(l.total, 0)
  order by d.document_number, d.deleted_at`;

/** Money that was given back within the month of its sale: orders that were deleted, or replaced by less, before the month was closed. By document number. */
export async function monthRefunds(client: Queryable, { shopId, month, leaveOut }: MonthOf, to: TiedCurrency): Promise<AuditRefund[]> {
  const rows = await readRows(client, storedRefunds, { text: REFUNDS, values: [shopId, month, leaveOut] });
  return rows.flatMap(({ at, payment, way, amount, currency, before, after, ...refund }) => {
    const cents = exactMoney(amount, 2);
    const back = rateAmountsIn(givenBackByRate({ before, after, amount: cents }), currency, to);
    const codes = { payment: paymentCodes[payment]?.code, way: returnCodes[way]?.code };
    if (codes.payment === undefined || codes.way === undefined) return [];
    const total = formatMoney(convertFixed(cents, currency, to), 2);
    return [{ ...refund, orderedOn: sofiaDay(at), payment: codes.payment, way: codes.way, amount: total, byRate: back }];
  });
}

type Rates = readonly RateAmounts[] | null;

/** What was given back of each VAT rate: what was declared before, less what stands after. Null where one of them is not known, or is not the amount. */
function givenBackByRate({ before, after, amount }: { before: Rates; after: Rates; amount: bigint }): RateAmounts[] | null {
  if (before === null || after === null) return null;
  const back = lessByRate(before, after);
  return totalOfRates(back) === amount ? back : null;
}

/**
 * In another currency at the fixed rate. The parts add up to the converted sum: what rounding leaves over goes to the first, which has the highest rate.
 */
function rateAmountsIn(rates: Rates, from: TiedCurrency, to: TiedCurrency): readonly RateAmounts[] | null {
  if (rates === null || from === to) return rates;
  const inCents = (amount: string) => convertFixed(exactMoney(amount, 2), from, to);
  const whole = convertFixed(totalOfRates(rates), from, to);
  const parts = rates.map(({ rate, total, vat }) => ({ rate, total: inCents(total), vat: inCents(vat) }));
  const over = whole - parts.reduce((all, { total }) => all + total, 0n);
  return parts.map(({ rate, total, vat }, i) => ({ rate, total: formatMoney(i === 0 ? total + over : total, 2), vat: formatMoney(vat, 2) }));
}

/** The declared amounts of a sale by VAT rate, which were not kept with it when it was recorded; null if they can't be computed any more. */
function entryRates(entry: z.output<typeof storedEntry>): readonly RateAmounts[] | null {
  const { line_items: lineItems, currency, precision, accounting_currency: to, exchange: rate } = entry;
  return declaredAmounts({ lineItems, currency, precision }, { to, rate })?.byRate ?? null;
}
