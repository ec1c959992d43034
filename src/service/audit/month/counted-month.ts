import type { TiedCurrency } from '../../../contract/money.ts';
import type { Queryable } from '../../../platform/postgres/postgres.ts';
import { accountingCurrencyOf } from '../../law/accounting-currency.ts';
import { voidedNumbers } from '../file/document-numbers.ts';
import type { MadeFile } from '../file/make-file.ts';
import { countMonth, type MonthCounts, type MonthOf } from '../file/read-month.ts';
import { monthReturns, type ReturnsOfMonth } from '../file/read-returns.ts';
import { summaryLimits } from '../summary/summary-limits.ts';
import { leftOutOf } from './left-out.ts';
import type { AuditShop } from './shop-of-month.ts';
import { noFigures, type VersionSummary } from './version-summary.ts';

/** A month without its single orders: counts, returns and voided numbers, in its accounting currency. `withoutRate`: orders and returns without an amount. */
export type CountedMonth = Omit<ReturnsOfMonth, 'withoutRate'> & {
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
