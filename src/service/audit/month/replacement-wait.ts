import { z } from 'zod';
import { isoText } from '../../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { MonthKey } from './month-key.ts';

const lastDeleted = rowsOf('compliance.deleted_orders', z.object({ last: z.string().nullable() }));

/**
 * Until when a file should wait for replacements (ISO text): an order of it was deleted less than `waitMs` ago, and its replacement may be on its way.
 * Null if there is nothing to wait for.
 */
export async function waitsUntil(db: Queryable, { shopId, month, waitMs, now }: MonthKey & { waitMs: number; now: Date }): Promise<string | null> {
  const { last } = await readOne(db, lastDeleted, {
    text: `select ${isoText('max(d.deleted_at)')} as last from compliance.deleted_orders d
     where d.shop_id = $1 and d.affects = to_date($2, 'YYYY-MM') and d.replaced_by is null and d.deleted_at > $3`,
    values: [shopId, month, new Date(now.getTime() - waitMs)],
  });
  return last === null ? null : new Date(Date.parse(last) + waitMs).toISOString();
}
