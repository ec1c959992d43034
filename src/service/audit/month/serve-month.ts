import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { authorOf, type Said } from '../../../platform/trail/trail.ts';
import { queueMail } from '../../mail/shop-mails.ts';
import { writeServiceActs } from '../../trail/service-acts.ts';
import { type BeforeFile, mayBeMade } from './before-file.ts';
import { isFollowedByEmpty, noteReminded, noteServed, noteWaiting, waitingSince } from './due-months.ts';
import { type AuditDeps, type Generation, generateUnlikeLast, type Same } from './generate-month.ts';
import { attemptDigest } from './month-attempt.ts';
import type { MonthKey } from './month-key.ts';
import { MONTH_MAIL, type MonthMailRef, REMINDER_MAIL, VERSION_MAIL } from './month-mail-refs.ts';
import { subjectOf } from './month-state.ts';

/** again: retry after `afterMs`. reading: its store is being read. */
export type Served = { kind: 'done'; generation: Generation['kind'] | 'same' } | { kind: 'again'; afterMs: number; why: 'waiting' | 'busy' | 'reading' };

const BUSY_MS = 60_000;
const READING_MS = 30_000;
/** After so many waits the file is made, so that a shop that refunds all the time gets one. */
const MOST_WAITS = 8;

/**
 * Makes a month's file on the shop's day and queues a mail with the result, once its store was asked for the month, if that is possible. Safe to
 * repeat: the same result is mailed once.
 */
export async function serveMonth(deps: AuditDeps, key: MonthKey, before?: BeforeFile): Promise<Served> {
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
        await queueMailOf(tx, { ...key, now: at, generation, isScheduled: true });
        await noteServed(tx, { ...key, now: at });
      });
      return { kind: 'done', generation: generation.kind };
  }
}

async function hasWaitedEnough({ pool, replacementWaitMs }: AuditDeps, key: MonthKey, at: Date): Promise<boolean> {
  const since = await waitingSince(pool, key);
  return since !== null && at.getTime() - Date.parse(since) >= MOST_WAITS * replacementWaitMs;
}

type ToMail = MonthKey & { now: Date; generation: Generation | Same };

/** Queues a mail with the result of a generation; after a downtime one for all empty months together. False if there is nothing to report, or it was reported already. */
async function queueMailOf(tx: Queryable, { shopId, month, now, generation, isScheduled = false }: ToMail & { isScheduled?: boolean }): Promise<boolean> {
  const id = generation.kind === 'generated' ? generation.file.id : generation.kind === 'same' ? generation.toMail : null;
  if (id !== null) return queueMail(tx, { kind: VERSION_MAIL, ref: { fileId: id }, shopId, dedupKey: `${VERSION_MAIL}/${id}`, now });
  if (generation.kind !== 'blocked' && generation.kind !== 'empty') return false;
  if (isScheduled && generation.kind === 'empty' && (await isFollowedByEmpty(tx, { shopId, month }, now))) return false;
  const ref: MonthMailRef = { shopId, month, tells: generation.kind };
  return queueMail(tx, { kind: MONTH_MAIL, ref, shopId, dedupKey: `${MONTH_MAIL}/${shopId}/${month}/${attemptDigest(generation)}`, now });
}

/** The same because a person asks for it. */
export function mailRequested(pool: Pool, { said, ...toMail }: ToMail & { said: Said }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const queued = await queueMailOf(tx, toMail);
    const after = { tells: toMail.generation.kind };
    if (queued) await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.mailed', subject: subjectOf(toMail), after }]);
    return queued;
  });
}

/** Queues the reminder of a month that is not marked as filed, once. */
export async function remindOf({ pool, now }: Pick<AuditDeps, 'pool' | 'now'>, { shopId, month }: MonthKey): Promise<void> {
  const at = now();
  await inTransaction(pool, async (tx) => {
    await queueMail(tx, { kind: REMINDER_MAIL, ref: { shopId, month }, shopId, dedupKey: `${REMINDER_MAIL}/${shopId}/${month}`, now: at });
    await noteReminded(tx, { shopId, month, now: at });
  });
}
