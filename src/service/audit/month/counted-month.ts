import { z } from 'zod';
import { exactMoney, formatMoney, sum, type TiedCurrency } from '../../../contract/money.ts';
import { typesWithoutReceipt } from '../../../contract/order-dto.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { accountingCurrencyOf } from '../../law/currencies.ts';
import { termAt } from '../../term.ts';
import { monthReturns, type ReturnsOfMonth } from '../file/given-back.ts';
import type { MadeFile } from '../file/make-file.ts';
import { countMonth, type MonthCounts, type MonthOf, voidedNumbers } from '../file/read-month.ts';
import type { UnreportedReturns } from '../summary/month-summary.ts';
import { summaryLimits } from '../summary/summary-page.ts';
import { isSettled, type MonthKey } from './month-state.ts';
import { noFigures, type VersionSummary } from './read-versions.ts';
import type { AuditShop } from './shop-of-month.ts';

/** A month without its single orders: counts, returns and voided numbers, in its accounting currency. `withoutRate`: orders and returns without an amount. */
type CountedMonth = Omit<ReturnsOfMonth, 'withoutRate'> & {
  of: MonthOf;
  currency: TiedCurrency;
  counts: MonthCounts;
  voided: VersionSummary['voided'];
  withoutRate: number;
};

type Wanted = {
  month: string;
  /** Currency of all audit files; null: by their month. */
  currency: TiedCurrency | null;
  now: Date;
};

/** Reads a month of a shop from the client's snapshot. */
export async function readCountedMonth(client: Queryable, shop: AuditShop, { month, currency: forced, now }: Wanted): Promise<CountedMonth> {
  const key = { shopId: shop.id, month };
  const of = { ...key, leaveOut: await leftOutOf(client, key, now) };
  const currency = forced ?? accountingCurrencyOf(month);
  const counts = await countMonth(client, of);
  const { returns, sales, withoutRate } = await monthReturns(client, { ...of, currency });
  return { of, currency, counts, returns, sales, withoutRate: counts.withoutRate + withoutRate, voided: await voidedNumbers(client, of) };
}

/** The summary that is stored and shown; `made` is null where there is no file. */
export function summaryOf({ counts, returns, currency, voided }: CountedMonth, made: Pick<MadeFile, 'figures' | 'foreign'> | null): VersionSummary {
  return {
    currency,
    figures: made?.figures ?? noFigures(counts, returns),
    returns: { count: returns.length, rows: returns.slice(0, summaryLimits.rows) },
    voided,
    foreign: made?.foreign ?? { count: 0, rows: [] },
    leftOut: counts.leftOut,
  };
}

const leftOutRow = rowsOf('compliance.shops', z.object({ types: z.array(z.string()) }));

/** The payment types that the file of a month leaves out; see left-out.sql. */
export async function leftOutOf(db: Queryable, { shopId, month }: MonthKey, now: Date): Promise<string[]> {
  const { firstOpen } = termAt(now);
  const text = `select compliance.left_out($1, to_date($2, 'YYYY-MM'), $3, $4) as types`;
  return (await readOne(db, leftOutRow, { text, values: [shopId, month, firstOpen, [...typesWithoutReceipt]] })).types;
}

/** How many orders the file of a month would list now. */
export async function listedOrders(db: Queryable, key: MonthKey, now: Date): Promise<number> {
  return (await countMonth(db, { ...key, leaveOut: await leftOutOf(db, key, now) })).orders;
}

const KEEP = `
  insert into compliance.audit_months (shop_id, month, state, left_out)
    select $1, m.month, 'open', compliance.left_out($1, m.month, $2, $3) from (
      select o.month from compliance.orders o where o.shop_id = $1 and o.month < $2 union select s.month from compliance.filed_sales s where s.shop_id = $1 and s.month < $2
    ) m
  on conflict (shop_id, month) do update set left_out = excluded.left_out where audit_months.left_out is null`;

/** Keeps what months past their term leave out, before the shop's setting is changed: it counted when their term ended. */
export async function keepLeftOut(tx: Queryable, shopId: string, now: Date): Promise<void> {
  await tx.query(KEEP, [shopId, termAt(now).firstOpen, [...typesWithoutReceipt]]);
}

/** SQL: has the row of `compliance.returns` r an amount, or none yet? */
export const IS_RETURN = `coalesce(r.amount, r.base - coalesce((select o.accounting_total from compliance.orders o where o.sale_id = r.sale_id), 0)) is distinct from 0`;

const months = rowsOf('compliance.returns', z.object({ month: z.string() }));

const UNREPORTED = `
  select to_char(r.month, 'YYYY-MM') as month from compliance.returns r join compliance.audit_months a on a.shop_id = r.shop_id and a.month = r.month
  where r.shop_id = $1 and r.month < to_date($2, 'YYYY-MM') and a.state <> 'filed' and a.attempt ->> 'kind' = 'empty' and not ${isSettled('a')} and ${IS_RETURN}
  group by r.month order by r.month`;

type UnreportedWanted = MonthKey & {
  /** Of all files; null: by their month. */
  currency: TiedCurrency | null;
  now: Date;
};

/** The returns of the months before this one that have no order for a file, and that nobody has settled. Absent: there are none. */
export async function unreportedReturns(db: Queryable, { shopId, month, currency, now }: UnreportedWanted): Promise<{ unreported?: UnreportedReturns[] }> {
  const found = await readRows(db, months, { text: UNREPORTED, values: [shopId, month] });
  const unreported: UnreportedReturns[] = [];
  for (const one of found) {
    if ((await listedOrders(db, { shopId, month: one.month }, now)) > 0) continue;
    const { returns } = await monthReturns(db, { shopId, month: one.month, currency });
    const total = formatMoney(sum(returns.map(({ amount }) => exactMoney(amount, 2))), 2);
    unreported.push({ month: one.month, returns: returns.length, total, currency: currency ?? accountingCurrencyOf(one.month) });
  }
  return unreported.length === 0 ? {} : { unreported };
}
