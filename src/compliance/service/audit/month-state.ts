import type pg from 'pg';
import { z } from 'zod';
import { inTransaction, type Queryable } from '../../../platform/postgres.ts';
import { isoText } from '../database/iso-text.ts';

export type MonthKey = { shopId: string; month: string };

/** open: no file yet. rejected: the agency found errors in the one that was filed. */
export type MonthState = 'open' | 'generated' | 'filed' | 'rejected';

const stored = z.object({ state: z.enum(['open', 'generated', 'filed', 'rejected']), filedAt: z.string().nullable(), filedVersion: z.int().nullable() });

export type StoredMonth = z.output<typeof stored>;

const THE_MONTH = `shop_id = $1 and month = to_date($2, 'YYYY-MM')`;

/** Where a month stands; `open` if nothing was ever said of it. */
export async function readMonthState(db: Queryable, { shopId, month }: MonthKey): Promise<StoredMonth> {
  const { rows } = await db.query(
    `select state, ${isoText('filed_at')} as "filedAt", filed_version as "filedVersion" from compliance.audit_months where ${THE_MONTH}`,
    [shopId, month],
  );
  return rows[0] === undefined ? { state: 'open', filedAt: null, filedVersion: null } : stored.parse(rows[0]);
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
export type Marked = { ok: true; version: number } | { ok: false; why: 'no-file' | 'already' | 'not-filed' };

/** A person has filed a version (the last one, if none is named) in the agency's portal. Closes the month; orders that are being recorded are waited for. */
export async function markFiled(pool: pg.Pool, { shopId, month, version, now }: MonthKey & { version: number | null; now: Date }): Promise<Marked> {
  return withShopLocked(pool, shopId, async (tx) => {
    const { rows } = await tx.query<{ version: number }>(
      `select version from compliance.audit_files where ${THE_MONTH} and ($3::int is null or version = $3) order by version desc limit 1`,
      [shopId, month, version],
    );
    const filed = rows[0]?.version;
    if (filed === undefined) return { ok: false, why: 'no-file' };
    const { rowCount } = await tx.query(
      `update compliance.audit_months set state = 'filed', filed_at = $3, filed_version = $4 where ${THE_MONTH} and state <> 'filed'`,
      [shopId, month, now, filed],
    );
    return rowCount === 1 ? { ok: true, version: filed } : { ok: false, why: 'already' };
  });
}

/** The agency found errors in what was filed: within its term the month is open again, and another file can be made. */
export async function markRejected(pool: pg.Pool, { shopId, month }: MonthKey): Promise<Marked> {
  return withShopLocked(pool, shopId, async (tx) => {
    const { rows } = await tx.query<{ version: number }>(
      `update compliance.audit_months set state = 'rejected' where ${THE_MONTH} and state = 'filed' returning filed_version as version`,
      [shopId, month],
    );
    return rows[0] === undefined ? { ok: false, why: 'not-filed' } : { ok: true, version: rows[0].version };
  });
}

async function withShopLocked<T>(pool: pg.Pool, shopId: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select from compliance.shops where id = $1 for update', [shopId]);
    return work(tx);
  });
}
