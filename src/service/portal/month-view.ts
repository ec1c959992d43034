import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { isoText, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { AuditDeps } from '../audit/month/generate-month.ts';
import { type MonthKey, readMonthState, type StoredMonth } from '../audit/month/month-state.ts';
import { readMonthSummary } from '../audit/month/read-summary.ts';
import type { MonthSummary } from '../audit/summary/month-summary.ts';
import { monthOf, sofiaDay } from '../law/calendar.ts';
import type { ActName } from './messages.ts';

/** What the page of a month is made from. */
export type MonthView = { key: MonthKey; summary: MonthSummary; stored: StoredMonth; versions: ListedVersion[]; today: string };

/** Null if there is no such shop. */
export async function readMonthView(audit: AuditDeps, key: MonthKey): Promise<MonthView | null> {
  const summary = await readMonthSummary(audit, key);
  if (summary === null) return null;
  const stored = await readMonthState(audit.pool, key);
  return { key, summary, stored, versions: await listedVersions(audit.pool, key), today: sofiaDay(audit.now().toISOString()) };
}

/** What can be done now, the most likely first: a file that lacks something is made again before it is filed. */
export function possibleActs({ key, summary, stored, versions, today }: MonthView): ActName[] {
  // The agency's number may come later than the file was marked, or be mistyped.
  if (stored.state === 'filed') return stored.incomingNumber === null ? ['filed', 'rejected'] : ['rejected', 'filed'];
  if (summary.situation.kind === 'not-ours' || summary.situation.kind === 'test') return [];
  if (key.month >= monthOf(today)) return [];
  const { kind } = summary.situation;
  if (kind === 'returns-only') return ['nothing', 'again'];
  if (versions.length === 0) return kind === 'empty' && stored.state === 'open' ? ['nothing', 'again'] : ['again'];
  const isWhole = summary.situation.kind === 'generated' && summary.changes.count === 0 && summary.outstanding === undefined;
  return isWhole ? ['filed', 'again'] : ['again', 'filed'];
}

const listed = z.object({ version: z.int(), createdAt: z.string(), bytes: z.number() });
const versions = rowsOf('compliance.audit_files', listed);

type ListedVersion = z.output<typeof listed>;

/** The newest are offered; a month has few. */
const MOST = 100;

/** The versions of a month's file, newest first. */
async function listedVersions(db: Queryable, { shopId, month }: MonthKey): Promise<ListedVersion[]> {
  return readRows(db, versions, {
    text: `select version, ${isoText('created_at')} as "createdAt", bytes::float8 as bytes from compliance.audit_files
     where shop_id = $1 and month = to_date($2, 'YYYY-MM') order by version desc limit ${MOST}`,
    values: [shopId, month],
  });
}
