import { z } from 'zod';
import { isoText } from '../../../platform/postgres/iso-text.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { authorOf, BY_PROGRAM, type Said } from '../../../platform/trail/trail.ts';
import { termAt } from '../../term.ts';
import { writeServiceActs } from '../../trail/service-acts.ts';
import type { Outstanding } from '../summary/month-summary.ts';
import { changesSince } from './changes-since.ts';
import type { MonthKey } from './month-key.ts';
import { readOutstanding } from './outstanding.ts';
import { readVersion, type StoredVersion } from './read-versions.ts';
import { storedOutstanding } from './stored-outstanding.ts';

/** open: no file yet. rejected: the agency found errors in the one that was filed. */
export const monthState = z.enum(['open', 'generated', 'filed', 'rejected']);
export type MonthState = z.output<typeof monthState>;

/** `filedWithout`: the paid orders that were not recorded when it was marked as filed; null: none was known. */
const stored = z.object({
  state: monthState,
  filedAt: z.string().nullable(),
  filedVersion: z.int().nullable(),
  filedWithout: storedOutstanding.nullable(),
});

const storedMonths = rowsOf('compliance.audit_months', stored);
const rejectedRow = rowsOf('compliance.audit_months', z.object({ version: z.int() }));

export type StoredMonth = z.output<typeof stored>;

const THE_MONTH = `shop_id = $1 and month = to_date($2, 'YYYY-MM')`;

/** The state of a month; `open` if none is stored. */
export async function readMonthState(db: Queryable, { shopId, month }: MonthKey): Promise<StoredMonth> {
  const row = await readRow(db, storedMonths, {
    text: `select state, ${isoText('filed_at')} as "filedAt", filed_version as "filedVersion", filed_without as "filedWithout" from compliance.audit_months where ${THE_MONTH}`,
    values: [shopId, month],
  });
  return row ?? { state: 'open', filedAt: null, filedVersion: null, filedWithout: null };
}

/** Notes that a file was made, unless the month was marked as filed meanwhile. */
export async function noteGenerated(db: Queryable, { shopId, month }: MonthKey): Promise<void> {
  await db.query(
    `insert into compliance.audit_months (shop_id, month, state) values ($1, to_date($2, 'YYYY-MM'), 'generated')
     on conflict (shop_id, month) do update set state = 'generated', attempt = null where audit_months.state <> 'filed'`,
    [shopId, month],
  );
}

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
  said?: Said;
};

/** Marks a version as filed, after a person filed it in the agency's portal. Closes the month; waits for orders that are being recorded. */
export async function markFiled(pool: Pool, { shopId, month, version, now, ...filing }: Filing): Promise<Marked> {
  const { asIs = false, withoutOutstanding = false, said = BY_PROGRAM } = filing;
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
    await tx.query(`update compliance.audit_months set state = 'filed', filed_at = $3, filed_version = $4, filed_without = $5 where ${THE_MONTH}`, [
      shopId,
      month,
      now,
      filed.version,
      without,
    ]);
    if (changes > 0) await keepToFiled(tx, filed, now);
    const after = { state: 'filed', version: filed.version, changes, without };
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.filed', subject: subjectOf({ shopId, month }), before: { state }, after }]);
    return { ok: true, version: filed.version, ...(outstanding === undefined ? {} : { without: outstanding }) };
  });
}

/** A month in the trail. */
export function subjectOf({ shopId, month }: MonthKey): string {
  return `${shopId} ${month}`;
}

async function keepToFiled(tx: Queryable, { shopId, month, cutAt }: StoredVersion, now: Date): Promise<void> {
  const { today, firstOpen } = termAt(now);
  await tx.query(`select compliance.keep_to_filed($1, to_date($2, 'YYYY-MM'), $3, $4, $5)`, [shopId, month, cutAt, today, firstOpen]);
}

/**
 * Marks a filed version as rejected, after the agency found errors in it: within its term the month is open again, and another file can be made. Too late
 * once rows of the file that were deleted since are purged.
 */
export async function markRejected(pool: Pool, { shopId, month, said = BY_PROGRAM }: MonthKey & { said?: Said }): Promise<Marked> {
  return withShopLocked(pool, shopId, async (tx) => {
    const { rowCount: gone } = await tx.query(`select from compliance.filed_sales where ${THE_MONTH} and entry is null limit 1`, [shopId, month]);
    if (gone !== 0) return { ok: false, why: 'too-late' };
    const row = await readRow(tx, rejectedRow, {
      text: `update compliance.audit_months set state = 'rejected' where ${THE_MONTH} and state = 'filed' returning filed_version as version`,
      values: [shopId, month],
    });
    if (row === null) return { ok: false, why: 'not-filed' };
    const after = { state: 'rejected', version: row.version };
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.rejected', subject: subjectOf({ shopId, month }), before: { state: 'filed' }, after }]);
    return { ok: true, version: row.version };
  });
}

async function withShopLocked<T>(pool: Pool, shopId: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select from compliance.shops where id = $1 for update', [shopId]);
    return work(tx);
  });
}
