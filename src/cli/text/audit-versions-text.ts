import { localTime } from '../../platform/terminal/local-time.ts';
import { textTable } from '../../platform/terminal/text-table.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import type { AuditFileDto } from '../../service/reading/read-audit-files.ts';
import { byLevel } from './audit-report-text.ts';
import { auditCommandLine } from './audit-words.ts';

/** The versions of a month's file, one a line; nothing if there are none. `width`: the columns of the terminal; undefined: it is none. */
export function versionsText(versions: readonly AuditFileDto[], width: number | undefined): string[] {
  if (versions.length === 0) return [];
  const rows = versions.map(({ version, createdAt, sums, findings, sha256, filed }) => [
    filed ? `${version} (filed)` : String(version),
    localTime(createdAt),
    String(sums.orders),
    sums.total,
    sums.vat,
    `${sums.returns} (${sums.returned})`,
    String(byLevel(findings).warnings.length),
    sha256,
  ]);
  const header = ['version', 'made', 'orders', 'total', 'VAT', 'returns', 'warnings', 'SHA-256'] as const;
  return ['', 'VERSIONS', '', ...textTable(header, rows, { give: ['SHA-256', 'VAT', 'returns'], width })];
}

/** Why a version was not found; `last` is null if there is none at all. */
export function noVersionWords(key: MonthKey, last: number | null): string {
  return last === null
    ? `no file of ${key.month} was made yet; ${auditCommandLine('generate', key)} makes it`
    : `there is no such version of the file of ${key.month}; the last one is ${last}, and ${auditCommandLine('show', key)} lists them`;
}
