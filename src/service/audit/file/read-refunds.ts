import { z } from 'zod';
import { convertFixed, exactMoney, formatMoney, type TiedCurrency } from '../../../contract/money.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { paymentCodes, returnCodes } from '../../law/audit-codes.ts';
import { sofiaDay } from '../../law/sofia-day.ts';
import { rateAmounts } from '../../rates/by-rate.ts';
import type { Refund } from '../audit-file.ts';
import type { MonthOf } from './read-month.ts';
import { rateAmountsIn, takenBack } from './taken-back.ts';

const stored = z.object({
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

const storedRefunds = rowsOf('compliance.deleted_orders', stored);

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
export async function monthRefunds(client: Queryable, { shopId, month, leaveOut }: MonthOf, to: TiedCurrency): Promise<Refund[]> {
  const rows = await readRows(client, storedRefunds, { text: REFUNDS, values: [shopId, month, leaveOut] });
  return rows.flatMap(({ at, payment, way, amount, currency, before, after, ...refund }) => {
    const cents = exactMoney(amount, 2);
    const back = rateAmountsIn(takenBack({ before, after, amount: cents }), currency, to);
    const codes = { payment: paymentCodes[payment]?.code, way: returnCodes[way]?.code };
    if (codes.payment === undefined || codes.way === undefined) return [];
    const total = formatMoney(convertFixed(cents, currency, to), 2);
    return [{ ...refund, orderedOn: sofiaDay(at), payment: codes.payment, way: codes.way, amount: total, byRate: back }];
  });
}
