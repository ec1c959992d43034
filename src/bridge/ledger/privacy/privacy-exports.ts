import { z } from 'zod';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { jsonText } from '../json-columns.ts';
import { OF_IDS, type PrivacyScope } from './erasures.ts';

// Returned as it is stored.
const exported = rowsOf('orders', z.record(z.string(), z.unknown()));
const privacyExports = rowsOf(
  'privacy_exports',
  z.object({ id: z.int(), connectionId: z.string(), requestId: z.string(), createdAt: z.string(), data: z.unknown() }),
);

export type PrivacyExport = z.output<typeof privacyExports.schema>;

/** Exports the stored data of these orders for the merchant, who must hand it to the customer. */
export async function storeExport(pool: Pool, scope: PrivacyScope, request: { connectionId: string; requestId: string }): Promise<void> {
  const orders = await readRows(pool, exported, {
    text: `select o.order_id, o.platform_id, o.number, o.state, o.record, o.compliance_id, c.data as customer from orders o left join customers c on c.order_ref = o.id
     where o.shop_id = $1 and o.platform = $2 and o.store = $3 and (${OF_IDS}) order by o.id`,
    values: [scope.shopId, scope.platform, scope.store, scope.orderIds],
  });
  await pool.query('insert into privacy_exports (connection_id, request_id, data) values ($1, $2, $3) on conflict do nothing', [
    request.connectionId,
    request.requestId,
    jsonText({ orders }),
  ]);
}

export async function listExports(pool: Pool): Promise<PrivacyExport[]> {
  return readRows(pool, privacyExports, {
    text: 'select id, connection_id as "connectionId", request_id as "requestId", created_at as "createdAt", data from privacy_exports order by id',
  });
}

/** Returns how many. */
export async function dropOldExports(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from privacy_exports where id in (select id from privacy_exports where created_at < $2::timestamptz - $1 * interval '1 day' order by id limit 1000)`,
    [days, now],
  );
  return rowCount ?? 0;
}
