import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { termAt } from '../../term.ts';

const listingRows = rowsOf('compliance.audit_months', z.object({ own: z.string(), listed: z.string() }));

/** The month that would list an order now, for each of these months of a shop: one that was closed lists nothing more. */
export async function monthsListing(
  db: Queryable,
  { shopId, months, now }: { shopId: string; months: readonly string[]; now: Date },
): Promise<ReadonlyMap<string, string>> {
  const { today, firstOpen } = termAt(now);
  const rows = await readRows(db, listingRows, {
    text: `select m as own, to_char(compliance.month_for($1, to_date(m, 'YYYY-MM'), $3, $4), 'YYYY-MM') as listed from unnest($2::text[]) m`,
    values: [shopId, months, today, firstOpen],
  });
  return new Map(rows.map(({ own, listed }) => [own, listed]));
}
