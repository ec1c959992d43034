import { type AuditDiff, diffAuditFiles } from '../../service/audit/format/diff-audit-files.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { readVersion } from '../../service/audit/month/read-versions.ts';
import { versionContent } from './version-content.ts';

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
