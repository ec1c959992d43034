import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { type MonthState, readMonthState } from '../../service/audit/month/month-state.ts';
import { readMonthSummary, readSummaryOfVersion } from '../../service/audit/month/read-summary.ts';
import { readVersion, type StoredVersion } from '../../service/audit/month/read-versions.ts';
import type { MonthSummary } from '../../service/audit/summary/month-summary.ts';
import { type AuditFileDto, listAuditFiles } from '../../service/reading/read-audit-files.ts';
import { Refusal } from '../refusal.ts';

/** More versions than a month ever has. */
const MOST_VERSIONS = 1_000;

/** The named version; without a name the one that was filed, else the last one. `last`: the newest that exists. */
export type FoundVersion = { file: StoredVersion } | { file: null; last: number | null };

export async function versionOf({ pool }: AuditDeps, key: MonthKey, version: number | null): Promise<FoundVersion> {
  const { state, filedVersion } = await readMonthState(pool, key);
  const file = await readVersion(pool, key, version ?? (state === 'filed' ? filedVersion : null));
  return file === null ? { file, last: (await readVersion(pool, key))?.version ?? null } : { file };
}

/** The summary of a month, or with `version` of one version of its file. */
export async function monthSummary(deps: AuditDeps, key: MonthKey, version: StoredVersion | null): Promise<MonthSummary> {
  const summary = version === null ? await readMonthSummary(deps, key) : await readSummaryOfVersion(deps, version);
  if (summary === null) throw new Refusal('missing', { en: 'the shop was deleted meanwhile', bg: 'обектът междувременно е изтрит' });
  return summary;
}

/** The state of a month, with every version of its file, oldest first. */
export async function monthVersions({ pool }: AuditDeps, key: MonthKey): Promise<{ state: MonthState; versions: AuditFileDto[] }> {
  const { items: versions } = await listAuditFiles(pool, { ...key, limit: MOST_VERSIONS });
  return { state: (await readMonthState(pool, key)).state, versions };
}
