import { PAST_DAYS } from '../../test/support/ledger/fill-history.ts';
import type { BulkLoader } from './bulk-load.ts';

/** Beyond the ids of the samples. */
const FIRST_ID = 1_000;

type Filling = { orders: number; seed: number };

/** Copies the sample orders: 97 % recorded over 24 months, in stores of very different size; some waiting, ignored, unconfirmed, under way, and 3 of 1,000 in review. */
export async function fillLedger(loader: BulkLoader, { orders, seed }: Filling): Promise<void> {
  await loader.run(PAST_DAYS);
  await loader.run(KINDS);
  await loader.run(STORES);
  await loader.withoutIndexes(['orders', 'order_facts', 'steps', 'deliveries', 'bridge.acts'], async () => {
    await loader.slices(ORDERS, { count: orders, values: [orders, seed] });
    for (const journal of [STEPS, DELIVERIES]) await loader.slices(journal, { count: orders, values: [orders, seed] });
    await loader.run(ACTS);
  });
  await loader.run(`select setval(pg_get_serial_sequence('orders', 'id'), max(id)) from orders`);
  await loader.run(`update connections set created_at = now() - interval '2 years', record_from = now() - interval '2 years'`);
  // With triggers: those who wait for a person.
  await loader.run(
    `set session_replication_role = origin; update orders set state = state where state in ('review', 'unconfirmed'); set session_replication_role = replica`,
  );
  await loader.run(SEARCH);
  await loader.run(TRAFFIC);
  await loader.run(BULK_ACTIONS);
  await loader.run(ASSIGNMENTS);
}

// The texts of a sample, with marks where copies differ.
const KINDS = `create table bench_kinds as
  select k.kind, o.state, o.review_code, o.review_detail, o.mapping, o.revision, o.recorded_revision, o.review_revision, o.step_seq,
    regexp_replace(replace(replace(replace(f.facts::text, '"' || coalesce(f.facts #>> '{snapshot,total}', '') || '"', '"@T@"'), '"48.00"', '"@A@"'), '"#' || o.order_id || '"', '"@N@"'),
      '"20[0-9]{2}-[0-9T:.-]+Z"', '"@AT@"', 'g') as facts,
    regexp_replace(replace(replace(replace((select s.record::text from steps s where s.order_ref = o.id and s.compliance_id = o.compliance_id), '"48.00"', '"@A@"'), '"#' || o.order_id || '"', '"@N@"'), '"' || o.order_id || '"', '"@ID@"'),
      '"20[0-9]{2}-[0-9T:.-]+Z"', '"@AT@"', 'g') as record
  from orders o join order_facts f on f.order_ref = o.id join (values ('101', 'one'), ('102', 'three'), ('103', 'gateway'), ('104', 'rate'), ('105', 'mismatch'), ('106', 'waiting'), ('107', 'ignored')) k(order_id, kind)
    on k.order_id = o.order_id`;

const STORES = `create table bench_stores as
  select row_number() over (order by c.created_at, c.id)::int as place, c.id, c.shop_id, c.platform, c.name as store, c.destination_id from connections c`;

const SEARCH = `insert into order_search (order_ref, connection_id, number, total, buyer)
  select id, connection_id, ltrim(number, '#'), total, 'buyer ' || id / 3 from orders on conflict do nothing`;

// How far a share of 1 lies: of the n-th order, always the same. The further down, the more a store sells.
const SHARE = (salt: number) => `((hashint8extended(n, $4 + ${salt}) & 1048575)::float8 / 1048576)`;
const WEIGHTS = `(select array_agg(w::float8 order by place) from (select place, sum(1.0 / place) over (order by place) / sum(1.0 / place) over () as w from bench_stores) x)`;
const AT = `(now() - interval '730 days' * (1 - power(n::float8 / $3, 0.7)))`;
const UTC = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

