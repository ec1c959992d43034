import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { type KeptAct, readActs } from '../../../platform/trail/read-acts.ts';
import { authorOf, type Said } from '../../../platform/trail/trail.ts';
import { SERVICE_TRAIL, type ServiceAct, writeServiceActs } from '../../trail/service-acts.ts';
import type { MonthKey } from './month-key.ts';
import { type MonthState, readMonthState, subjectOf } from './month-state.ts';
import { readVersion } from './read-versions.ts';

/** no-file: this version is not the last one, which is `last` (null: there is none). */
export type Checked = { ok: true; version: number } | { ok: false; why: 'no-file'; last: number | null };
/** not-filed: nothing is with the agency; the month is in another state. */
export type Accepted = { ok: true; version: number } | { ok: false; why: 'not-filed'; state: MonthState };

/** More acts than a month ever has. */
const MOST_ACTS = 500;

/** What was done to a month, the newest first. */
export function actsOfMonth(db: Queryable, key: MonthKey): Promise<KeptAct[]> {
  return readActs(db, SERVICE_TRAIL, { subject: subjectOf(key), limit: MOST_ACTS });
}

/** Has a person said so of this version? An act of another kind takes it back. */
export function isSaid(acts: readonly KeptAct[], { act, version, until }: { act: ServiceAct; version: number | null; until?: ServiceAct }): boolean {
  const last = acts.find((one) => one.act === act || one.act === until);
  return last?.act === act && versionIn(last.after) === version;
}

/** Keeps that a person compared the sums of the last version with bookkeeping. Safe to repeat. */
export async function noteChecked(pool: Pool, { version, said, ...key }: MonthKey & { version: number; said: Said }): Promise<Checked> {
  return inTransaction(pool, async (tx) => {
    const last = (await readVersion(tx, key))?.version ?? null;
    if (last !== version) return { ok: false, why: 'no-file', last };
    const known = await actsOfMonth(tx, key);
    if (!isSaid(known, { act: 'month.checked', version }))
      await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.checked', subject: subjectOf(key), after: { version } }]);
    return { ok: true, version };
  });
}

/** Keeps that the agency accepted what was filed. Safe to repeat. */
export async function noteAccepted(pool: Pool, { said, ...key }: MonthKey & { said: Said }): Promise<Accepted> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select from compliance.shops where id = $1 for update', [key.shopId]);
    const { state, filedVersion } = await readMonthState(tx, key);
    if (state !== 'filed' || filedVersion === null) return { ok: false, why: 'not-filed', state };
    const known = await actsOfMonth(tx, key);
    if (!isSaid(known, { act: 'month.accepted', version: filedVersion, until: 'month.rejected' }))
      await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.accepted', subject: subjectOf(key), after: { version: filedVersion } }]);
    return { ok: true, version: filedVersion };
  });
}

function versionIn(after: unknown): unknown {
  return typeof after === 'object' && after !== null && 'version' in after ? after.version : undefined;
}
