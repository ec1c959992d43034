import { isTied, type TiedCurrency } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { accountingCurrencies } from '../law/currencies.ts';
import { declaredAmounts, type Into, type RateAmounts } from './declared-amounts.ts';
import type { ExchangeRate, RateLookup } from './exchange-rate.ts';

/** Computes the amounts that orders are declared with; a currency whose rate is not known (yet) is left out. */
export function createAccountant({ currency, rates }: { currency: TiedCurrency | null; rates: RateLookup }): Accountant {
  // It may be listed in a later period than its own, and in an earlier one if it replaces an order of that.
  const into = currency === null ? accountingCurrencies.map((period) => period.currency) : [currency];
  return async (record, day) => {
    const rate = isTied(record.currency) ? null : await rates(record.currency, day);
    const amounts = into.map((to) => [to, amountsIn(record, { to, rate })] as const);
    return Object.fromEntries(amounts.filter(([, known]) => known !== null)) satisfies Accounting;
  };
}

function amountsIn(record: TaxRecord, into: Into): AccountingAmounts | null {
  const known = declaredAmounts(record, into);
  return known === null ? null : { total: known.total, vat: known.vat, byRate: known.byRate, exchange: into.rate };
}

/** The amounts that an order is declared with, as decimal text with two decimals; `exchange` is null where no daily rate was needed. */
type AccountingAmounts = { total: string; vat: string; byRate: readonly RateAmounts[]; exchange: ExchangeRate | null };

/** By accounting currency; without those whose rate is not known. */
export type Accounting = Partial<Record<TiedCurrency, AccountingAmounts>>;

/** The accounting amounts of an order of a day ("2026-10-31"), in every currency that may be needed. */
export type Accountant = (record: TaxRecord, day: string) => Promise<Accounting>;
