import type { AuditDeps } from '../audit/month/generate-month.ts';
import { type MonthKey, readMonthState, type StoredMonth } from '../audit/month/month-state.ts';
import { readMonthSummary, readSummaryOfVersion } from '../audit/month/read-summary.ts';
import type { StoredVersion } from '../audit/month/read-versions.ts';
import type { MonthSummary } from '../audit/summary/month-summary.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import { type AuditFileDto, listAuditFiles } from './read-audit-files.ts';

/** A month as values, which the console, the page behind a link, the interface and the commands show. */
export type MonthView = {
  key: MonthKey;
  summary: MonthSummary;
  stored: StoredMonth;
  /** The newest first. */
  versions: AuditFileDto[];
  today: string;
  /** Is the month over? */
  isOver: boolean;
};

/** More versions than a month ever has. */
const MOST_VERSIONS = 1_000;

/** `version`: whose summary it is; null: of the month as it is now. Null if the shop is gone. */
export async function readMonthView(deps: AuditDeps, { shopId, month }: MonthKey, version: StoredVersion | null = null): Promise<MonthView | null> {
  const key = { shopId, month };
  const summary = version === null ? await readMonthSummary(deps, key) : await readSummaryOfVersion(deps, version);
  if (summary === null) return null;
  const { items } = await listAuditFiles(deps.pool, { ...key, limit: MOST_VERSIONS });
  const today = sofiaDay(deps.now().toISOString());
  const versions = items.toSorted((a, b) => b.version - a.version);
  return { key, summary, stored: await readMonthState(deps.pool, key), versions, today, isOver: month < monthOf(today) };
}
