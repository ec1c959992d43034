import { addMonths } from '../../src/service/law/calendar.ts';
import type { BulkLoader } from './bulk-load.ts';
import { lastMonth } from './sample-orders.ts';

/** So many of the last records of the ledger are at the embedded service: those of some months; what was before is filed. */
const RECORDS = 200_000;

export async function fillService(loader: BulkLoader): Promise<void> {
  await loader.run(`update compliance.shops set created_at = now() - interval '2 years'`);
  await loader.run(RECORDS_OF_LEDGER);
  await loader.run('create unique index on bench_records (n)');
  await loader.withoutIndexes(['compliance.orders', 'compliance.acts'], async () => {
    await loader.slices(RECORDED, { count: RECORDS });
    await loader.slices(ACTS, { count: RECORDS / 10 });
  });
  await loader.run(
    `update compliance.merchants m set next_number = made.next from (select merchant, max(document_number) + 1 as next from compliance.orders group by merchant) made where made.merchant = m.id`,
  );
  const month = `${lastMonth()}-01`;
  await loader.run(FILES, [month, `${addMonths(lastMonth(), -24)}-01`]);
  await loader.run(MONTHS, [month]);
  await loader.run(CHECKED, [month]);
  await loader.run(OUTSTANDING);
}

const RECORDS_OF_LEDGER = `create table bench_records as select id, row_number() over (order by id)::int as n
  from (select id from orders where state = 'recorded' and id > 1000 order by id desc limit ${RECORDS}) o`;

const RECORDED = `with sample as (select to_jsonb(o) as row from compliance.orders o where internal_id = '102')
  insert into compliance.orders
  select one.* from bench_records b join orders o on o.id = b.id join order_facts f on f.order_ref = o.id join compliance.shops s on s.id = o.shop_id cross join sample
  cross join lateral (select (o.created_at at time zone 'Europe/Sofia')::date as day, o.total) m
  cross join lateral jsonb_populate_record(null::compliance.orders, sample.row || jsonb_build_object('id', o.compliance_id, 'shop_id', o.shop_id, 'internal_id', o.order_id,
    'internal_number', o.number, 'listed_as', o.number || ' / ' || b.n, 'internal_created_at', f.facts #>> '{snapshot,placedAt}', 'merchant', left(s.details ->> 'companyUic', 9),
    'document_number', 1000 + b.n, 'document_date', m.day, 'month', date_trunc('month', m.day)::date, 'total', m.total, 'accounting_total', m.total,
    'created_at', o.created_at, 'recorded_at', o.created_at)) one
  where b.n between $1 and $2`;

const ACTS = `insert into compliance.acts (at, who, act, subject, after)
  select now() - (${RECORDS / 10} - n) * interval '50 minutes', 'person:' || p.id, 'month.checked', s.id || ' 2025-0' || (1 + n % 9), '{"version": 1}'
  from generate_series($1::int, $2::int) n join (select row_number() over (order by id) as place, id from compliance.shops) s on s.place = 1 + n % (select count(*) from compliance.shops)
    join (select row_number() over (order by email) as place, id from bridge.people) p on p.place = 1 + n % 24`;

// A file of each month; of the last one some have none yet.
const FILES = `with sample as (select f.*, to_jsonb(f) as row from compliance.audit_files f limit 1)
  insert into compliance.audit_files
  select one.* from sample cross join (select row_number() over (order by id) as place, id from compliance.shops) s
    cross join generate_series($2::date, $1::date, interval '1 month') m
    cross join lateral jsonb_populate_record(null::compliance.audit_files, sample.row || jsonb_build_object('id', gen_random_uuid(), 'shop_id', s.id, 'month', m::date,
      'created_at', m + interval '1 month 10 days', 'cut_at', m + interval '1 month 10 days')) one
  where (s.id, m::date) <> (sample.shop_id, sample.month) and (m::date < $1::date or s.place % 4 <> 0)`;

const MONTHS = `insert into compliance.audit_months (shop_id, month, state, filed_at, filed_version)
  select shop_id, month, case when month < $1::date then 'filed' else 'generated' end, case when month < $1::date then created_at end, case when month < $1::date then 1 end
  from compliance.audit_files on conflict (shop_id, month) do nothing`;

// Somebody compared every third one with bookkeeping.
const CHECKED = `insert into compliance.acts (at, who, act, subject, after) select now(), 'person:' || gen_random_uuid(), 'month.checked', f.shop_id || ' ' || to_char(f.month, 'YYYY-MM'), '{"version": 1}'
  from compliance.audit_files f where f.month = $1 and f.shop_id in (select id from compliance.shops order by id limit (select count(*) / 3 from compliance.shops))`;

// As shops report what waits for a person.
const OUTSTANDING = `insert into compliance.outstanding (shop_id, at, months) select shop_id, now(), jsonb_agg(jsonb_build_object('month', month, 'currency', 'EUR', 'orders', orders,
    'total', total, 'oldest', oldest, 'codes', jsonb_build_object('payment.unmapped', orders)) order by month)
  from (select c.shop_id, r.month, count(*) as orders, to_char(sum(r.total), 'FM999999999999990.00') as total, to_char(min(r.made) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as oldest
    from review_orders r join connections c on c.id = r.connection_id where r.currency = 'EUR' and r.month is not null and r.total is not null group by 1, 2) x
  group by 1 on conflict (shop_id) do update set months = excluded.months`;
