import { z } from 'zod';
import { typesWithReceipt } from '../../../contract/enumerations.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { doubtfulOrdersOf } from '../../orders/doubtful-orders.ts';
import type { MonthSummary } from '../summary/month-summary.ts';
import type { MonthKey } from './month-key.ts';

const counts = rowsOf('compliance.receipts', z.object({ missing: z.int(), unmailed: z.int() }));

/** Orders of a month that should have a receipt and have none, receipts that no buyer was mailed, and orders that look wrong; nothing of what there is none. */
export async function readReceiptsOfMonth(db: Queryable, { shopId, month }: MonthKey): Promise<Pick<MonthSummary, 'receipts' | 'doubtful'>> {
  const doubtful = await doubtfulOrdersOf(db, { shopId, month });
  const receipts = await readOne(db, counts, {
    text: `select (count(*) filter (where r.id is null))::int as missing, (count(*) filter (where r.id is not null and r.mail_key is null))::int as unmailed
     from compliance.orders o left join compliance.receipts r on r.order_id = o.id
     where o.shop_id = $1 and o.month = to_date($2, 'YYYY-MM') and o.payment_type = any($3)`,
    values: [shopId, month, [...typesWithReceipt]],
  });
  return { ...(receipts.missing + receipts.unmailed === 0 ? {} : { receipts }), ...(doubtful.length === 0 ? {} : { doubtful }) };
}
