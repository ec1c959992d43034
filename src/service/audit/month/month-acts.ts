import { type Authorship, authorOf, type KeptAct, readActs } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { SERVICE_AUDIT_LOG, type ServiceAct, writeServiceActs } from '../../audit-log/service-acts.ts';
import { sofiaDay } from '../../law/calendar.ts';
import { deadlineOf } from '../../law/deadlines.ts';
import type { ActRefusal } from '../summary/month-messages.ts';
import { type AuditDeps, isBeingMade, readAttempt } from './generate-month.ts';
import {
  type Filing,
  type Incomplete,
  type MarkedNothing,
  markFiled,
  markNothingToFile,
  markRejected,
  type OutdatedVersion,
  type WrongDay,
} from './mark-month.ts';
import type { MadeOrMaking, MakeMonth, MonthMaker } from './month-maker.ts';
import { type Mailed, mailVersion } from './month-outbox.ts';
import { type MonthKey, type MonthState, readMonthState, subjectOf } from './month-state.ts';
import { readVersion } from './read-versions.ts';

/**
 * no-file: there is no such version; `last` null: none at all, and `isEmpty`: because the month has no order for one. already: it is marked as filed.
 * wrong-day: the day is not between `first` and `last`.
 */
export type NotFiled =
  | { ok: false; why: 'no-file'; last: number | null; isEmpty: boolean }
  | { ok: false; why: 'already'; filedVersion: number | null; filedAt: string | null }
  | WrongDay
  | OutdatedVersion
  | Incomplete;

/** `later`: the last version, if it is another than the one that was filed. `without`: paid orders that are not recorded, if there are any. */
export type Filed = { ok: true; version: number; later: number | null; without?: Incomplete['outstanding'] } | NotFiled;

/** too-late: rows of the file that were deleted since are no longer kept. not-filed: the month is in another state. */
export type NotRejected = { ok: false; why: 'too-late' } | { ok: false; why: 'not-filed'; state: MonthState };

/** `inTerm`: the month is open again, until its deadline. */
export type Rejected = { ok: true; version: number; deadline: string; inTerm: boolean } | NotRejected;

type Said = Omit<Filing, 'now' | 'currency' | 'onFiled'> & { said: Authorship };

/** What people say of a month, by a command, a key or a link: each act checks everything, and is kept with who said it. Safe to repeat. */
export type MonthActs = {
  /** Makes the next version, and answers after some seconds if that takes longer. */
  generate: MakeMonth;
  /** Is a version being made, here or in another process? */
  isBeingMade(key: MonthKey): Promise<boolean>;
  /** A person has filed a version of the month's file in the agency's portal; the month is closed. */
  filed(filing: Said): Promise<Filed>;
  /** The agency found errors in what was filed (`words`), so that another version can be made. */
  rejected(rejecting: MonthKey & { words: string | null; said: Authorship }): Promise<Rejected>;
  /** A person compared the sums of the last version with bookkeeping. */
  checked(checking: MonthKey & { version: number; said: Authorship }): Promise<Checked>;
  /** The agency accepted what was filed. */
  accepted(accepting: MonthKey & { said: Authorship }): Promise<Accepted>;
  /** Mails the last version to the shop and its recipients, also again. */
  mailed(mailing: MonthKey & { said: Authorship }): Promise<Mailed>;
  /** A person agreed with the accountant that the empty month has nothing to file (`note`); `withReturns`: and how its returns are dealt with. */
  nothingToFile(settling: MonthKey & { note: string; withReturns?: boolean; said: Authorship }): Promise<MarkedNothing>;
};

export function createMonthActs(deps: Deps, { make, isMaking }: MonthMaker): MonthActs {
  const { pool, now } = deps;
  return {
    generate: make,
    isBeingMade: async (key) => isMaking(key) || (await isBeingMade(pool, key)),
    filed: (filing) => fileMonth(deps, filing),
    rejected: (rejecting) => rejectMonth(deps, rejecting),
    checked: (checking) => noteChecked(pool, checking),
    accepted: (accepting) => noteAccepted(pool, accepting),
    mailed: (mailing) => mailVersion(pool, { ...mailing, now: now() }),
    nothingToFile: (settling) => markNothingToFile(pool, { ...settling, now: now() }),
  };
}

type Deps = Pick<AuditDeps, 'pool' | 'now' | 'currency' | 'onFiled'>;

async function fileMonth({ pool, now, currency, onFiled }: Deps, filing: Said): Promise<Filed> {
  const marked = await markFiled(pool, { ...filing, currency, onFiled, now: now() });
  if (marked.ok) {
    const last = await readVersion(pool, filing);
    return { ...marked, later: last !== null && last.version > marked.version ? last.version : null };
  }
  if (marked.why === 'outdated' || marked.why === 'outstanding' || marked.why === 'wrong-day') return marked;
  if (marked.why === 'no-file') {
    const last = (await readVersion(pool, filing))?.version ?? null;
    return { ok: false, why: 'no-file', last, isEmpty: (await readAttempt(pool, filing))?.kind === 'empty' };
  }
  const { filedVersion, filedAt } = await readMonthState(pool, filing);
  return { ok: false, why: 'already', filedVersion, filedAt };
}

async function rejectMonth({ pool, now }: Deps, { shopId, month, words, said }: MonthKey & { words: string | null; said: Authorship }): Promise<Rejected> {
  const key = { shopId, month };
  const marked = await markRejected(pool, { ...key, words, said });
  if (marked.ok) {
    const deadline = deadlineOf(month);
    return { ok: true, version: marked.version, deadline, inTerm: sofiaDay(now().toISOString()) <= deadline };
  }
  if (marked.why === 'too-late') return { ok: false, why: 'too-late' };
  return { ok: false, why: 'not-filed', state: (await readMonthState(pool, key)).state };
}

/** no-file: this version is not the last one, which is `last` (null: there is none). */
type Checked = { ok: true; version: number } | { ok: false; why: 'no-file'; last: number | null };
/** not-filed: nothing is with the agency; the month is in another state. */
type Accepted = { ok: true; version: number } | { ok: false; why: 'not-filed'; state: MonthState };

/** More acts than a month ever has. */
const MOST_ACTS = 500;

/** What was done to a month, the newest first. */
export function actsOfMonth(db: Queryable, key: MonthKey): Promise<KeptAct[]> {
  return readActs(db, SERVICE_AUDIT_LOG, { subject: subjectOf(key), limit: MOST_ACTS });
}

/** Has a person said so of this version? An act of another kind takes it back. */
export function isSaid(acts: readonly KeptAct[], { act, version, until }: { act: ServiceAct; version: number | null; until?: ServiceAct }): boolean {
  const last = acts.find((one) => one.act === act || one.act === until);
  return last?.act === act && (typeof last.after === 'object' && last.after !== null && 'version' in last.after ? last.after.version : undefined) === version;
}

/** Keeps that a person compared the sums of the last version with bookkeeping. Safe to repeat. */
async function noteChecked(pool: Pool, { version, said, ...key }: MonthKey & { version: number; said: Authorship }): Promise<Checked> {
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
async function noteAccepted(pool: Pool, { said, ...key }: MonthKey & { said: Authorship }): Promise<Accepted> {
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

/** Why no version was made; null: one was. */
export function refusalOfMaking(generation: MadeOrMaking): ActRefusal | null {
  switch (generation.kind) {
    case 'generated':
      return null;
    case 'waiting':
      return { why: 'waiting', until: generation.until };
    default:
      return { why: generation.kind };
  }
}
