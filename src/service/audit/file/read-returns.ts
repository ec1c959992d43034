import { z } from 'zod';
import { convertFixed, exactMoney, formatMoney, parseMoney, type TiedCurrency } from '../../../contract/money.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { accountingCurrencyOf } from '../../law/accounting-currency.ts';
import { returnCodes } from '../../law/audit-codes.ts';
import { rateAmounts } from '../../rates/by-rate.ts';
import type { MonthReturn } from '../audit-file.ts';
import type { ReportedOrder } from '../format/rule-check.ts';
import { entryRates, storedEntry } from './entry-rates.ts';
import { rateAmountsIn, takenBack } from './taken-back.ts';

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
    ({ number, soldIn, declared, currency: of }) => [number, { month: soldIn, orderedOn: null, total: inCurrency(declared, of, to) }] as const,
  );
  return { returns, withoutRate: all.length - returns.length, sales: new Map(sales) };
}

function inCurrency(amount: string, from: TiedCurrency, to: TiedCurrency): string {
  return formatMoney(convertFixed(exactMoney(amount, 2), from, to), 2);
}

function auditReturn({ number, returnedOn, way, amount, currency, before, entry, after }: StoredReturn & { amount: string }, to: TiedCurrency): MonthReturn {
  const code = returnCodes[way];
  const cents = parseMoney(amount, 2);
  if (code === undefined || cents === undefined) throw new RangeError(`a return of order ${number} can't be written (${way}, ${amount})`);
  const byRate = rateAmountsIn(takenBack({ before: before ?? (entry === null ? null : entryRates(entry)), after, amount: cents }), currency, to);
  return { number, amount: formatMoney(convertFixed(cents, currency, to), 2), returnedOn, way: code.code, byRate };
}
