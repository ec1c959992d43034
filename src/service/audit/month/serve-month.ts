import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { withTimeout } from '../../../platform/with-timeout.ts';
import { writeServiceActs } from '../../audit-log/service-acts.ts';
import { queueMail } from '../../mail/shop-mails.ts';
import { leaveToAccountants } from './accountant-mails.ts';
import { isFollowedByEmpty, noted, noteReminded, noteServed, noteWaiting } from './due-months.ts';
import { type AuditDeps, attemptDigest, type Generation, generateUnlikeLast, type Same } from './generate-month.ts';
import { MONTH_MAIL, type MonthMailRef, REMINDER_MAIL, VERSION_MAIL } from './month-outbox.ts';
import { type MonthKey, subjectOf } from './month-state.ts';

/** `together`: accountants of several shops get one mail in place of one for each. */
export type ServeDeps = AuditDeps & { together?: boolean };

/** again: retry after `afterMs`. reading: its store is being read. */
export type MonthServed = { kind: 'done'; generation: Generation['kind'] | 'same' } | { kind: 'again'; afterMs: number; why: 'waiting' | 'busy' | 'reading' };

const BUSY_MS = 60_000;
const READING_MS = 30_000;
/** After so many waits the file is made, so that a shop that refunds all the time gets one. */
const MOST_WAITS = 8;

/**
 * Makes a month's file on the shop's day and queues a mail with the result, once its store was asked for the month, if that is possible. Safe to
 * repeat: the same result is mailed once.
 */
export async function serveMonth(deps: ServeDeps, key: MonthKey, before?: BeforeFile): Promise<MonthServed> {
  const at = deps.now();
  if (before !== undefined && !(await mayBeMade(deps.pool, before, { ...key, now: at }))) return { kind: 'again', afterMs: READING_MS, why: 'reading' };
  const generation = await generateUnlikeLast(deps, { ...key, now: await hasWaitedEnough(deps, key, at) });
  switch (generation.kind) {
    case 'waiting':
      await noteWaiting(deps.pool, { ...key, now: at });
      return { kind: 'again', afterMs: Math.max(1_000, Date.parse(generation.until) - at.getTime()), why: 'waiting' };
    case 'busy':
      return { kind: 'again', afterMs: BUSY_MS, why: 'busy' };
    case 'no-shop':
    case 'test-shop':
    case 'not-ended':
      return { kind: 'done', generation: generation.kind };
    default:
      await inTransaction(deps.pool, async (tx) => {
        await queueMailOf(tx, { ...key, now: at, generation, scheduled: deps });
        await noteServed(tx, { ...key, now: at });
      });
      return { kind: 'done', generation: generation.kind };
  }
}

async function hasWaitedEnough({ pool, replacementWaitMs }: AuditDeps, key: MonthKey, at: Date): Promise<boolean> {
  const since = await noted(pool, 'waiting_since', key);
  return since !== null && at.getTime() - Date.parse(since) >= MOST_WAITS * replacementWaitMs;
}

type ToMail = MonthKey & { now: Date; generation: Generation | Same };

/** Queues a mail with the result of a generation; after a downtime one for all empty months together. False if there is nothing to report, or it was reported already. */
async function queueMailOf(tx: Queryable, { shopId, month, now, generation, scheduled }: ToMail & { scheduled?: ServeDeps }): Promise<boolean> {
  const id = generation.kind === 'generated' ? generation.file.id : generation.kind === 'same' ? generation.toMail : null;
  const without = () => (scheduled?.together === true ? leaveToAccountants(tx, { shopId, month, kind: 'month', now }) : []);
  if (id !== null) return queueMail(tx, { kind: VERSION_MAIL, ref: { fileId: id }, shopId, dedupKey: `${VERSION_MAIL}/${id}`, now, without: await without() });
  if (generation.kind !== 'blocked' && generation.kind !== 'empty') return false;
  if (scheduled !== undefined && generation.kind === 'empty' && (await isFollowedByEmpty(tx, { shopId, month }, now))) return false;
  const ref: MonthMailRef = { shopId, month, tells: generation.kind };
  const dedupKey = `${MONTH_MAIL}/${shopId}/${month}/${attemptDigest(generation)}`;
  return queueMail(tx, { kind: MONTH_MAIL, ref, shopId, dedupKey, now, without: await without() });
}

/** The same because a person asks for it. */
export function mailRequested(pool: Pool, { said, ...toMail }: ToMail & { said: Authorship }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const queued = await queueMailOf(tx, toMail);
    const after = { tells: toMail.generation.kind };
    if (queued) await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.mailed', subject: subjectOf(toMail), after }]);
    return queued;
  });
}

/** Queues the reminder of a month that is not marked as filed, once. */
export async function remindOf({ pool, now, together }: Pick<ServeDeps, 'pool' | 'now' | 'together'>, { shopId, month }: MonthKey): Promise<void> {
  const at = now();
  await inTransaction(pool, async (tx) => {
    const without = together === true ? await leaveToAccountants(tx, { shopId, month, kind: 'reminder', now: at }) : [];
    await queueMail(tx, { kind: REMINDER_MAIL, ref: { shopId, month }, shopId, dedupKey: `${REMINDER_MAIL}/${shopId}/${month}`, now: at, without });
    await noteReminded(tx, { shopId, month, now: at });
  });
}

/** Who knows the store of a shop, and is asked for a month before its file is made. All of it may be repeated. */
export type BeforeFile = {
  /** Has everything of the month read that the store has. */
  ask(key: MonthKey): Promise<void>;
  /** Is everything read, and recorded as far as it can be? `since`: when it was asked. */
  isAnswered(key: MonthKey & { since: Date }): Promise<boolean>;
  /** The file is made next, answered or not: the last moment to say what is outstanding. */
  finish(key: MonthKey): Promise<void>;
};

/** The file of a month does not wait for a store for longer. */
const LONGEST_WAIT_MS = 10 * 60_000;
const STEP_MS = 60_000;

/**
 * True if the file of a month can be made: its store was asked for the month and answered, or did not answer for ten minutes. What fails there never
 * keeps a file from being made.
 */
async function mayBeMade(db: Queryable, before: BeforeFile, { now, ...key }: MonthKey & { now: Date }): Promise<boolean> {
  const since = await noted(db, 'requested_at', key);
  if (since === null) {
    await attempt(() => before.ask(key));
    await noteRequested(db, { ...key, now });
  }
  const at = since === null ? now : new Date(since);
  const isLate = now.getTime() - at.getTime() >= LONGEST_WAIT_MS;
  if (!isLate && (await attempt(() => before.isAnswered({ ...key, since: at }))) !== true) return false;
  await attempt(() => before.finish(key));
  return true;
}

// The port reports its own failures.
async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(STEP_MS, work());
  } catch {
    return undefined;
  }
}

async function noteRequested(db: Queryable, { shopId, month, now }: MonthKey & { now: Date }): Promise<void> {
  await db.query(
    `insert into compliance.audit_months (shop_id, month, state, requested_at) select id, to_date($2, 'YYYY-MM'), 'open', $3 from compliance.shops where id = $1
     on conflict (shop_id, month) do update set requested_at = $3`,
    [shopId, month, now],
  );
}
