import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { authorOf, BY_PROGRAM, type Said } from '../../../platform/trail/trail.ts';
import { monthOf } from '../../law/months.ts';
import { sofiaDay } from '../../law/sofia-day.ts';
import { termAt } from '../../term.ts';
import { writeServiceActs } from '../../trail/service-acts.ts';
import type { Outstanding } from '../summary/month-summary.ts';
import { changesSince } from './changes-since.ts';
import type { MonthKey } from './month-key.ts';
import { readMonthState, subjectOf, THE_MONTH } from './month-state.ts';
import { readOutstanding } from './outstanding.ts';
import { readVersion, type StoredVersion } from './read-versions.ts';

const rejectedRow = rowsOf('compliance.audit_months', z.object({ version: z.int() }));
const standing = rowsOf('compliance.orders', z.object({ orders: z.boolean() }));

/** The result of marking a month: the version, and the paid orders without which it was filed, if any; or why it can't be marked. */
export type Marked =
  | { ok: true; version: number; without?: Outstanding }
  | { ok: false; why: 'no-file' | 'already' | 'not-filed' | 'too-late' }
  | Outdated
  | Incomplete;

/** Paid orders of the month are not recorded. */
export type Incomplete = { ok: false; why: 'outstanding'; outstanding: Outstanding };

/** The version lacks the latest changes of the month; `changes` is how many. */
export type Outdated = { ok: false; why: 'outdated'; version: number; changes: number };

type Filing = MonthKey & {
  /** Null: the last version. */
  version: number | null;
  now: Date;
  /** Also if the version lacks the latest changes: then the version counts as it is, and the changes go into other months. */
  asIs?: boolean;
  /** Also if paid orders of the month are not recorded: they go into other months. */
  withoutOutstanding?: boolean;
  /** Given by the agency when it took the file. */
  incomingNumber?: string | undefined;
  /** The day on which it was filed ("2026-11-12"); absent: today. */
  filedOn?: string | undefined;
  said?: Said;
};

/** Marks a version as filed, after a person filed it in the agency's portal. Closes the month; waits for orders that are being recorded. */
export async function markFiled(pool: Pool, { shopId, month, version, now, ...filing }: Filing): Promise<Marked> {
  const { asIs = false, withoutOutstanding = false, incomingNumber = null, filedOn = null, said = BY_PROGRAM } = filing;
  return withShopLocked(pool, shopId, async (tx) => {
    const { state } = await readMonthState(tx, { shopId, month });
    if (state === 'filed') return { ok: false, why: 'already' };
    const filed = await readVersion(tx, { shopId, month }, version);
    if (filed === null) return { ok: false, why: 'no-file' };
    const outstanding = await readOutstanding(tx, { shopId, month }, now);
    if (outstanding !== undefined && !withoutOutstanding) return { ok: false, why: 'outstanding', outstanding };
    const { count: changes } = await changesSince(tx, filed);
    if (changes > 0 && !asIs) return { ok: false, why: 'outdated', version: filed.version, changes };
    const without = outstanding ?? null;
    await tx.query(
      `update compliance.audit_months set state = 'filed', filed_at = $3, filed_version = $4, filed_without = $5, incoming_number = $6, filed_on = $7,
         rejected_words = null where ${THE_MONTH}`,
      [shopId, month, now, filed.version, without, incomingNumber, filedOn],
    );
    if (changes > 0) await keepToFiled(tx, filed, now);
    const after = { state: 'filed', version: filed.version, changes, without, incomingNumber, filedOn };
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.filed', subject: subjectOf({ shopId, month }), before: { state }, after }]);
    return { ok: true, version: filed.version, ...(outstanding === undefined ? {} : { without: outstanding }) };
  });
}

async function keepToFiled(tx: Queryable, { shopId, month, cutAt }: StoredVersion, now: Date): Promise<void> {
  const { today, firstOpen } = termAt(now);
  await tx.query(`select compliance.keep_to_filed($1, to_date($2, 'YYYY-MM'), $3, $4, $5)`, [shopId, month, cutAt, today, firstOpen]);
}

/** `words`: what the agency says is wrong. */
type Rejecting = MonthKey & { words?: string | null; said?: Said };

/**
 * Marks a filed version as rejected, after the agency found errors in it: within its term the month is open again, and another file can be made. Too late
 * once rows of the file that were deleted since are purged.
 */
export async function markRejected(pool: Pool, { shopId, month, words = null, said = BY_PROGRAM }: Rejecting): Promise<Marked> {
  return withShopLocked(pool, shopId, async (tx) => {
    const { rowCount: gone } = await tx.query(`select from compliance.filed_sales where ${THE_MONTH} and entry is null limit 1`, [shopId, month]);
    if (gone !== 0) return { ok: false, why: 'too-late' };
    const row = await readRow(tx, rejectedRow, {
      text: `update compliance.audit_months set state = 'rejected', rejected_words = $3 where ${THE_MONTH} and state = 'filed' returning filed_version as version`,
      values: [shopId, month, words],
    });
    if (row === null) return { ok: false, why: 'not-filed' };
    const after = { state: 'rejected', version: row.version, words };
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.rejected', subject: subjectOf({ shopId, month }), before: { state: 'filed' }, after }]);
    return { ok: true, version: row.version };
  });
}

/** has-orders: its file must be made. has-file: one was made, or was filed. not-ended: the month is not over. */
export type MarkedNothing = { ok: true } | { ok: false; why: 'has-orders' | 'has-file' | 'not-ended' };

/** `note`: what was agreed with whom, in the person's words. */
type Nothing = MonthKey & { note: string; now: Date; said?: Said };

/** Marks an empty month as settled: a person agreed with the accountant that there is nothing to file. An order that comes into it opens it again. */
export async function markNothingToFile(pool: Pool, { shopId, month, note, now, said = BY_PROGRAM }: Nothing): Promise<MarkedNothing> {
  if (month >= monthOf(sofiaDay(now.toISOString()))) return { ok: false, why: 'not-ended' };
  return withShopLocked(pool, shopId, async (tx) => {
    const { state } = await readMonthState(tx, { shopId, month });
    if (state !== 'open' && state !== 'nothing') return { ok: false, why: 'has-file' };
    const { orders } = await readOne(tx, standing, {
      text: `select exists (select from compliance.orders where ${THE_MONTH}) or exists (select from compliance.filed_sales where ${THE_MONTH}) as orders`,
      values: [shopId, month],
    });
    if (orders) return { ok: false, why: 'has-orders' };
    await tx.query(
      `insert into compliance.audit_months (shop_id, month, state, nothing) values ($1, to_date($2, 'YYYY-MM'), 'nothing', $3)
       on conflict (shop_id, month) do update set state = 'nothing', nothing = $3`,
      [shopId, month, { note, at: now.toISOString() }],
    );
    await writeServiceActs(tx, [
      { ...authorOf(said), act: 'month.nothing', subject: subjectOf({ shopId, month }), before: { state }, after: { state: 'nothing', note } },
    ]);
    return { ok: true };
  });
}

async function withShopLocked<T>(pool: Pool, shopId: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select from compliance.shops where id = $1 for update', [shopId]);
    return work(tx);
  });
}
