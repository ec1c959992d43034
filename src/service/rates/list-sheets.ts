import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';

const sheet = z.object({ publishedOn: z.string(), rates: z.int() });

/** A sheet of the bank, and how many rates of it are stored. */
export type RateSheet = z.output<typeof sheet>;

const sheets = rowsOf('compliance.exchange_rates', sheet);

/** The newest sheets, the newest first. */
export function listSheets(pool: Queryable, limit: number): Promise<RateSheet[]> {
  return readRows(pool, sheets, {
    text: `select to_char(published_on, 'YYYY-MM-DD') as "publishedOn", count(*) as rates from compliance.exchange_rates group by published_on
      order by published_on desc limit $1`,
    values: [limit],
  });
}
