import { z } from 'zod';
import { isoText } from '../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { MonthKey } from '../audit/month/month-key.ts';

const listed = z.object({ version: z.int(), createdAt: z.string(), bytes: z.number() });
const versions = rowsOf('compliance.audit_files', listed);

export type ListedVersion = z.output<typeof listed>;

/** The newest are offered; a month has few. */
const MOST = 100;

/** The versions of a month's file, newest first. */
export async function listedVersions(db: Queryable, { shopId, month }: MonthKey): Promise<ListedVersion[]> {
  return readRows(db, versions, {
    text: `select version, ${isoText('created_at')} as "createdAt", bytes::float8 as bytes from compliance.audit_files
     where shop_id = $1 and month = to_date($2, 'YYYY-MM') order by version desc limit ${MOST}`,
    values: [shopId, month],
  });
}
