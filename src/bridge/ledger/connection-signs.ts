import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

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
       (select record from orders where connection_id = c.id and ${inOrder('recorded')} and record is not null
         order by state desc, id desc limit $1) o
     group by c.id`,
    values: [size, connectionIds],
  });
}
