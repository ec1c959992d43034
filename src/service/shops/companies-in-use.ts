import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const used = rowsOf('compliance.shops', z.object({ merchant: z.string() }));

/** Which of these merchants have a shop here, an owner, or numbers; test shops aside. */
export async function companiesInUse(db: Queryable, merchants: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await readRows(db, used, {
    text: `select m.merchant from unnest($1::text[]) m(merchant) where exists (select from compliance.shops s where s.merchant = m.merchant)
      or exists (select from compliance.company_owners w where w.merchant = m.merchant) or exists (select from compliance.merchants n where n.id = m.merchant)`,
    values: [merchants],
  });
  return new Set(rows.map(({ merchant }) => merchant));
}