const ORDERS = `with drawn as (
    select n, ${SHARE(1)} as u_store, ${SHARE(2)} as u_state, ${SHARE(3)} as u_lines, (2000 + (hashint8extended(n, $4 + 4) & 16383)) / 100.0 as amount, ${AT} as at,
      n > $3 - 3 as is_last, n > $3 * 0.9 as is_recent
    from generate_series($1::bigint, $2::bigint) n
  ), chosen as (
    select d.*, s.*, case
        when d.u_state < 0.012 then 'ignored' when d.u_state < 0.02 then 'waiting'
        when d.is_recent and d.u_state < 0.05 then (array['gateway', 'gateway', 'rate', 'mismatch', 'refused'])[1 + s.place % 5]
        when d.is_recent and d.u_state < 0.0504 then 'unconfirmed' when d.is_recent and d.u_state < 0.0506 then 'queued'
        when d.u_lines < 0.6 then 'one' else 'three' end as kind
    from drawn d join bench_stores s on s.place = least(1 + width_bucket(d.u_store, ${WEIGHTS}), (select max(place) from bench_stores))
  ), texts as (
    select c.*, k.state as state_of, k.mapping, k.review_code, k.review_detail, k.revision, k.recorded_revision, k.review_revision, k.step_seq,
      '#' || (1000 + n / 8) as number, (6600000000000 + n)::text as order_id, (array['borica_pos', 'econt_pay', 'dsk_pay', 'vivacom_pay'])[1 + n % 4] as gateway,
      k.facts, k.record, to_char(c.at at time zone 'utc', ${UTC}) as at_text, c.amount + case c.kind when 'three' then 15 when 'mismatch' then -0.01 else 0 end as total
    from chosen c join bench_kinds k on k.kind = case when c.kind in ('refused', 'unconfirmed', 'queued') then 'one' else c.kind end
  ), told as (insert into order_facts (order_ref, facts) select ${FIRST_ID} + n,
      replace(replace(replace(replace(replace(facts, '@AT@', at_text), '@T@', total::text), '@A@', amount::text), '@N@', number), 'borica_pos', gateway)::jsonb from texts)
  insert into orders (id, shop_id, platform, store, order_id, connection_id, number, sold_at, total, currency, revision, recorded_revision, review_revision, state, review_code, review_detail, mapping,
    record, compliance_id, record_destination, open_step, step_seq, dirty_since, due_at, created_at, updated_at, fence)
  overriding system value
  select ${FIRST_ID} + n, shop_id, platform, store, order_id, id, number,
    at_text, total, 'EUR', revision, case when is_open then 0 else recorded_revision end, case when kind in ('refused', 'unconfirmed') then 1 else review_revision end,
    case when kind in ('refused') then 'review' when kind in ('unconfirmed', 'queued') then kind else state_of end,
    case kind when 'refused' then 'compliance.refused' else review_code end,
    case kind when 'refused' then 'The service answered 422: no provider named Stripe is known (request ' || n || ').' else replace(review_detail, 'borica_pos', gateway) end,
    mapping, case when is_open then null else body end, case when record is null or is_open then null else made_uuid end, case when record is null or is_open then null else destination_id end,
    case kind when 'unconfirmed' then jsonb_build_object('kind', 'create', 'seq', 1, 'record', body, 'idempotencyKey', 'bench-' || n, 'destinationId', destination_id, 'uncertain', true, 'receipt', false) end,
    step_seq, case kind when 'queued' then now() end, at, at, at + interval '1 second', 1
  from texts cross join lateral (select md5('record' || n)::uuid as made_uuid, kind in ('refused', 'unconfirmed', 'queued') as is_open,
      replace(replace(replace(replace(record, '@AT@', at_text), '@A@', amount::text), '@N@', number), '@ID@', order_id)::jsonb as body) r`;

const OF_SLICE = `o.id between $1 + ${FIRST_ID} and $2 + ${FIRST_ID} and $3::int is not null and $4::int is not null`;

// What was sent to the service of each.
const STEPS = `insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, idempotency_key, attempts, outcome, status, began_at, ended_at)
  select o.id, 1, 'create', 1, c.destination_id, coalesce(o.record, o.open_step -> 'record'), o.compliance_id, 'bench-' || o.id, 1, case when o.state = 'recorded' then 'recorded' when o.state = 'review' then 'refused' end,
    case when o.state = 'recorded' then 200 when o.state = 'review' then 422 end, o.created_at + interval '300 ms', o.created_at + interval '420 ms'
  from orders o join bench_stores c on c.id = o.connection_id where ${OF_SLICE} and (o.state in ('recorded', 'unconfirmed') or o.review_code = 'compliance.refused')`;

