import { z } from 'zod';
import { allowLongStatements, inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { ORDER_STATES } from '../../order/decisions/order-state.ts';
import { READ_TOPIC } from '../../reconciliation/read-page.ts';
import type { BridgeAct } from '../bridge-acts.ts';

const HOURS_FOR_DAYS = 14;
export const DAYS = 400;
const ASKS: BridgeAct[] = ['order.needs-review', 'order.unconfirmed'];

/** Bulgarian time differs from UTC by whole hours, so each hour is within one day. */
export const hourOf = (instant: string) => `date_trunc('hour', ${instant}, 'UTC')`;
const dayOf = (instant: string) => `date_trunc('day', ${instant}, 'Europe/Sofia')`;
const dayAfter = (day: string) => `((${day} at time zone 'Europe/Sofia' + interval '1 day') at time zone 'Europe/Sofia')`;

/** SQL of the hour and the day of an instant, as rows of `counts` have them. */
export const spanOf = (span: string, instant: string) => `case ${span} when 'hour' then ${hourOf(instant)} else ${dayOf(instant)} end`;

/**
 * Counts what happened since it was counted last, a week in a transaction, the last hours again: each number is that of the rows that are there, so that
 * nothing is counted twice, and what happened while no process ran is counted later. Then it drops what is too old.
 */
export async function countHours(pool: Pool, signal: AbortSignal): Promise<void> {
  for (let isLast = false; !isLast && !signal.aborted; ) isLast = await countNext(pool);
  if (!signal.aborted) await pool.query(DROP, [HOURS_FOR_DAYS, DAYS]);
}

/** What was committed later than so long after it happened is not counted. */
export const LATE = `interval '2 minutes'`;

const boundsRow = rowsOf('counts', z.object({ from: z.string(), until: z.string(), at: z.string(), isLast: z.boolean() }));

// The newest hour says until when all is counted. Before the first store nothing happened.
const BOUNDS = `select b.from, b.until, least(now(), b.until) as at, b.until > now() as "isLast" from (
    select f.from, least(f.from + interval '7 days', ${hourOf('now()')} + interval '1 hour') as until from (
      select ${hourOf(`greatest(now() - interval '${DAYS} days', coalesce(
        (select counted_until - ${LATE} from counts where span = 'hour' and subject = '' order by at desc limit 1), (select min(created_at) from connections), now()))`)} as from) f) b`;

/** Counts the next hours; true if no later ones are left. A week of a busy ledger may take a while. */
async function countNext(pool: Pool): Promise<boolean> {
  const { from, until, at, isLast } = await readOne(pool, boundsRow, { text: BOUNDS });
  // Before the hours, which say up to when all is counted; and not with them, since the traffic writes to the row of the current hour.
  await inTransaction(pool, async (tx) => {
    await alone(tx);
    await tx.query(COUNT_SALES, [from, until, ORDER_STATES]);
  });
  await inTransaction(pool, async (tx) => {
    await alone(tx);
    await tx.query(COUNT_REQUESTS, [from, until]);
    await tx.query(COUNT_HOURS, [from, until, READ_TOPIC, ASKS, at]);
    await tx.query(COUNT_DAYS, [from, until]);
  });
  return isLast;
}

// A process that took longer than its lease must not write what it saw over what another one saw later.
async function alone(tx: Queryable): Promise<void> {
  await allowLongStatements(tx, '10min');
  await tx.query(`select pg_advisory_xact_lock(hashtext('bridge counts'))`);
}

// Of an order and its first delivery, written by one transaction, the times are the same. What was counted before and is not there any more becomes 0.
const HAPPENED = `select d.connection_id as subject, ${hourOf('d.kept_at')} as at, count(distinct o.id) as received, 0 as recorded, 0 as asked,
      count(*) filter (where d.topic <> $3) as accepted, null as currency, null::numeric as total
    from deliveries d left join orders o on o.id = d.order_ref and o.created_at = d.kept_at where d.kept_at >= $1 and d.kept_at < $2 group by 1, 2
  union all
  select o.connection_id, ${hourOf('s.ended_at')}, 0, count(*), 0, 0, o.currency, sum(o.total) from steps s join orders o on o.id = s.order_ref
    where s.ended_at >= $1 and s.ended_at < $2 and s.kind = 'create' and s.outcome = 'recorded'
      and not exists (select from steps e where e.order_ref = s.order_ref and e.seq < s.seq and e.kind = 'create' and e.outcome = 'recorded') group by 1, 2, o.currency
  union all
  select connection_id, ${hourOf('at')}, 0, 0, count(*), 0, null, null from acts where at >= $1 and at < $2 and act = any($4) and connection_id is not null group by 1, 2
  union all
  select subject, at, 0, 0, 0, 0, null, null from counts where span = 'hour' and at >= $1 and at < $2 and subject <> ''
  union all
  select '', h, 0, 0, 0, 0, null, null from generate_series($1::timestamptz, $2::timestamptz - interval '1 hour', interval '1 hour') h`;

const SUMMED = 'sum(received)::int as received, sum(recorded)::int as recorded, sum(asked)::int as asked, sum(accepted)::int as accepted';

// In the order of rows that the traffic writes to, too.
const COUNT_HOURS = `with happened as materialized (${HAPPENED}),
    paid as (select at, jsonb_object_agg(currency, total) as sums from (
      select at, currency, sum(total) as total from happened where currency is not null and total is not null group by 1, 2) x group by 1),
    counted as (
      select at, subject, ${SUMMED}, null::jsonb as sums, null::timestamptz as until from happened where subject <> '' group by at, subject
      union all
      select at, '', ${SUMMED}, (select sums from paid where paid.at = happened.at), $5::timestamptz from happened group by at)
  insert into counts as c (span, at, subject, received, recorded, asked, accepted, sums, counted_until) select 'hour', * from counted order by at, subject
  on conflict (span, at, subject) do update set (received, recorded, asked, accepted, sums, counted_until) =
    (excluded.received, excluded.recorded, excluded.asked, excluded.accepted, excluded.sums, excluded.counted_until)
    where (c.received, c.recorded, c.asked, c.accepted, c.sums, c.counted_until) is distinct from
      (excluded.received, excluded.recorded, excluded.asked, excluded.accepted, excluded.sums, excluded.counted_until)`;

/** Of ended steps: what a person or a comparison said is no request. */
export const IS_REQUEST = `(status is not null or outcome not in ('by-hand', 'adopted', 'gone'))`;
/** A record that is gone was to be deleted. */
export const NOT_TAKEN = `(status is null or status >= 400) and outcome is distinct from 'gone'`;

// Those that were sent again say how long we waited, not how long the service took.
const took = (share: number) =>
  `(percentile_disc(${share}) within group (order by extract(epoch from ended_at - began_at) * 1000) filter (where attempts = 1 and status is not null))::int`;

const COUNT_REQUESTS = `insert into counts (span, at, subject, requests, failed, p50_ms, p95_ms)
  select 'hour', ${hourOf('ended_at')}, destination_id::text, count(*), count(*) filter (where ${NOT_TAKEN}), ${took(0.5)}, ${took(0.95)}
  from steps where ended_at >= $1 and ended_at < $2 and ${IS_REQUEST} group by 2, 3 order by 2, 3
  on conflict (span, at, subject) do update set (requests, failed, p50_ms, p95_ms) = (excluded.requests, excluded.failed, excluded.p50_ms, excluded.p95_ms)`;

const COUNT_DAYS = `with hours as materialized (select *, ${dayOf('at')} as day from counts
      where span = 'hour' and at >= ${dayOf('$1::timestamptz')} and at < ${dayAfter(dayOf(`$2::timestamptz - interval '1 hour'`))}),
    paid as (select day, jsonb_object_agg(currency, total) as sums from (
      select h.day, s.key as currency, sum(s.value::numeric) as total from hours h cross join jsonb_each_text(h.sums) s where h.subject = '' group by 1, 2) x group by 1)
  insert into counts as c (span, at, subject, received, recorded, asked, accepted, requests, failed, sums)
  select 'day', day, subject, ${SUMMED}, sum(requests)::int, sum(failed)::int, (select sums from paid where paid.day = hours.day and hours.subject = '')
  from hours group by day, subject order by day, subject
  on conflict (span, at, subject) do update set (received, recorded, asked, accepted, requests, failed, sums) =
    (excluded.received, excluded.recorded, excluded.asked, excluded.accepted, excluded.requests, excluded.failed, excluded.sums)
    where (c.received, c.recorded, c.asked, c.accepted, c.requests, c.failed, c.sums) is distinct from
      (excluded.received, excluded.recorded, excluded.asked, excluded.accepted, excluded.requests, excluded.failed, excluded.sums)`;

// An order is recorded on another day than it was paid, and what it was paid for may be given back: the days of those that changed are counted again.
const COUNT_SALES = `with hours as materialized (select distinct o.connection_id, left(o.sold_at, 13) as hour from steps s join orders o on o.id = s.order_ref
      where s.ended_at >= $1 and s.ended_at < $2 and s.kind in ('create', 'delete') and o.sold_at is not null),
    changed as (select distinct connection_id, ${dayOf(`(hour || ':00Z')::timestamptz`)} as day from hours)
  insert into counts as c (span, at, subject, sold)
  select 'day', day, connection_id, (select count(*) from orders o where o.connection_id = changed.connection_id and o.state = any($3) and o.record is not null
    and o.sold_at >= ${isoText('day')} and o.sold_at < ${isoText(dayAfter('day'))}) from changed where day > now() - interval '${DAYS} days' order by day, connection_id
  on conflict (span, at, subject) do update set sold = excluded.sold where c.sold <> excluded.sold`;

const DROP = `delete from counts where (span = 'hour' and at < now() - $1 * interval '1 day') or (span = 'day' and at < now() - $2 * interval '1 day')`;
