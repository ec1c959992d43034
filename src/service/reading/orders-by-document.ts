import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const idRows = rowsOf('compliance.orders', z.object({ id: z.string() }));
const presence = rowsOf('compliance.orders', z.object({ isHere: z.boolean() }));

/** The orders with this document number (ten digits): one a merchant at most. None where there is no service of our own. */
export async function ordersByDocument(pool: Pool, documentNumber: string): Promise<string[]> {
  const { isHere } = await readOne(pool, presence, { text: `select to_regclass('compliance.orders') is not null as "isHere"` });
  if (!isHere) return [];
  // Each shop's index has the number after the month.
  const rows = await readRows(pool, idRows, {
    text: `select o.id from compliance.shops s cross join lateral (
        select o.id from compliance.orders o where o.shop_id = s.id and o.document_number = $1) o limit 50`,
    values: [documentNumber],
  });
  return rows.map(({ id }) => id);
}
