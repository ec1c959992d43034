import type { Pool } from '../../platform/postgres/postgres.ts';
import { type ContentTable, storedContent } from '../audit/file/stored-content.ts';
import type { Answer } from '../http/send.ts';
import { ofShopAndMonthQuery } from '../reading/queries.ts';
import { type AuditFileDto, findAuditFile, listAuditFiles } from '../reading/read-audit-files.ts';
import { addGet, found, mustOwn, ok, own, query, type RouteDeps } from './routes.ts';

/** /audit-files */
export function addAuditFileRoutes(deps: RouteDeps): void {
  const { pool } = deps;
  addGet(deps, '/audit-files', async ({ req, caller }) => {
    const filter = query(ofShopAndMonthQuery, req.query);
    await mustOwn(pool, caller.keyId, filter.shopId);
    return ok(await listAuditFiles(pool, { ...filter, keyId: caller.keyId }));
  });
  addGet(deps, '/audit-files/:id', async (call) => ok(found(await findAuditFile(pool, own(call, 'audit file')), 'audit file')));
  addGet(deps, '/audit-files/:id/content', async (call) => content(pool, found(await findAuditFile(pool, own(call, 'audit file')), 'audit file')));
  addGet(deps, '/audit-files/:id/csv', async (call) => csv(pool, found(await findAuditFile(pool, own(call, 'audit file')), 'audit file'), ORDERS));
  addGet(deps, '/audit-files/:id/bookkeeping-csv', async (call) =>
    csv(pool, found(await findAuditFile(pool, own(call, 'audit file')), 'audit file'), BOOKKEEPING),
  );
}

function content(pool: Pool, { id, month, version, bytes, sha256 }: AuditFileDto): Answer {
  return {
    status: 200,
    content: storedContent(pool, 'audit_file_chunks', { id, bytes }),
    type: 'application/xml; charset=windows-1251',
    bytes,
    headers: {
      'content-disposition': `attachment; filename="audit-${month}-${version}.xml"`,
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    },
  };
}

type Csv = { table: ContentTable; name: string };
const ORDERS: Csv = { table: 'audit_csv_chunks', name: 'audit' };
const BOOKKEEPING: Csv = { table: 'audit_bookkeeping_chunks', name: 'bookkeeping' };

function csv(pool: Pool, { id, month, version }: AuditFileDto, { table, name }: Csv): Answer {
  return {
    status: 200,
    content: storedContent(pool, table, { id, bytes: null }),
    type: 'text/csv; charset=utf-8',
    headers: { 'content-disposition': `attachment; filename="${name}-${month}-${version}.csv"` },
  };
}
