import type pg from 'pg';
import { isoText } from '../../platform/postgres/iso-text.ts';
import type { AuditSums, Finding } from '../audit/audit-file.ts';
import { comesAfter, conditions } from './conditions.ts';
import { cursorText, type Page, pageOf } from './page.ts';
import type { OfShopAndMonthQuery } from './queries.ts';
import type { Scope } from './read-shops.ts';

/** A version of a month's audit file. `sums` are decimal text in the accounting currency of the month, whatever the key's unit is. */
export type AuditFileDto = {
  id: string;
  shopId: string;
  month: string;
  version: number;
  createdAt: string;
  /** Orders recorded until then are in it. */
  cutAt: string;
  /** Of the bytes, in hex. */
  sha256: string;
  bytes: number;
  monthState: 'open' | 'generated' | 'filed' | 'rejected';
  /** Is this the version that a person marked as filed? */
  filed: boolean;
  sums: AuditSums;
  findings: Finding[];
};

const SELECT = `
  select f.id, f.shop_id as "shopId", to_char(f.month, 'YYYY-MM') as month, f.version, ${isoText('f.created_at')} as "createdAt",
    ${isoText('f.cut_at')} as "cutAt", f.sha256, f.bytes::float8 as bytes,
    coalesce(m.state, 'open') as "monthState", coalesce(m.state = 'filed' and m.filed_version = f.version, false) as filed, f.sums, f.findings, ${cursorText('f')} as cursor
  from compliance.audit_files f join compliance.shops s on s.id = f.shop_id
    left join compliance.audit_months m on m.shop_id = f.shop_id and m.month = f.month`;

type Row = AuditFileDto & { cursor: string };

/** The audit files of a key's shops, oldest first. */
export async function listAuditFiles(pool: pg.Pool, { keyId, limit, after, shopId, month }: Scope & OfShopAndMonthQuery): Promise<Page<AuditFileDto>> {
  const { where, values } = conditions([
    ['s.api_key_id = ?', keyId],
    ['f.shop_id = ?', shopId],
    [`f.month = to_date(?, 'YYYY-MM')`, month],
    comesAfter('f', after),
  ]);
  const { rows } = await pool.query<Row>(`${SELECT} where ${where} order by f.created_at, f.id limit ${limit + 1}`, values);
  return pageOf(rows, limit, auditFileDto);
}

/** Null if the key has no such file. */
export async function readAuditFile(pool: pg.Pool, { keyId, id }: Scope & { id: string }): Promise<AuditFileDto | null> {
  const { where, values } = conditions([
    ['f.id = ?', id],
    ['s.api_key_id = ?', keyId],
  ]);
  const { rows } = await pool.query<Row>(`${SELECT} where ${where}`, values);
  return rows[0] === undefined ? null : auditFileDto(rows[0]);
}

function auditFileDto({ cursor: _, ...file }: Row): AuditFileDto {
  return file;
}
