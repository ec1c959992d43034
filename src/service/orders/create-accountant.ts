import type { TiedCurrency } from '../../contract/money.ts';
import { isTied } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { accountingCurrencies } from '../law/accounting-currency.ts';
import { declaredAmounts, type Into } from '../rates/declared-amounts.ts';
import type { RateLookup } from '../rates/exchange-rate.ts';
import type { Accounting, AccountingAmounts } from './accounting.ts';
import type { OrdersDeps } from './orders.ts';

type Deps = { currency: TiedCurrency | null; rates: RateLookup };

/** Computes the amounts that orders are declared with; a currency whose rate is not known (yet) is left out. */
export function createAccountant({ currency, rates }: Deps): OrdersDeps['accounting'] {
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
