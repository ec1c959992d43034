import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const groupRows = rowsOf(
  'asked_orders',
  z.object({
    state: z.enum(['review', 'unconfirmed']),
    code: z.string(),
    count: z.int(),
    oldest: z.string(),
    totals: z.array(z.object({ currency: z.string(), total: z.string() })),
  }),
);
const deliveryRows = rowsOf('deliveries', z.object({ code: z.string(), count: z.int(), oldest: z.string() }));
const inboxRow = rowsOf('inbox', z.object({ count: z.int(), oldest: z.string().nullable() }));

/** Orders that wait for a person for one reason; `oldest`: since when the oldest is known (ISO instant). */
export type WaitingGroup = z.output<typeof groupRows.schema>;

/** Orders in review by code, and the unconfirmed ones (of code ''). */
export function waitingGroups(pool: Pool): Promise<WaitingGroup[]> {
  return readRows(pool, groupRows, { text: GROUPS });
}

// Looked at every few seconds: by one number first, and without the facts of the orders.
const GROUPS = `with kinds as (select kind, count(*) as count, min(since) as oldest, sum(total) as total, max(order_ref) as newest from asked_orders group by kind),
    sums as (select a.state, a.code, a.currency, sum(k.count)::bigint as count, min(k.oldest) as oldest, sum(k.total)::text as total
      from kinds k join asked_orders a on a.order_ref = k.newest group by 1, 2, 3)
  select state, code, sum(count)::bigint as count, min(oldest) as oldest,
    coalesce(jsonb_agg(jsonb_build_object('currency', currency, 'total', total) order by currency) filter (where currency is not null and total is not null), '[]') as totals
  from sums group by 1, 2 order by 1, 2`;

/** Deliveries that no order is known of and a person must look at, by code; `oldest`: when the first arrived (ISO instant). */
export function reviewDeliveryGroups(pool: Pool): Promise<z.output<typeof deliveryRows.schema>[]> {
  return readRows(pool, deliveryRows, {
    text: `select coalesce(code, '') as code, count(*) as count, min(arrived_at) as oldest from deliveries where outcome = 'review' group by 1 order by 1`,
  });
}

/** What waits in the inbox, and since when the oldest does (ISO instant). */
export function inboxAge(pool: Pool): Promise<z.output<typeof inboxRow.schema>> {
  return readOne(pool, inboxRow, { text: 'select count(*) as count, min(arrived_at) as oldest from inbox' });
}
