import { z } from 'zod';
import { inTransaction, type Pool, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { openOrNull, type SealedPlace } from '../../../platform/seal.ts';
import { buyerColumn, withBuyers } from '../buyers.ts';
import { recordOf } from '../order-columns.ts';
import { OF_IDS, type PrivacyScope } from './erasures.ts';

const data = z.record(z.string(), z.unknown());
const orders = rowsOf('orders', z.object({ id: z.int(), platformId: z.string(), data, customer: buyerColumn, erased: z.boolean() }));
const ids = rowsOf('privacy_exports', z.object({ id: z.int() }));
const exportRows = rowsOf('privacy_exports', z.object({ id: z.int(), connectionId: z.string(), requestId: z.string(), createdAt: z.string() }));
const orderRows = rowsOf('privacy_export_orders', z.object({ exportId: z.int(), orderRef: z.int(), data, buyer: z.string().nullable() }));

/** What a buyer asked to see: the data of their orders, as it was then, without what was erased since. */
export type PrivacyExport = z.output<typeof exportRows.schema> & { data: { orders: Record<string, unknown>[] } };

/** Of an order whose buyer does not open. */
const UNREADABLE = { unreadable: 'customer' };

const placeOf = (exportId: number, orderRef: number): SealedPlace => ({
  table: 'bridge.privacy_export_orders',
  column: 'buyer',
  id: `${exportId}/${orderRef}`,
});

/** Exports the stored data of these orders for the merchant, who must hand it to the customer. */
export async function storeExport(pool: Pool, scope: PrivacyScope, request: { connectionId: string; requestId: string }): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const found = await readRows(tx, withBuyers(tx, orders, { waits: true }), {
      text: `select o.id, coalesce(o.platform_id, o.order_id) as "platformId", c.data as customer, c.erased_at is not null as erased, jsonb_build_object('order_id', o.order_id, 'platform_id', o.platform_id,
          'number', o.number, 'state', o.state, 'record', ${recordOf('o')}, 'compliance_id', o.compliance_id) as data
        from orders o left join customers c on c.order_ref = o.id
        where o.shop_id = $1 and o.platform = $2 and o.store = $3 and (${OF_IDS}) order by o.id`,
      values: [scope.shopId, scope.platform, scope.store, scope.orderIds],
    });
    const made = await readRow(tx, ids, {
      text: 'insert into privacy_exports (connection_id, request_id) values ($1, $2) on conflict do nothing returning id',
      values: [request.connectionId, request.requestId],
    });
    if (made === null) return;
    const sealer = sealerOf(tx);
    const rows = found.map(({ id, platformId, data: of, customer }) => ({
      ...{ order_ref: id, platform_id: platformId, data: customer.kind === 'unopened' ? { ...of, ...UNREADABLE } : of },
      buyer: customer.kind === 'known' ? sealer.seal(JSON.stringify(customer.customer), placeOf(made.id, id)) : null,
    }));
    await tx.query(
      `insert into privacy_export_orders (export_id, order_ref, platform_id, data, buyer)
        select $1, order_ref, platform_id, data, buyer from jsonb_to_recordset($2) as x(order_ref bigint, platform_id text, data jsonb, buyer text)`,
      [made.id, JSON.stringify(rows)],
    );
  });
}

export async function listExports(pool: Pool): Promise<PrivacyExport[]> {
  const all = await readRows(pool, exportRows, {
    text: 'select id, connection_id as "connectionId", request_id as "requestId", created_at as "createdAt" from privacy_exports order by id',
  });
  const rows = await readRows(pool, orderRows, {
    text: 'select export_id as "exportId", order_ref as "orderRef", data, buyer from privacy_export_orders order by export_id, order_ref',
  });
  const ofExport = Map.groupBy(rows, ({ exportId }) => exportId);
  return all.map((one) => ({ ...one, data: { orders: (ofExport.get(one.id) ?? []).map((row) => ({ ...row.data, ...buyerIn(pool, row) })) } }));
}

function buyerIn(pool: Pool, { exportId, orderRef, buyer }: z.output<typeof orderRows.schema>): Record<string, unknown> {
  if (buyer === null) return {};
  const opened = openOrNull(sealerOf(pool), buyer, placeOf(exportId, orderRef));
  return opened === null ? UNREADABLE : { customer: JSON.parse(opened) };
}

/** Returns how many. */
export async function dropOldExports(pool: Pool, { days, now }: { days: number; now: Date }): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from privacy_exports where id in (select id from privacy_exports where created_at < $2::timestamptz - $1 * interval '1 day' order by id limit 1000)`,
    [days, now],
  );
  return rowCount ?? 0;
}
