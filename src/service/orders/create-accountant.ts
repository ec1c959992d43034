import type { TiedCurrency } from '../../contract/money.ts';
import { isTied } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { OrderTotals } from '../../contract/totals.ts';
import { accountingCurrencies, accountingCurrencyOf } from '../law/accounting-currency.ts';
import { monthOf } from '../law/months.ts';
import { accountingLines } from '../rates/accounting-lines.ts';
import type { ExchangeRate, RateLookup } from '../rates/exchange-rate.ts';
import type { Accounting, AccountingAmounts } from './accounting.ts';
import type { OrdersDeps } from './orders.ts';

type Deps = { currency: TiedCurrency | null; rates: RateLookup };

/** Computes the amounts that orders are declared with; a currency whose rate is not known (yet) is left out. */
export function createAccountant({ currency, rates }: Deps): OrdersDeps['accounting'] {
  return async (record, totals, day) => {
    const rate = isTied(record.currency) ? null : await rates(record.currency, day);
    const into = currenciesFor(monthOf(day), currency);
    const amounts = into.map((to) => [to, amountsIn(record, totals, { to, rate })] as const);
    return Object.fromEntries(amounts.filter(([, known]) => known !== null)) satisfies Accounting;
  };
}

// An order of an earlier period is listed in its own month, or in one of today if that is closed.
function currenciesFor(month: string, forced: TiedCurrency | null): TiedCurrency[] {
  if (forced !== null) return [forced];
  return [accountingCurrencyOf(month), ...accountingCurrencies.filter(({ from }) => from > month).map((period) => period.currency)];
}

type Into = { to: TiedCurrency; rate: ExchangeRate | null };

function amountsIn(record: TaxRecord, totals: OrderTotals, { to, rate }: Into): AccountingAmounts | null {
  const known = accountingLines(record, { to, rate, totals });
  return known === null ? null : { total: known.total, vat: known.vat, exchange: rate };
}
