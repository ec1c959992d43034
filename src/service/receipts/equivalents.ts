import { decimal, fixed } from '../../contract/decimal.ts';
import { convertFixed, formatMoney, isTied, minorOf } from '../../contract/money.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import { accountingCurrencyOf } from '../law/accounting-currency.ts';
import { secondCurrencyOn } from '../law/dual-display.ts';
import { monthOf } from '../law/months.ts';
import type { ExchangeRate } from '../rates/exchange-rate.ts';
import type { Sale } from './sale.ts';

/**
 * The total in another currency than that of the prices. `fixed` is by 1 EUR = 1.95583 BGN, `published` by a rate of the central bank;
 * `awaited` says that the central bank's rate of the order's day is not known yet.
 */
export type Equivalent =
  | { by: 'fixed'; currency: string; total: string; vat: string | null }
  | { by: 'published'; currency: string; total: string; vat: string; exchange: ExchangeRate }
  | { by: 'awaited'; currency: string };

/**
 * The accounting currency first, if prices are in another one; then the second currency during a period of dual display. `issuedOn`: the document's
 * Bulgarian day.
 */
export function equivalentsOf(sale: Sale, { total }: OrderTotals, issuedOn: string): Equivalent[] {
  const { record } = sale;
  if (isDeclaredOtherwise(sale, issuedOn)) return [inAccountingCurrency(sale)];
  const second = secondCurrencyOn(issuedOn, record.currency);
  if (second === null || !isTied(record.currency)) return [];
  const minor = minorOf(decimal(total), 2);
  return [{ by: 'fixed', currency: second, total: formatMoney(convertFixed(minor, record.currency, second), 2), vat: null }];
}

// A sale that was declared in leva and is replaced in euro stays in its month; a document of today says nothing in leva.
function isDeclaredOtherwise({ record, accounting }: Sale, issuedOn: string): boolean {
  if (accounting.currency === record.currency) return false;
  return !isTied(record.currency) || record.currency !== accountingCurrencyOf(monthOf(issuedOn));
}

function inAccountingCurrency({ accounting: { currency, total, vat, exchange } }: Sale): Equivalent {
  if (total === null || vat === null) return { by: 'awaited', currency };
  return exchange === null ? { by: 'fixed', currency, total, vat } : { by: 'published', currency, total, vat, exchange };
}

/** The amount of the sale with two decimals: as it is declared; in the currency of the total while no rate is known, or if that is today's own. */
export function fiscalTotal(sale: Sale, { total }: OrderTotals, issuedOn: string): string {
  const declared = isDeclaredOtherwise(sale, issuedOn) ? sale.accounting.total : null;
  return fixed(decimal(declared ?? total), 2);
}
