import { z } from 'zod';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { isoText, readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Outstanding } from '../summary/month-summary.ts';

/** open: no file yet. rejected: the agency found errors in the one that was filed. nothing: a person said that there is nothing to file. */
export const monthState = z.enum(['open', 'generated', 'filed', 'rejected', 'nothing']);
export type MonthState = z.output<typeof monthState>;

/** As it is stored with a month that was filed without them. */
export const storedOutstanding: z.ZodType<Outstanding> = z.object({
  at: z.string(),
  orders: z.int(),
  totals: z.array(z.object({ currency: z.string(), total: z.string() })),
  oldest: z.string(),
  codes: z.array(z.object({ code: z.string(), orders: z.int() })),
});

const stored = z.object({
  state: monthState,
  filedAt: z.string().nullable(),
  filedVersion: z.int().nullable(),
  filedWithout: storedOutstanding.nullable(),
  filedOn: z.string().nullable(),
  incomingNumber: z.string().nullable(),
  rejectedWords: z.string().nullable(),
  nothing: z.object({ note: z.string(), at: z.string(), returns: z.int().exactOptional() }).nullable(),
  isSettled: z.boolean(),
});

const storedMonths = rowsOf('compliance.audit_months', stored);

/**
 * `filedWithout`: the paid orders that were not recorded when it was marked as filed; null: none was known. `filedOn`: the day on which it was filed
 * ("2026-11-12"), `incomingNumber`: the agency's, `rejectedWords`: what it found, `nothing`: why there is nothing to file; each null unless a person said so.
 * `isSettled`: nothing came into the month since it was said that there is nothing to file.
 */
export type StoredMonth = z.output<typeof stored>;

/** With the shop and the month ("2026-10") as the first two values of a statement. */
export const THE_MONTH = `shop_id = $1 and month = to_date($2, 'YYYY-MM')`;

/**
 * SQL: is the row of `compliance.audit_months` with this alias settled? Not any more once an order or a return came into the month; it is asked of the
 * rows themselves, because they come in many ways.
 */
export function isSettled(alias: string): string {
  const inMonth = (other: string) => `${other}.shop_id = ${alias}.shop_id and ${other}.month = ${alias}.month`;
  const seen = `(${alias}.nothing ->> 'seen')::timestamptz`;
  // By cases: of a month without a row the state is null, and then all parts of a conjunction would be looked up.
  return `case when ${alias}.state = 'nothing' then (
    (select count(*) from compliance.orders o where ${inMonth('o')}) <= (${alias}.nothing ->> 'orders')::int
    and not exists (select from compliance.orders o where ${inMonth('o')} and o.recorded_at > ${seen})
    and not exists (select from compliance.filed_sales f where ${inMonth('f')})
    and not exists (select from compliance.returns r where ${inMonth('r')} and r.changed_at > ${seen})) else false end`;
}

const NEVER_STORED: StoredMonth = {
  state: 'open',
  filedAt: null,
  filedVersion: null,
  filedWithout: null,
  filedOn: null,
  incomingNumber: null,
  rejectedWords: null,
  nothing: null,
  isSettled: false,
};

/** The state of a month; `open` if none is stored, or if something came into one that was settled. */
export async function readMonthState(db: Queryable, { shopId, month }: MonthKey): Promise<StoredMonth> {
  const row = await readRow(db, storedMonths, {
    text: `select state, ${isoText('filed_at')} as "filedAt", filed_version as "filedVersion", filed_without as "filedWithout", filed_on::text as "filedOn",
       incoming_number as "incomingNumber", rejected_words as "rejectedWords", nothing, ${isSettled('a')} as "isSettled" from compliance.audit_months a where ${THE_MONTH}`,
    values: [shopId, month],
  });
  if (row === null) return NEVER_STORED;
  return row.state === 'nothing' && !row.isSettled ? { ...row, state: 'open', nothing: null } : row;
}

/** Notes that a file was made, and what it leaves out, unless the month was marked as filed meanwhile. */
export async function noteGenerated(db: Queryable, { shopId, month, leaveOut }: MonthKey & { leaveOut: readonly string[] }): Promise<void> {
  await db.query(
    `insert into compliance.audit_months (shop_id, month, state, left_out) values ($1, to_date($2, 'YYYY-MM'), 'generated', $3)
     on conflict (shop_id, month) do update set state = 'generated', left_out = $3, attempt = null, nothing = null where audit_months.state <> 'filed'`,
    [shopId, month, leaveOut],
  );
}

/** A month in the audit log. */
export function subjectOf({ shopId, month }: MonthKey): string {
  return `${shopId} ${month}`;
}

/** A month ("2026-10") of a shop. */
export type MonthKey = { shopId: string; month: string };

/** What others are to hear of a month that is marked as filed, in the transaction of that. */
export type OnFiled = (tx: Queryable, filed: MonthKey & { version: number; filedOn: string | null; incomingNumber: string | null }) => Promise<void>;
