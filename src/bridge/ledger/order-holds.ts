import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { RECORD_BEHIND } from './behind-store.ts';
import { storedCode } from './stored-order.ts';

const holdRow = z.object({ id: z.int(), shopId: z.string().nullable(), code: storedCode, detail: z.string(), since: z.string() });
const holdRows = rowsOf('pauses', holdRow);

/** The pause that an order waits for; `shopId` null: it is one of the whole destination. `since`: ISO instant. */
export type OrderHold = Omit<z.output<typeof holdRow>, 'id'>;

/** Of these orders (by their ids in the ledger), the queued ones that a pause keeps waiting. */
export async function orderHolds(pool: Pool, ids: readonly number[]): Promise<ReadonlyMap<number, OrderHold>> {
  const rows = await readRows(pool, holdRows, {
    text: `select distinct on (o.id) o.id, p.shop_id as "shopId", p.code, p.detail, p.since from orders o join connections c on c.id = o.connection_id
        join pauses p on p.destination_id = coalesce(o.record_destination, c.destination_id) and (p.shop_id is null or p.shop_id = o.shop_id) and p.call_type = 'records'
      where o.id = any($1) and o.state = 'queued' and ${RECORD_BEHIND} order by o.id, p.since`,
    values: [ids],
  });
  return new Map(rows.map(({ id, ...hold }) => [id, hold]));
}
