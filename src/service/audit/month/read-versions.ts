import { z } from 'zod';
import { isoText } from '../../../platform/postgres/iso-text.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { FileVersion } from '../summary/month-summary.ts';
import type { MonthKey } from './month-key.ts';
import { shopHeader } from './shop-header.ts';
import { storedFinding } from './stored-finding.ts';
import { versionSummary } from './version-summary.ts';

const stored = z.object({
  id: z.string(),
  shopId: z.string(),
  month: z.string(),
  version: z.int(),
  createdAt: z.string(),
  cutAt: z.string(),
  sha256: z.string(),
  bytes: z.number(),
  findings: z.array(storedFinding),
  summary: versionSummary,
  header: shopHeader,
  leftOut: z.array(z.string()),
});

const storedVersions = rowsOf('compliance.audit_files', stored);

/** A version of a month's file, without its content. */
export type StoredVersion = z.output<typeof stored>;

const SELECT = `select id, shop_id as "shopId", to_char(month, 'YYYY-MM') as month, version, ${isoText('created_at')} as "createdAt",
  to_char(cut_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "cutAt", sha256, bytes::float8 as bytes, findings, summary, header, left_out as "leftOut" from compliance.audit_files`;

/** A version of a month, the last one if none is named; null if there is none. */
export async function readVersion(db: Queryable, { shopId, month }: MonthKey, version: number | null = null): Promise<StoredVersion | null> {
  return readRow(db, storedVersions, {
    text: `${SELECT} where shop_id = $1 and month = to_date($2, 'YYYY-MM') and ($3::int is null or version = $3) order by version desc limit 1`,
    values: [shopId, month, version],
  });
}

/** Null if it was deleted with its shop. */
export async function readVersionById(db: Queryable, id: string): Promise<StoredVersion | null> {
  return readRow(db, storedVersions, { text: `${SELECT} where id = $1`, values: [id] });
}

/** The file name of a version. */
export function fileName({ month, version, header }: Pick<StoredVersion, 'month' | 'version' | 'header'>): string {
  return `audit_${header.nraNumber.replace(/[^A-Za-z0-9]/g, '_')}_${month}_v${version}.xml`;
}

export function fileVersion(file: StoredVersion): FileVersion {
  const { version, createdAt, sha256, bytes } = file;
  return { name: fileName(file), version, createdAt, sha256, bytes };
}
