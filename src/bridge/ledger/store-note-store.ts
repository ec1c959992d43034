import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { type NoteLedger, storeNote } from '../delivery/store-notes.ts';

const noteRows = rowsOf('store_notes', storeNote);

const MOST = 100;

/** Writes the jobs of connections of whose orders notes wait. */
export async function beginNotes(pool: Pool): Promise<void> {
  await pool.query(
    `insert into jobs (kind, key) select 'notes', c.id from connections c
      where exists (select from store_notes n where n.connection_id = c.id and n.written_at is null) order by c.id on conflict (kind, key) do nothing`,
  );
}

// The trigger on `orders` adds them, in the transaction of their cause.
export function createNoteLedger(pool: Pool): NoteLedger {
  return {
    waiting: (connectionId) =>
      readRows(pool, noteRows, {
        text: `select n.order_ref as "orderRef", n.id, coalesce(o.platform_id, o.order_id) as "orderId", n.state, n.code,
            case when o.state = 'review' and o.review_code = n.code then o.review_detail end as detail,
            n.compliance_id as "complianceId", n.destination_id as "destinationId", (extract(epoch from now() - n.tried_at) * 1000)::float8 as "triedMs"
          from store_notes n join orders o on o.id = n.order_ref where n.connection_id = $1 and n.written_at is null
          order by max(n.tried_at) over (partition by n.order_ref) nulls first, n.id limit ${MOST}`,
        values: [connectionId],
      }),
    begin: async (job, { orderRef, id }) => {
      const text = `update store_notes set tried_at = now() where order_ref = $1 and id = $2 and exists (select from jobs where id = $3 and lease = $4)`;
      return (await pool.query(text, [orderRef, id, job.id, job.lease])).rowCount === 1;
    },
    written: async ({ orderRef, id }) => {
      await pool.query(
        `with done as (update store_notes set written_at = now() where order_ref = $1 and id = $2)
          delete from store_notes where order_ref = $1 and id < $2`,
        [orderRef, id],
      );
    },
    drop: async (connectionId) => {
      await pool.query('delete from store_notes where connection_id = $1 and written_at is null', [connectionId]);
    },
  };
}
