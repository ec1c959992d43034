import { rounded } from '../../contract/decimal.ts';
import { convertFixed, exactMoney, formatMoney, isTied } from '../../contract/money.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import { secondCurrencyOn } from '../law/dual-display.ts';
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

/** The accounting currency first, if prices are in another one; then the second currency during a period of dual display. */
export function equivalentsOf(sale: Sale, { total }: OrderTotals): Equivalent[] {
  const { record, documentDate, accounting } = sale;
  if (accounting.currency !== record.currency) return [inAccountingCurrency(sale)];
  const second = secondCurrencyOn(documentDate, record.currency);
  if (second === null || !isTied(record.currency)) return [];
  const minor = toCents(total, record.precision);
  return [{ by: 'fixed', currency: second, total: formatMoney(convertFixed(minor, record.currency, second), 2), vat: null }];
}

function inAccountingCurrency({ accounting: { currency, total, vat, exchange } }: Sale): Equivalent {
  if (total === null || vat === null) return { by: 'awaited', currency };
  return exchange === null ? { by: 'fixed', currency, total, vat } : { by: 'published', currency, total, vat, exchange };
}

/** The declared total, with two decimals: in the accounting currency, or in the order's own while the rate is not known. */
export function fiscalTotal({ record, accounting }: Sale, { total }: OrderTotals): string {
  const declared = accounting.currency === record.currency ? null : accounting.total;
  return declared === null ? formatMoney(toCents(total, record.precision), 2) : formatMoney(toCents(declared, 2), 2);
}

function toCents(text: string, precision: number): bigint {
  return rounded({ units: exactMoney(text, precision), scale: precision }, 2);
}
