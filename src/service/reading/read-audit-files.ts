import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { isoText, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { monthState } from '../audit/month/month-state.ts';
import { storedFinding, storedSums } from '../audit/month/read-versions.ts';
import { comesAfter, conditions, cursorText, type ListPage, type OfShopAndMonthQuery, pageOf } from './listing.ts';
import type { KeyScope } from './read-shops.ts';

export const auditFile = z.object({
  id: z.string(),
  shopId: z.string(),
  month: z.string(),
  version: z.int().describe('1, 2, …: every version is kept.'),
  createdAt: z.string(),
  cutAt: z.string(),
  sha256: z.string().describe('Of the bytes, in hex.'),
  bytes: z.int(),
  monthState: monthState.describe('State of the month.'),
  filed: z.boolean().describe('Is this the version that a person marked as filed?'),
  sums: storedSums,
  findings: z.array(storedFinding),
});

/** A version of a month's audit file. `sums` are decimal text in the accounting currency of the month, whatever the key's unit is. */
export type AuditFileDto = z.output<typeof auditFile>;

const SELECT = `
  select f.id, f.shop_id as "shopId", to_char(f.month, 'YYYY-MM') as month, f.version, ${isoText('f.created_at')} as "createdAt",
    ${isoText('f.cut_at')} as "cutAt", f.sha256, f.bytes::float8 as bytes,
    coalesce(m.state, 'open') as "monthState", coalesce(m.state = 'filed' and m.filed_version = f.version, false) as filed, f.sums, f.findings, ${cursorText('f')} as cursor
  from compliance.audit_files f join compliance.shops s on s.id = f.shop_id
    left join compliance.audit_months m on m.shop_id = f.shop_id and m.month = f.month`;

const fileRows = rowsOf('compliance.audit_files', auditFile.extend({ cursor: z.string() }));

/** The audit files of a key's shops, oldest first. */
export async function listAuditFiles(pool: Pool, { keyId, limit, after, shopId, month }: KeyScope & OfShopAndMonthQuery): Promise<ListPage<AuditFileDto>> {
  const { where, values } = conditions([
    ['s.api_key_id = ?', keyId],
    ['f.shop_id = ?', shopId],
    [`f.month = to_date(?, 'YYYY-MM')`, month],
    comesAfter('f', after),
  ]);
  const rows = await readRows(pool, fileRows, { text: `${SELECT} where ${where} order by f.created_at, f.id limit ${limit + 1}`, values });
  return pageOf(rows, limit, auditFileDto);
}

/** Null if the key has no such file. */
export async function findAuditFile(pool: Pool, { keyId, id }: KeyScope & { id: string }): Promise<AuditFileDto | null> {
  const { where, values } = conditions([
    ['f.id = ?', id],
    ['s.api_key_id = ?', keyId],
  ]);
  const row = await readRow(pool, fileRows, { text: `${SELECT} where ${where}`, values });
  return row === null ? null : auditFileDto(row);
}

function auditFileDto({ cursor: _, ...dto }: z.output<typeof fileRows.schema>): AuditFileDto {
  return dto;
}
