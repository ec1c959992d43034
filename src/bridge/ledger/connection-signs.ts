import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const waitingRow = rowsOf('orders', z.object({ connectionId: z.string(), status: z.string(), orders: z.int() }));
const untaxedRow = rowsOf('orders', z.object({ connectionId: z.string(), untaxed: z.int(), recorded: z.int() }));

export type WaitingStatus = z.output<typeof waitingRow.schema>;
export type UntaxedShare = z.output<typeof untaxedRow.schema>;

/** How many live orders of each connection wait in which status of their store, unchanged there since before this moment (ISO 8601 in UTC). */
export async function waitingSince(pool: Pool, before: string): Promise<WaitingStatus[]> {
  return readRows(pool, waitingRow, {
    text: `select connection_id as "connectionId", facts -> 'snapshot' ->> 'status' as status, count(*) as orders from orders
     where state = 'waiting' and facts -> 'snapshot' ->> 'lifecycle' = 'live' and facts -> 'snapshot' ->> 'updatedAt' < $1
     group by 1, 2 order by 1, 3 desc, 2`,
    values: [before],
  });
}

/** Of the newest recorded orders of each live connection, at most `size`: how many there are, and of how many no line bears VAT. */
export async function untaxedShares(pool: Pool, size: number): Promise<UntaxedShare[]> {
  return readRows(pool, untaxedRow, {
    text: `select c.id as "connectionId", count(*) as recorded,
       count(*) filter (where not jsonb_path_exists(o.record, '$.lineItems[*] ? (@.vatRate != "0")')) as untaxed
     from connections c cross join lateral
       (select record from orders where connection_id = c.id and record is not null order by id desc limit $1) o
     where c.closed_at is null group by c.id`,
    values: [size],
  });
}
