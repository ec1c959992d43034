import { z } from 'zod';
import type { TiedCurrency } from '../../../contract/money.ts';
import { type Authorship, authorOf, BY_PROGRAM } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../../audit-log/service-acts.ts';
import { monthOf, sofiaDay } from '../../law/calendar.ts';
import { accountingCurrencyOf } from '../../law/currencies.ts';
import { type DeclaredAmounts, declaredAmounts } from '../../rates/declared-amounts.ts';
import { EURO_FROM, termAt } from '../../term.ts';
import { monthReturns, storedEntry } from '../file/given-back.ts';
import { countMonth } from '../file/read-month.ts';
import type { HeaderChange, Outstanding } from '../summary/month-summary.ts';
import { changesSince } from './changes-since.ts';
import { leftOutOf } from './counted-month.ts';
import { type MonthKey, type OnFiled, readMonthState, type StoredMonth, subjectOf, THE_MONTH } from './month-state.ts';
import { readOutstanding } from './outstanding.ts';
import { readVersion, type StoredVersion } from './read-versions.ts';
import { isOurs, readAuditShop } from './shop-of-month.ts';

const rejectedRow = rowsOf('compliance.audit_months', z.object({ version: z.int() }));

/** The result of marking a month: the version, and the paid orders without which it was filed, if any; or why it can't be marked. */
type Marked =
  | { ok: true; version: number; without?: Outstanding }
  | { ok: false; why: 'no-file' | 'already' | 'not-filed' | 'too-late' }
  | WrongDay
  | OutdatedVersion
  | Incomplete;

/** The day is to come, or before the version was made; it may be from `first` to `last`. */
export type WrongDay = { ok: false; why: 'wrong-day'; first: string; last: string };

/** Paid orders of the month are not recorded. */
export type Incomplete = { ok: false; why: 'outstanding'; outstanding: Outstanding };

/** The version lacks the latest changes of the month; `changes` is how many, `header` those of the shop’s number, domain or company. */
export type OutdatedVersion = { ok: false; why: 'outdated'; version: number; changes: number; header: HeaderChange[] };

export type Filing = MonthKey & {
  /** Null: the last version, or the one that is filed. */
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
  /** Of all files; null: by their month. */
  currency?: TiedCurrency | null;
  onFiled?: OnFiled | undefined;
  said?: Authorship;
};

/**
 * Marks a version as filed, after a person filed it in the agency's portal. Closes the month; waits for orders that are being recorded. Repeated for the
 * version that is filed, it takes the number and the day that are named.
 */
export async function markFiled(pool: Pool, filing: Filing): Promise<Marked> {
  return withShopLocked(pool, filing.shopId, async (tx) => {
    const stored = await readMonthState(tx, filing);
    const isFiled = stored.state === 'filed';
    const filed = await readVersion(tx, filing, filing.version ?? (isFiled ? stored.filedVersion : null));
    if (filed === null) return { ok: false, why: isFiled ? 'already' : 'no-file' };
    return isFiled ? repeated(tx, { filing, stored, filed }) : filedFirst(tx, { filing, stored, filed });
  });
}

type Found = { filing: Filing; stored: StoredMonth; filed: StoredVersion };

async function filedFirst(tx: Queryable, { filing, stored, filed }: Found): Promise<Marked> {
  const outstanding = await readOutstanding(tx, filing, filing.now);
  if (outstanding !== undefined && filing.withoutOutstanding !== true) return { ok: false, why: 'outstanding', outstanding };
  const { count: changes, rows } = await changesSince(tx, filed, filing.now);
  if (changes > 0 && filing.asIs !== true) {
    const header = rows.filter((row) => row.change === 'header');
    return { ok: false, why: 'outdated', version: filed.version, changes, header };
  }
  const wrong = wrongDay(filed, filing);
  if (wrong !== null) return wrong;
  await close(tx, filing, { before: stored, filed, changes, without: outstanding ?? null });
  return { ok: true, version: filed.version, ...(outstanding === undefined ? {} : { without: outstanding }) };
}

type Closing = { before: StoredMonth; filed: StoredVersion; changes: number; without: Outstanding | null };

async function close(tx: Queryable, filing: Filing, { before, filed, changes, without }: Closing): Promise<void> {
  const { shopId, month, now, incomingNumber = null, filedOn = null, said = BY_PROGRAM } = filing;
  await tx.query(
    `update compliance.audit_months set state = 'filed', filed_at = $3, filed_version = $4, filed_without = $5, incoming_number = $6, filed_on = $7,
       rejected_words = null where ${THE_MONTH}`,
    [shopId, month, now, filed.version, without, incomingNumber, filedOn],
  );
  await keepToFiled(tx, filed, filing);
  await filing.onFiled?.(tx, { shopId, month, version: filed.version, filedOn, incomingNumber });
  const after = { state: 'filed', version: filed.version, changes, without, incomingNumber, filedOn };
  await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.filed', subject: subjectOf(filed), before: { state: before.state }, after }]);
}

