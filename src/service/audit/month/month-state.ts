import { z } from 'zod';
import { isoText } from '../../../platform/postgres/iso-text.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { termAt } from '../../term.ts';
import { changesSince } from './changes-since.ts';
import type { MonthKey } from './month-key.ts';
import { readVersion, type StoredVersion } from './read-versions.ts';

/** open: no file yet. rejected: the agency found errors in the one that was filed. */
export const monthState = z.enum(['open', 'generated', 'filed', 'rejected']);
export type MonthState = z.output<typeof monthState>;

const stored = z.object({ state: monthState, filedAt: z.string().nullable(), filedVersion: z.int().nullable() });

const storedMonths = rowsOf('compliance.audit_months', stored);
const rejectedRow = rowsOf('compliance.audit_months', z.object({ version: z.int() }));

export type StoredMonth = z.output<typeof stored>;

const THE_MONTH = `shop_id = $1 and month = to_date($2, 'YYYY-MM')`;

/** Where a month stands; `open` if nothing was ever said of it. */
export async function readMonthState(db: Queryable, { shopId, month }: MonthKey): Promise<StoredMonth> {
  const row = await readRow(db, storedMonths, {
    text: `select state, ${isoText('filed_at')} as "filedAt", filed_version as "filedVersion" from compliance.audit_months where ${THE_MONTH}`,
    values: [shopId, month],
  });
  return row ?? { state: 'open', filedAt: null, filedVersion: null };
}

/** A file was made. Whoever marked the month as filed meanwhile is right. */
export async function noteGenerated(db: Queryable, { shopId, month }: MonthKey): Promise<void> {
  await db.query(
    `insert into compliance.audit_months (shop_id, month, state) values ($1, to_date($2, 'YYYY-MM'), 'generated')
     on conflict (shop_id, month) do update set state = 'generated', attempt = null where audit_months.state <> 'filed'`,
    [shopId, month],
  );
}

/** What a person says of a month; why not, if it can't be. */
export type Marked = { ok: true; version: number } | { ok: false; why: 'no-file' | 'already' | 'not-filed' | 'too-late' } | Outdated;

/** The version does not tell the month's last changes; so many of them. */
export type Outdated = { ok: false; why: 'outdated'; version: number; changes: number };

type Filing = MonthKey & {
  /** Null: the last one. */
  version: number | null;
  now: Date;
  /** Also if the version does not tell the last changes: what it tells is what counts then, and the changes go into other months. */
  asIs?: boolean;
};

/** A person has filed a version in the agency's portal. Closes the month; orders that are being recorded are waited for. */
export async function markFiled(pool: Pool, { shopId, month, version, now, asIs = false }: Filing): Promise<Marked> {
  return withShopLocked(pool, shopId, async (tx) => {
    if ((await readMonthState(tx, { shopId, month })).state === 'filed') return { ok: false, why: 'already' };
    const filed = await readVersion(tx, { shopId, month }, version);
    if (filed === null) return { ok: false, why: 'no-file' };
    const { count: changes } = await changesSince(tx, filed);
    if (changes > 0 && !asIs) return { ok: false, why: 'outdated', version: filed.version, changes };
    await tx.query(`update compliance.audit_months set state = 'filed', filed_at = $3, filed_version = $4 where ${THE_MONTH}`, [
      shopId,
      month,
      now,
      filed.version,
    ]);
    if (changes > 0) await keepToFiled(tx, filed, now);
    return { ok: true, version: filed.version };
  });
}

async function keepToFiled(tx: Queryable, { shopId, month, cutAt }: StoredVersion, now: Date): Promise<void> {
  const { today, firstOpen } = termAt(now);
  await tx.query(`select compliance.keep_to_filed($1, to_date($2, 'YYYY-MM'), $3, $4, $5)`, [shopId, month, cutAt, today, firstOpen]);
}

/**
 * The agency found errors in what was filed: within its term the month is open again, and another file can be made. Too late when rows of the file are
 * gone that were deleted since.
 */
export async function markRejected(pool: Pool, { shopId, month }: MonthKey): Promise<Marked> {
  return withShopLocked(pool, shopId, async (tx) => {
    const { rowCount: gone } = await tx.query(`select from compliance.filed_sales where ${THE_MONTH} and entry is null limit 1`, [shopId, month]);
    if (gone !== 0) return { ok: false, why: 'too-late' };
    const row = await readRow(tx, rejectedRow, {
      text: `update compliance.audit_months set state = 'rejected' where ${THE_MONTH} and state = 'filed' returning filed_version as version`,
      values: [shopId, month],
    });
    return row === null ? { ok: false, why: 'not-filed' } : { ok: true, version: row.version };
  });
}

async function withShopLocked<T>(pool: Pool, shopId: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select from compliance.shops where id = $1 for update', [shopId]);
    return work(tx);
  });
}
