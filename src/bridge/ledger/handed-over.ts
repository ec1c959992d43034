import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';

const found = rowsOf('sync_handed', z.object({ found: z.boolean() }));

const RECORDED = 'exists (select from deliveries d where d.id = h.delivery_id)';
/** What a queue lost is handed over again by the next reading, under other ids. */
const LOST = `h.at < now() - interval '1 hour'`;

/** Notes what reading a store is about to hand to the recorder. */
export async function noteHanded(pool: Pool, deliveries: readonly Pick<AcceptedDelivery, 'id' | 'connectionId'>[]): Promise<void> {
  await pool.query(
    `with done as (delete from sync_handed h where h.connection_id = any($2) and (${RECORDED} or ${LOST}))
     insert into sync_handed (delivery_id, connection_id) select * from unnest($1::uuid[], $2::text[])`,
    [deliveries.map(({ id }) => id), deliveries.map(({ connectionId }) => connectionId)],
  );
}

/** Is something that was read from these stores in the last ten minutes still to be recorded? */
export async function isHandedOver(pool: Pool, connectionIds: readonly string[]): Promise<boolean> {
  const row = await readOne(pool, found, {
    text: `select exists (select from sync_handed h where h.connection_id = any($1) and h.at > now() - interval '10 minutes' and not ${RECORDED}) as found`,
    values: [connectionIds],
  });
  return row.found;
}
