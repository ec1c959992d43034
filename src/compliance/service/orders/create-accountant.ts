import { accountingCurrencies, accountingCurrencyOf } from '../../../domain/law/accounting-currency.ts';
import type { TiedCurrency } from '../../../domain/money.ts';
import type { TaxRecord } from '../../../domain/record.ts';
import type { OrderTotals } from '../../../domain/totals.ts';
import { padDecimals } from '../../wire/decimal-text.ts';
import type { Accounting, AccountingAmounts } from './accounting.ts';
import type { OrdersDeps } from './orders.ts';

type Deps = { currency: TiedCurrency | null };

/** Works out what orders are declared with; a currency whose rate is not known (yet) is left out. */
export function createAccountant({ currency }: Deps): OrdersDeps['accounting'] {
  return async (record, totals, month) => {
    const amounts: Accounting = {};
    for (const to of currenciesFor(month, currency)) {
      const known = await amountsIn(record, totals, to);
      if (known !== null) amounts[to] = known;
    }
    return amounts;
  };
}

// An order of an earlier period may still land in its own month, or in one of today.
function currenciesFor(month: string, forced: TiedCurrency | null): TiedCurrency[] {
  if (forced !== null) return [forced];
  const own = accountingCurrencyOf(month);
  return [...new Set([own, ...accountingCurrencies.filter(({ from }) => from > month).map((period) => period.currency)])];
}

async function amountsIn(record: TaxRecord, totals: OrderTotals, to: TiedCurrency): Promise<AccountingAmounts | null> {
  if (record.currency === to) return { total: padDecimals(totals.total, 2), vat: padDecimals(totals.totalVat, 2), exchange: null };
  return null;
}
