import { storedContent } from '../../service/audit/file/stored-content.ts';
import { type AuditDiff, diffAuditFiles } from '../../service/audit/format/diff-audit-files.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { type MonthKey, readMonthState } from '../../service/audit/month/month-state.ts';
import { readSummaryOfVersion } from '../../service/audit/month/read-summary.ts';
import { fileName, readVersion, readVersionById, type StoredVersion } from '../../service/audit/month/read-versions.ts';
import { renderSummary } from '../../service/audit/summary/render-summary.ts';
import { type MonthView, readMonthView } from '../../service/reading/month-view.ts';
import { Refusal } from '../refusal.ts';

/** The named version; without a name the one that was filed, else the last one. `last`: the newest that exists. */
type FoundVersion = { file: StoredVersion } | { file: null; last: number | null };

export async function versionOf({ pool }: AuditDeps, key: MonthKey, version: number | null): Promise<FoundVersion> {
  const { state, filedVersion } = await readMonthState(pool, key);
  const file = await readVersion(pool, key, version ?? (state === 'filed' ? filedVersion : null));
  return file === null ? { file, last: (await readVersion(pool, key))?.version ?? null } : { file };
}

/** A month, with the summary of one version of its file if one is named. */
export async function monthView(deps: AuditDeps, key: MonthKey, version: StoredVersion | null): Promise<MonthView> {
  const view = await readMonthView(deps, key, version);
  if (view === null) throw new Refusal('missing', { en: 'the shop was deleted meanwhile', bg: 'обектът междувременно е изтрит' });
  return view;
}

/** `page`: the summary where no commands are typed. */
export type MonthFormat = 'xml' | 'csv' | 'html' | 'page' | 'bookkeeping';

/** A version of a month's file: the XML that is filed, a CSV or the page beside it. */
export async function versionContent(deps: AuditDeps, file: StoredVersion, format: MonthFormat): Promise<AsyncIterable<Uint8Array> | Iterable<Uint8Array>> {
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

/** How each is saved; `end`: instead of `.xml`. */
export const monthFiles: Readonly<Record<Exclude<MonthFormat, 'html'>, { type: string; end: string }>> = {
  xml: { type: 'application/xml; charset=windows-1251', end: '.xml' },
  csv: { type: 'text/csv; charset=utf-8', end: '.csv' },
  bookkeeping: { type: 'text/csv; charset=utf-8', end: '_bookkeeping.csv' },
  page: { type: 'text/html; charset=utf-8', end: '.html' },
};

type SavedFile = { content: Awaited<ReturnType<typeof versionContent>>; type: string; name: string };

/** A version of a month's file, to be saved. */
export async function savedFile(deps: AuditDeps, file: StoredVersion, kind: keyof typeof monthFiles): Promise<SavedFile> {
  return { content: await versionContent(deps, file, kind), type: monthFiles[kind].type, name: savedName(file, kind) };
}

export function savedName(file: StoredVersion, kind: keyof typeof monthFiles): string {
  return fileName(file).replace(/\.xml$/, monthFiles[kind].end);
}

/** A version that was just made. */
export async function madeVersion({ pool }: AuditDeps, id: string): Promise<StoredVersion> {
  const stored = await readVersionById(pool, id);
  if (stored === null) throw new Refusal('missing', { en: 'the shop was deleted meanwhile', bg: 'обектът междувременно е изтрит' });
  return stored;
}

/** Larger files take memory and seconds, while others wait: `service audit diff` compares them in a process of its own. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Null: there is no such version. */
export type DiffedVersions = { kind: 'diff'; diff: AuditDiff } | { kind: 'too-large' } | null;

/** What differs between two versions of a month's file. */
export async function diffVersions(deps: AuditDeps, key: MonthKey, { first, second }: { first: number; second: number }): Promise<DiffedVersions> {
  const [a, b] = [await readVersion(deps.pool, key, first), await readVersion(deps.pool, key, second)];
  if (a === null || b === null) return null;
  if (a.bytes + b.bytes > MOST_BYTES) return { kind: 'too-large' };
  const diff = await diffAuditFiles(await streamed(deps, a), await streamed(deps, b));
  if ('unreadable' in diff) throw new Error(`versions ${first} and ${second} of ${key.month} can't be read as audit files`);
  return { kind: 'diff', diff };
}

type Streamed = Exclude<Awaited<ReturnType<typeof versionContent>>, Iterable<Uint8Array>>;

async function streamed(deps: AuditDeps, file: Parameters<typeof versionContent>[1]): Promise<Streamed> {
  const content = await versionContent(deps, file, 'xml');
  return Symbol.asyncIterator in content ? content : onePart(content);
}

async function* onePart(content: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* content;
}
