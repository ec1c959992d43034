import { storedContent } from '../audit/file/stored-content.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import { readSummaryOfVersion } from '../audit/month/read-summary.ts';
import { fileName, type StoredVersion } from '../audit/month/read-versions.ts';
import { renderSummary } from '../audit/summary/render-summary.ts';
import type { ContentAnswer } from '../http/send.ts';
import type { FileKind } from './portal-paths.ts';

/** A version to be downloaded; null if its shop is gone. */
export async function versionFile(audit: AuditDeps, file: StoredVersion, kind: FileKind): Promise<ContentAnswer | null> {
  const xml = fileName(file);
  switch (kind) {
    case 'xml': {
      const content = storedContent(audit.pool, 'audit_file_chunks', { id: file.id, bytes: file.bytes });
      return { status: 200, content, type: 'application/xml; charset=windows-1251', bytes: file.bytes, headers: saved(xml) };
    }
    case 'csv': {
      const content = storedContent(audit.pool, 'audit_csv_chunks', { id: file.id, bytes: null });
      return { status: 200, content, type: 'text/csv; charset=utf-8', headers: saved(xml.replace(/xml$/, 'csv')) };
    }
    case 'html': {
      const summary = await readSummaryOfVersion(audit, file);
      if (summary === null) return null;
      return {
        status: 200,
        content: renderSummary(summary, { kind: 'elsewhere' }),
        type: 'text/html; charset=utf-8',
        headers: saved(`spravka_${file.month}_v${file.version}.html`),
      };
    }
  }
}

function saved(name: string): Record<string, string> {
  return { 'content-disposition': `attachment; filename="${name}"` };
}
