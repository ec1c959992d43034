import type { Queryable } from '../../../src/platform/postgres/postgres.ts';

/** Orders of the past: so many copies of order `sample` (its id in the ledger), numbered from `first` on, the last one made now, the first `days` ago. */
export type History = { sample: number; first: number; count: number; days: number };

/** Rows of one statement. */
const SLICE = 5_000;

// Each of the copy's rows as the program left those of the sample, with ids that grow with its time; bodies as KEEP_DELIVERIES_DAYS leaves them,
// buyers as KEEP_BUYERS_DAYS does.
const COPY = `with n as (select n, 'h' || n as order_id, now() - ($4::bigint - n) * ($5::float8 / $6) * interval '1 day' as at from generate_series($2::bigint, $3::bigint) n),
  made as (
    insert into orders (shop_id, platform, store, order_id, connection_id, number, sold_at, total, currency, revision, recorded_revision, review_revision, state, mapping, record,
      compliance_id, record_destination, receipt, step_seq, fence, due_at, created_at, updated_at)
    select o.shop_id, o.platform, o.store, n.order_id, o.connection_id, '#h' || n.n, to_char(n.at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), o.total + n.n % 100, o.currency,
      o.revision, o.recorded_revision, o.review_revision, o.state, o.mapping, o.record, uuidv7(n.at - now())::text,
      o.record_destination, o.receipt, o.step_seq, o.fence, n.at, n.at, n.at
    from n, orders o where o.id = $1 order by n.n returning id, order_id, connection_id, created_at, compliance_id),
  facts as (insert into order_facts select made.id, f.facts || jsonb_build_object('copy', made.order_id) from made, order_facts f where f.order_ref = $1),
  buyers as (
    insert into customers (order_ref, data, erased_at, by_age) select made.id, case when old.at is null then c.data end, coalesce(c.erased_at, old.at), c.by_age or old.at is not null
    from made cross join lateral (select case when made.created_at < now() - interval '365 days' then made.created_at + interval '365 days' end as at) old, customers c where c.order_ref = $1),
  journal as (
    insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, idempotency_key, attempts, outcome, status, began_at, ended_at)
    select made.id, s.seq, s.kind, s.revision, s.destination_id, s.record || jsonb_build_object('internalId', made.order_id), made.compliance_id, md5('key' || made.order_id)::uuid::text,
      s.attempts, s.outcome, s.status, made.created_at + interval '300 ms', made.created_at + interval '420 ms' from made, steps s where s.order_ref = $1),
  came as (insert into deliveries (id, connection_id, order_ref, topic, platform_delivery_id, store, arrived_at, outcome, kept_at, written_by)
    select uuidv7(made.created_at - now()), made.connection_id, made.id, d.topic, 'msg_' || made.order_id, d.store, made.created_at, d.outcome, made.created_at, 0
    from made, deliveries d where d.order_ref = $1 returning id, kept_at)
  insert into bodies (delivery_id, kept_at, headers, body) select came.id, came.kept_at, b.headers, b.body
    from came, deliveries d join bodies b on b.delivery_id = d.id where d.order_ref = $1 and came.kept_at > now() - interval '30 days'`;

/** The days of bodies that a ledger of some age has. */
export const PAST_DAYS = `do $$ declare today date := (now() at time zone 'UTC')::date; begin
    for n in 1..31 loop
      execute format('create table if not exists bodies_until_%s partition of bodies for values from (%L) to (%L) with (toast_tuple_target = 4080)',
        to_char(today - n + 1, 'YYYYMMDD'), (today - n) || ' UTC', (today - n + 1) || ' UTC');
    end loop;
  end $$`;

/** Writes them by SQL, in slices, one transaction each. */
export async function fillHistory(db: Queryable, { sample, first, count, days }: History): Promise<void> {
  await db.query(PAST_DAYS);
  const last = first + count - 1;
  for (let from = first; from <= last; from += SLICE) await db.query(COPY, [sample, from, Math.min(last, from + SLICE - 1), last, days, count]);
}
