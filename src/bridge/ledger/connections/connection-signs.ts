import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { READ_TOPIC } from '../../reconciliation/read-page.ts';
import { recordOf } from '../order-columns.ts';

const waitingRow = rowsOf('orders', z.object({ connectionId: z.string(), status: z.string(), orders: z.int() }));
const untaxedRow = rowsOf('orders', z.object({ connectionId: z.string(), untaxed: z.int(), recorded: z.int() }));

export type WaitingStatus = z.output<typeof waitingRow.schema>;
export type UntaxedShare = z.output<typeof untaxedRow.schema>;

// As a range, and in the order of the index of states: by the id alone the planner may read the whole table for a store with few orders.
const inOrder = (state: 'waiting' | 'recorded') => `state >= '${state}' and state <= '${state}'`;

/** How many of the oldest waiting orders of a connection are looked at: their facts are slow to read. */
const MOST_WAITING = 500;

/** How many live orders of each of these connections wait in which status of their store, unchanged there since before this moment (ISO 8601 in UTC). */
export async function waitingSince(pool: Pool, connectionIds: readonly string[], before: string): Promise<WaitingStatus[]> {
  return readRows(pool, waitingRow, {
    text: `select c.id as "connectionId", o.status, count(*) as orders from unnest($2::text[]) c (id) cross join lateral (
       select facts -> 'snapshot' ->> 'status' as status, facts -> 'snapshot' ->> 'lifecycle' as lifecycle, facts -> 'snapshot' ->> 'updatedAt' as changed
       from orders join order_facts on order_ref = id where connection_id = c.id and ${inOrder('waiting')} order by state, id limit $3) o
     where o.lifecycle = 'live' and o.changed < $1
     group by 1, 2 order by 1, 3 desc, 2`,
    values: [before, connectionIds, MOST_WAITING],
  });
}

/** Of the newest recorded orders of each of these connections, at most `size`: how many there are, and of how many no line bears VAT. */
export async function untaxedShares(pool: Pool, connectionIds: readonly string[], size: number): Promise<UntaxedShare[]> {
  return readRows(pool, untaxedRow, {
    text: `select c.id as "connectionId", count(*) as recorded,
       count(*) filter (where not jsonb_path_exists(o.record, '$.lineItems[*] ? (@.vatRate != "0")')) as untaxed
     from unnest($2::text[]) c (id) cross join lateral
       (select ${recordOf('orders')} as record from orders where connection_id = c.id and ${inOrder('recorded')} and record is not null
         order by state desc, id desc limit $1) o
     group by c.id`,
    values: [size, connectionIds],
  });
}

/** So many parts of six hours of a store's history are looked at: four weeks. */
const PARTS = 112;
const HISTORY_DAYS = 7;
/** Those that fell silent last. */
const MOST = 100;

const silentRows = rowsOf('deliveries', z.object({ connectionId: z.string(), last: z.string(), longestHours: z.number() }));

/** A store whose last webhook came at `last` (ISO instant), and how long it had been quiet at the longest before that. */
export type QuietStore = z.output<typeof silentRows.schema>;

/**
 * Live connections without a webhook for more than a day, that had webhooks for a week before. Four probes of an index per day of their history; a
 * store that is always quiet for days has gaps to show it.
 */
export async function quietStores(pool: Pool): Promise<QuietStore[]> {
  return readRows(pool, silentRows, {
    text: `with quiet as (
        select c.id, t.accepted_at as last from connections c join traffic t on t.connection_id = c.id
        where c.closed_at is null and t.accepted_at < now() - interval '1 day' order by t.accepted_at desc limit ${MOST}),
      known as (
        select q.id, q.last, greatest(first.at, q.last - ${PARTS} * interval '6 hours') as begins from quiet q cross join lateral (
          select arrived_at as at from deliveries d where d.connection_id = q.id and d.topic <> $1 order by d.arrived_at limit 1) first
        where first.at <= q.last - ${HISTORY_DAYS} * interval '1 day'),
      parts as (
        select k.id, n, exists (select from deliveries d where d.connection_id = k.id and d.topic <> $1
          and d.arrived_at > k.last - (n + 1) * interval '6 hours' and d.arrived_at <= k.last - n * interval '6 hours') as busy
        from known k cross join generate_series(0, ${PARTS - 1}) n where k.last - n * interval '6 hours' > k.begins),
      gaps as (select id, n - coalesce(lag(n) over (partition by id order by n), -1) as parts from parts where busy)
    select k.id as "connectionId", k.last, coalesce(max(g.parts), 1) * 6.0::float8 as "longestHours" from known k left join gaps g on g.id = k.id
    group by k.id, k.last`,
    values: [READ_TOPIC],
  });
}
