import type { Said } from '../../platform/trail/trail.ts';
import type { AuditDeps } from '../../service/audit/month/generate-month.ts';
import { type Incomplete, type Marked, markFiled, markRejected, type Outdated } from '../../service/audit/month/mark-month.ts';
import type { MonthKey } from '../../service/audit/month/month-key.ts';
import { type MonthState, readMonthState } from '../../service/audit/month/month-state.ts';
import { readVersion } from '../../service/audit/month/read-versions.ts';
import { deadlineOf } from '../../service/law/deadlines.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';

/** `version` null: the last one. `asIs`: also if it lacks the last changes. `withoutOutstanding`: also if paid orders are not recorded. */
type Filing = MonthKey & { version: number | null; asIs: boolean; withoutOutstanding: boolean; said: Said };

/** no-file: there is no such version; `last` null: none at all. already: it is marked as filed. */
export type NotFiled =
  | { ok: false; why: 'no-file'; last: number | null }
  | { ok: false; why: 'already'; filedVersion: number | null; filedAt: string | null }
  | Outdated
  | Incomplete;

/** `later`: the last version, if it is another than the one that was filed. `without`: paid orders that are not recorded, if there are any. */
export type Filed = { ok: true; version: number; later: number | null; without?: Incomplete['outstanding'] } | NotFiled;

/** A person has filed a version of a month's file in the agency's portal; the month is closed. */
export async function fileMonth(deps: AuditDeps, { shopId, month, ...filing }: Filing): Promise<Filed> {
  const key = { shopId, month };
  const marked = await markFiled(deps.pool, { ...key, ...filing, now: deps.now() });
  if (!marked.ok) return notFiled(deps, key, marked);
  const last = await readVersion(deps.pool, key);
  return { ...marked, later: last !== null && last.version > marked.version ? last.version : null };
}

async function notFiled({ pool }: AuditDeps, key: MonthKey, refused: Extract<Marked, { ok: false }>): Promise<NotFiled> {
  if (refused.why === 'outdated' || refused.why === 'outstanding') return refused;
  if (refused.why === 'no-file') return { ok: false, why: 'no-file', last: (await readVersion(pool, key))?.version ?? null };
  const { filedVersion, filedAt } = await readMonthState(pool, key);
  return { ok: false, why: 'already', filedVersion, filedAt };
}

/** too-late: rows of the file that were deleted since are no longer kept. not-filed: the month is in another state. */
export type NotRejected = { ok: false; why: 'too-late' } | { ok: false; why: 'not-filed'; state: MonthState };

/** `inTerm`: the month is open again, until its deadline. */
export type Rejected = { ok: true; version: number; deadline: string; inTerm: boolean } | NotRejected;

/** The agency found errors in what was filed, so that another version can be made. */
export async function rejectMonth(deps: AuditDeps, { shopId, month, said }: MonthKey & { said: Said }): Promise<Rejected> {
  const key = { shopId, month };
  const marked = await markRejected(deps.pool, { ...key, said });
  if (marked.ok) {
    const deadline = deadlineOf(month);
    return { ok: true, version: marked.version, deadline, inTerm: sofiaDay(deps.now().toISOString()) <= deadline };
  }
  if (marked.why === 'too-late') return { ok: false, why: 'too-late' };
  return { ok: false, why: 'not-filed', state: (await readMonthState(deps.pool, key)).state };
}