function wrongDay({ createdAt }: StoredVersion, { filedOn, now }: Filing): WrongDay | null {
  const [first, last] = [sofiaDay(createdAt), sofiaDay(now.toISOString())];
  return filedOn === undefined || (first <= filedOn && filedOn <= last) ? null : { ok: false, why: 'wrong-day', first, last };
}

/** The answer may have been lost, or the agency's number came later, or was mistyped. */
async function repeated(tx: Queryable, { filing, stored, filed }: Found): Promise<Marked> {
  const { version, incomingNumber, filedOn, said = BY_PROGRAM } = filing;
  const saysNothing = version === null && incomingNumber === undefined && filedOn === undefined;
  if (saysNothing || filed.version !== stored.filedVersion) return { ok: false, why: 'already' };
  const wrong = wrongDay(filed, filing);
  if (wrong !== null) return wrong;
  const before = { state: stored.state, incomingNumber: stored.incomingNumber, filedOn: stored.filedOn };
  const after = { ...before, version: filed.version, incomingNumber: incomingNumber ?? before.incomingNumber, filedOn: filedOn ?? before.filedOn };
  if (after.incomingNumber !== before.incomingNumber || after.filedOn !== before.filedOn) {
    const values = [filed.shopId, filed.month, after.incomingNumber, after.filedOn];
    await tx.query(`update compliance.audit_months set incoming_number = $3, filed_on = $4 where ${THE_MONTH}`, values);
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.filed', subject: subjectOf(filed), before, after }]);
  }
  return { ok: true, version: filed.version, ...(stored.filedWithout === null ? {} : { without: stored.filedWithout }) };
}

async function keepToFiled(tx: Queryable, filed: StoredVersion, { now, currency = null }: Filing): Promise<void> {
  const { today, firstOpen } = termAt(now);
  const inEuro = currency === null ? await movedToEuro(tx, filed) : null;
  await tx.query('select compliance.keep_to_filed($1, $2, $3, $4, $5)', [
    filed.id,
    today,
    firstOpen,
    inEuro === null ? null : JSON.stringify(inEuro),
    EURO_FROM,
  ]);
}

/** `words`: what the agency says is wrong. */
type Rejecting = MonthKey & { words?: string | null; said?: Authorship };

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
    if (row === null) return rejectedBefore(tx, { shopId, month, words });
    const after = { state: 'rejected', version: row.version, words };
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'month.rejected', subject: subjectOf({ shopId, month }), before: { state: 'filed' }, after }]);
    return { ok: true, version: row.version };
  });
}

/** The answer to the same words may have been lost. */
async function rejectedBefore(tx: Queryable, { words, ...key }: MonthKey & { words: string | null }): Promise<Marked> {
  const { state, rejectedWords, filedVersion } = await readMonthState(tx, key);
  const isRepeat = state === 'rejected' && words !== null && words === rejectedWords && filedVersion !== null;
  return isRepeat ? { ok: true, version: filedVersion } : { ok: false, why: 'not-filed' };
}

/**
 * has-orders: its file must be made. has-file: one was made and is to be filed, or was filed. not-ended: the month is not over. not-ours: it is before the shop’s first
 * one here (`since`), and nothing is known of it. has-returns: it has so many, which no file tells, and nobody said how they were dealt with.
 */
export type MarkedNothing =
  | { ok: true }
  | { ok: false; why: 'has-orders' | 'has-file' | 'not-ended' | 'no-shop' }
  | { ok: false; why: 'not-ours'; since: string }
  | { ok: false; why: 'has-returns'; returns: number };

/** `note`: what was agreed with whom, in the person's words. */
type Nothing = MonthKey & {
  note: string;
  /** The note says how its returns were dealt with, too. */
  withReturns?: boolean;
  now: Date;
  said?: Authorship;
};

