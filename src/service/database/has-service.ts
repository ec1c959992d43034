import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../platform/postgres/read-rows.ts';

const known = rowsOf('pg_class', z.object({ known: z.boolean() }));

/** Does this database hold our compliance service, with the tables that this program reads? Whichever process serves it. */
export async function hasService(db: Queryable): Promise<boolean> {
  return (await readOne(db, known, { text: `select to_regclass('compliance.company_owners') is not null as known` })).known;
}
