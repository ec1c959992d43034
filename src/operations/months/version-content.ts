import { storedContent } from '../../service/audit/file/stored-content.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { readSummaryOfVersion } from '../../service/audit/month/read-summary.ts';
import { fileName, readVersionById, type StoredVersion } from '../../service/audit/month/read-versions.ts';
import { renderSummary } from '../../service/audit/summary/render-summary.ts';
import { Refusal } from '../refusal.ts';

/** `page`: the summary where no commands are typed. */
export type MonthFormat = 'xml' | 'csv' | 'html' | 'page' | 'bookkeeping';
type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A version of a month's file: the XML that is filed, a CSV or the page beside it. */
export async function versionContent(deps: AuditDeps, file: StoredVersion, format: MonthFormat): Promise<Bytes> {
  if (format === 'xml') return storedContent(deps.pool, 'audit_file_chunks', file);
  if (format === 'csv') return storedContent(deps.pool, 'audit_csv_chunks', { id: file.id, bytes: null });
  if (format === 'bookkeeping') return storedContent(deps.pool, 'audit_bookkeeping_chunks', { id: file.id, bytes: null });
  const summary = await readSummaryOfVersion(deps, file);
  if (summary === null)
    throw new Refusal('missing', {
      en: `the shop was deleted meanwhile, and with it the file of ${file.month}`,
      bg: `обектът междувременно е изтрит, а с него и файлът за ${file.month}`,
    });
  return [Buffer.from(format === 'page' ? renderSummary(summary, { kind: 'elsewhere' }) : renderSummary(summary))];
}

/** As a version is saved; `end`: instead of `.xml`. */
export function versionFileName(file: StoredVersion, end: string): string {
  return fileName(file).replace(/\.xml$/, end);
}

/** A version that was just made. */
export async function madeVersion({ pool }: AuditDeps, id: string): Promise<StoredVersion> {
  const stored = await readVersionById(pool, id);
  if (stored === null) throw new Refusal('missing', { en: 'the shop was deleted meanwhile', bg: 'обектът междувременно е изтрит' });
  return stored;
}