/** Marks an empty month as settled: a person agreed with the accountant that there is nothing to file. An order that comes into it opens it again. */
export async function markNothingToFile(pool: Pool, { shopId, month, note, withReturns = false, now, said = BY_PROGRAM }: Nothing): Promise<MarkedNothing> {
  if (month >= monthOf(sofiaDay(now.toISOString()))) return { ok: false, why: 'not-ended' };
  return withShopLocked(pool, shopId, async (tx) => {
    const { state, nothing } = await readMonthState(tx, { shopId, month });
    if (state === 'nothing' && nothing?.note === note) return { ok: true };
    if (state === 'filed' || state === 'rejected') return { ok: false, why: 'has-file' };
    const found = await emptyMonth(tx, { shopId, month, withReturns, now });
    if ('why' in found) return found;
    const { returns, leftOut } = found;
    const counted = returns > 0 ? { returns } : {};
    await tx.query(
      `insert into compliance.audit_months (shop_id, month, state, nothing)
       values ($1, to_date($2, 'YYYY-MM'), 'nothing', $3::jsonb || jsonb_build_object('seen', clock_timestamp()))
       on conflict (shop_id, month) do update set state = 'nothing', nothing = excluded.nothing`,
      [shopId, month, { note, who: said.by, at: now.toISOString(), orders: leftOut, ...counted }],
    );
    const act = returns > 0 ? 'month.returns-settled' : 'month.nothing';
    const after = { state: 'nothing', note, ...counted };
    await writeServiceActs(tx, [{ ...authorOf(said), act, subject: subjectOf({ shopId, month }), before: { state }, after }]);
    return { ok: true };
  });
}

/** How many returns the month has, and orders that its file leaves out; or why it can't be settled. */
async function emptyMonth(
  tx: Queryable,
  { withReturns, now, ...key }: MonthKey & { withReturns: boolean; now: Date },
): Promise<{ returns: number; leftOut: number } | Exclude<MarkedNothing, { ok: true }>> {
  const shop = await readAuditShop(tx, key.shopId);
  if (shop === null) return { ok: false, why: 'no-shop' };
  if (!(await isOurs(tx, { ...shop, month: key.month }, now))) return { ok: false, why: 'not-ours', since: shop.since };
  const { orders, leftOut } = await countMonth(tx, { ...key, leaveOut: await leftOutOf(tx, key, now) });
  // A version that was never filed counts no more once all its orders are gone.
  if (orders > 0) return { ok: false, why: (await readVersion(tx, key)) === null ? 'has-orders' : 'has-file' };
  const back = await monthReturns(tx, { ...key, currency: null });
  const returns = back.returns.length + back.withoutRate;
  return returns > 0 && !withReturns ? { ok: false, why: 'has-returns', returns } : { returns, leftOut: leftOut.orders };
}

async function withShopLocked<T>(pool: Pool, shopId: string, work: (tx: Queryable) => Promise<T>): Promise<T> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select from compliance.shops where id = $1 for update', [shopId]);
    return work(tx);
  });
}

const rows = rowsOf('compliance.orders', storedEntry.extend({ id: z.string() }));

// What the version may not list, and what stands of a sale that it does not list.
const MAY_MOVE = `
  select o.id, o.line_items, o.currency, o.precision, o.accounting_currency, o.exchange from compliance.orders o
    where o.shop_id = $1 and o.accounting_currency = 'BGN' and (o.recorded_at > $3::timestamptz or o.sale_id is not null)
      and (o.month = to_date($2, 'YYYY-MM') or o.sale_id in (select s.id from compliance.filed_sales s where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM')))
  union all
  select e.id, e.line_items, e.currency, e.precision, e.accounting_currency, e.exchange
    from compliance.filed_sales s, jsonb_populate_record(null::compliance.orders, s.entry) e
    where s.shop_id = $1 and s.month = to_date($2, 'YYYY-MM') and s.currency = 'BGN' and s.entry is not null and s.recorded_at > $3::timestamptz`;

type InEuro = Pick<DeclaredAmounts, 'total' | 'vat' | 'byRate'>;

/** The amounts in euro of all that may go from a month in leva to one in euro when a version is marked as filed, by order; null: nothing does. */
async function movedToEuro(tx: Queryable, { shopId, month, cutAt }: Pick<StoredVersion, 'shopId' | 'month' | 'cutAt'>): Promise<Record<string, InEuro> | null> {
  if (accountingCurrencyOf(month) === 'EUR') return null;
  const found = await readRows(tx, rows, { text: MAY_MOVE, values: [shopId, month, cutAt] });
  return Object.fromEntries(
    found.flatMap(({ id, line_items: lineItems, currency, precision, exchange: rate }) => {
      const declared = declaredAmounts({ lineItems, currency, precision }, { to: 'EUR', rate });
      return declared === null ? [] : [[id, { total: declared.total, vat: declared.vat, byRate: declared.byRate }]];
    }),
  );
}
