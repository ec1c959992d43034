import { z } from 'zod';
import type { Queryable } from '../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../platform/postgres/read-rows.ts';
import { FAILED_MONTH_MAILS } from './audit/month/month-outbox.ts';
import { sofiaDay } from './law/calendar.ts';
import { firstMonthInTerm } from './law/deadlines.ts';

const attention = rowsOf(
  'what needs attention',
  z.object({
    ordersWithoutRate: z.int(),
    mails: z.object({ waiting: z.int(), failed: z.int() }),
    monthMailsFailed: z.int(),
    months: z.object({ blocked: z.int(), unfiled: z.int(), late: z.int() }),
    outstanding: z.int(),
  }),
);

/**
 * Counts of what needs attention: orders whose exchange rate is missing; mails that wait or failed, and how many of the latter are about a month that
 * is not settled; months whose file is blocked, or is made but not marked as filed (`unfiled` within its term, `late` after it); paid orders that are not
 * recorded (`outstanding`), as shops reported them, but for those that their program says itself. Test shops count for nothing.
 */
export type ServiceAttention = z.output<typeof attention.schema>;

const SELECT = `
  with test_shops as (select id from compliance.shops where test)
  select (select count(*)::int from compliance.orders where accounting_total is null and shop_id not in (select id from test_shops)) as "ordersWithoutRate",
    (select json_build_object('waiting', count(*) filter (where sent_at is null and failed_at is null), 'failed', count(*) filter (where failed_at is not null))
      from compliance.mails where sent_at is null) as mails,
    (select count(distinct id)::int from (${FAILED_MONTH_MAILS}) failed) as "monthMailsFailed",
    (select json_build_object('blocked', count(*) filter (where attempt ->> 'kind' = 'blocked'),
        'unfiled', count(*) filter (where state = 'generated' and attempt ->> 'kind' is distinct from 'empty' and month >= to_date($1, 'YYYY-MM')),
        'late', count(*) filter (where state = 'generated' and attempt ->> 'kind' is distinct from 'empty' and month < to_date($1, 'YYYY-MM')))
      from compliance.audit_months where state <> 'filed' and shop_id not in (select id from test_shops)) as months,
    (select coalesce(sum(greatest(0, (one ->> 'orders')::int - (select coalesce(sum(orders::int), 0) from jsonb_each_text(one -> 'codes') of_code(code, orders)
        where shop_id::text = any($2) and code = any($3)))), 0)::int from compliance.outstanding cross join lateral jsonb_array_elements(months) one
      where shop_id not in (select id from test_shops)) as outstanding`;

/** `said`: orders of these shops that are not recorded for these reasons, which somebody counts beside it. */
type Said = { shops: readonly string[]; codes: readonly string[] };

export async function serviceAttention(db: Queryable, now: Date, said: Said = { shops: [], codes: [] }): Promise<ServiceAttention> {
  return readOne(db, attention, { text: SELECT, values: [firstMonthInTerm(sofiaDay(now.toISOString())), said.shops, said.codes] });
}
