import type { AuditDeps } from '../audit/month/generate-month.ts';
import type { MonthKey } from '../audit/month/month-key.ts';
import { type MonthState, readMonthState } from '../audit/month/month-state.ts';
import { readMonthSummary } from '../audit/month/read-summary.ts';
import type { MonthSummary } from '../audit/summary/month-summary.ts';
import { type AuditFileDto, listAuditFiles } from './read-audit-files.ts';

/** More versions than a month ever has. */
const MOST_VERSIONS = 1_000;

/** A month: what its page shows, as fields. `versions`: oldest first. */
export type MonthDto = MonthSummary & { monthState: MonthState; versions: AuditFileDto[] };

/** Null if the shop is gone. */
export async function readMonth(deps: AuditDeps, { shopId, month }: MonthKey): Promise<MonthDto | null> {
  const key = { shopId, month };
  const summary = await readMonthSummary(deps, key);
  if (summary === null) return null;
  const { items: versions } = await listAuditFiles(deps.pool, { ...key, limit: MOST_VERSIONS });
  return { ...summary, monthState: (await readMonthState(deps.pool, key)).state, versions };
}
