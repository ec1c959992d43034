import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { readOutstanding } from './outstanding.ts';
import type { AuditShop } from './shop-of-month.ts';

const known = rowsOf('compliance.shops', z.object({ isKnown: z.boolean() }));
const OF_MONTH = `shop_id = $1 and month = to_date($2, 'YYYY-MM')`;
const KEPT = ['orders', 'filed_sales', 'returns', 'audit_files'].map((table) => `exists (select from compliance.${table} where ${OF_MONTH})`).join(' or ');

/** Is a month the shop's here: since it exists, or because something is known of it? */
export async function isOurs(db: Queryable, { id: shopId, since, month }: Pick<AuditShop, 'id' | 'since'> & { month: string }, now: Date): Promise<boolean> {
  if (month >= since) return true;
  const { isKnown } = await readOne(db, known, { text: `select ${KEPT} as "isKnown"`, values: [shopId, month] });
  return isKnown || (await readOutstanding(db, { shopId, month }, now)) !== undefined;
}