// One webhook of each, and of every third another one; bodies of the last month alone.
const DELIVERIES = `with came as (insert into deliveries (id, connection_id, order_ref, topic, platform_delivery_id, store, arrived_at, outcome, kept_at, written_by)
  select md5('delivery' || o.id || '/' || w)::uuid, o.connection_id, o.id, 'order.paid', 'msg_' || o.id || '_' || w, o.store, o.created_at + w * interval '1 minute',
    case w when 0 then 'merged' else 'duplicate' end, o.created_at + w * interval '1 minute', 0
  from orders o cross join generate_series(0, (o.id % 3 = 0)::int) w where ${OF_SLICE} returning id, kept_at)
  insert into bodies (delivery_id, kept_at, body) select came.id, came.kept_at, sample.body
  from came, (select b.body from bodies b join deliveries d on d.id = b.delivery_id where d.order_ref = 1 limit 1) sample where came.kept_at > now() - interval '30 days'`;

// One after the other, as they would have been written: by the program, and by people.
const ACTS = `insert into bridge.acts (at, who, act, connection_id, order_ref, before, after, why)
  select o.created_at + a.later, 'orderbridge', a.act, o.connection_id, o.id, '{"state": "queued"}'::jsonb,
    jsonb_build_object('state', 'review', 'code', coalesce(o.review_code, 'payment.unmapped')), null
  from orders o cross join (values ('order.needs-review', interval '2 seconds'), ('order.review-ended', interval '1 hour')) a(act, later)
  where o.id > ${FIRST_ID} and (o.state = 'review' and a.act = 'order.needs-review' or o.id % 5 = 0)
  union all
  select o.created_at + interval '1 hour', 'person:' || p.id, case o.id % 3 when 0 then 'order.released' when 1 then 'buyer.seen' else 'order.resolved' end, o.connection_id, o.id,
    '{"code": "payment.unmapped"}', '{"state": "queued"}', 'As agreed with the store.'
  from orders o join (select row_number() over (order by created_at) as n, id from people) p on p.n = 1 + o.id % 24 where o.id > ${FIRST_ID} and o.id % 10 = 0
  order by 1`;

const TRAFFIC = `with heard as (select id from bench_stores)
  insert into traffic (connection_id, accepted_at, refused_at, refused_code, refused_in_row) select id, now(), now() - interval '1 hour', 'signature.mismatch', 0 from heard
  on conflict (connection_id) do update set accepted_at = excluded.accepted_at, refused_at = excluded.refused_at, refused_code = excluded.refused_code;
  insert into refusals (connection_id, at, code, topic, client, counts)
  select s.id, now() - n * interval '7 minutes', 'signature.mismatch', 'order.paid', '203.0.113.9', true from bench_stores s cross join generate_series(1, 50) n`;

// Every third issue is somebody's, and a few of its orders are another one's.
const ASSIGNMENTS = `with people as (select row_number() over (order by created_at) - 1 as n, id from people),
    issues as (select connection_id, code, pattern, max(order_ref) as newest, row_number() over () as n from review_orders group by 1, 2, 3)
  insert into assignments (connection_id, code, pattern, order_ref, person, note)
  select i.connection_id, i.code, i.pattern, o.order_ref, p.id, 'Asked the store' from issues i
    join lateral (select null::bigint as order_ref, 0 as more where i.n % 3 = 0 union all select newest, 1 where i.n % 5 = 0) o on true
    join people p on p.n = (i.n + o.more) % 4`;

// What somebody did to many at once.
const BULK_ACTIONS = `insert into bulk_actions (who, act, about, orders)
  select 'person:' || (select id from people order by created_at limit 1), 'order.resolved', '{"words": "review", "what": "elsewhere", "why": ""}',
    array(select id from orders order by id desc limit size) from (values (300), (10000), (100000)) r(size)`;
