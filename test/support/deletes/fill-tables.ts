import type { AuditWorld } from '../worlds/audit-world.ts';
import { OCTOBER, october } from '../worlds/october.ts';

/** What differs in the n-th copy of a table's row. */
const COPIES = {
  orders: `'id', md5('o' || n), 'internal_id', 'o' || n, 'internal_number', '#o' || n, 'listed_as', '#o' || n, 'document_number', 1000000 + n`,
  receipts: `'id', md5('c' || n), 'order_id', md5('o' || n)`,
  deleted_orders: `'id', md5('d' || n), 'internal_key', sha256(n::text::bytea), 'listed_number', '#d' || n, 'document_number', 2000000 + n`,
  voided_numbers: `'number', 2000000 + n`,
  filed_sales: `'id', md5('s' || n), 'order_number', '#s' || n, 'document_number', 3000000 + n`,
  returns: `'id', md5('r' || n), 'sale_id', md5('s' || n)`,
} as const;

/** Fills each table that a delete touches with so many rows of one shop, in October. `orderId`: of the n-th recorded order. */
export async function fillTables(w: AuditWorld, rows: number): Promise<{ orderId(n: number): Promise<string> }> {
  const { pool } = w.server;
  w.setClock('2026-09-20T10:00:00Z');
  const sold = await w.create(october(1, { internalCreatedAt: '2026-09-20T10:00:00+03:00' }));
  w.setClock(OCTOBER);
  await w.remove(sold.id);
  const kept = await w.create(october(2));
  await w.call('POST', `/order/${kept.id}/receipt`);
  const gone = await w.create(october(3));
  await w.remove(gone.id);
  for (const [table, changes] of Object.entries(COPIES)) {
    await pool.query(
      `insert into compliance.${table} select copy.* from (select * from compliance.${table} limit 1) one cross join generate_series(1, $1) n
       cross join lateral jsonb_populate_record(null::compliance.${table}, to_jsonb(one) || jsonb_build_object(${changes})) copy`,
      [rows],
    );
    await pool.query(`analyze compliance.${table}`);
  }
  const orderId = async (n: number): Promise<string> => (await pool.query(`select md5('o' || $1::text)::uuid as id`, [n])).rows[0].id;
  return { orderId };
}
