import { accountingCurrencyOf } from '../../../domain/law/accounting-currency.ts';
import type { AuditDeps } from './generate-month.ts';
import type { MonthKey } from './month-key.ts';
import { voidedNumbers } from './month-knowledge.ts';
import { countMonth, leftOutTypes, monthReturns } from './read-month.ts';
import type { AuditShop } from './shop-of-month.ts';
import { cutOf } from './snapshot.ts';
import { summaryLimits } from './summary/summary-limits.ts';
import { noFigures, type VersionSummary } from './version-summary.ts';

/** What a month that no file was made of holds as of now. */
export async function openSummary({ pool, currency: forced }: AuditDeps, shop: AuditShop, { month }: MonthKey): Promise<VersionSummary> {
  await using cut = await cutOf(pool, shop.id);
  const of = { shopId: shop.id, month, leaveOut: leftOutTypes(shop.details) };
  const currency = forced ?? accountingCurrencyOf(month);
  const counts = await countMonth(cut.client, of);
  const { returns } = await monthReturns(cut.client, { ...of, currency });
  return {
    currency,
    figures: noFigures(counts, returns),
    returns: { count: returns.length, rows: returns.slice(0, summaryLimits.rows) },
    voided: await voidedNumbers(cut.client, of),
    foreign: { count: 0, rows: [] },
    leftOut: counts.leftOut,
  };
}
