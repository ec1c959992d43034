import type { TiedCurrency } from '../../contract/money.ts';
import type { RateAmounts } from '../rates/by-rate.ts';
import type { ExchangeRate } from '../rates/exchange-rate.ts';

/** The amounts that an order is declared with, as decimal text with two decimals; `exchange` is null where no daily rate was needed. */
export type AccountingAmounts = { total: string; vat: string; byRate: readonly RateAmounts[]; exchange: ExchangeRate | null };

/** By accounting currency; without those whose rate is not known. */
export type Accounting = Partial<Record<TiedCurrency, AccountingAmounts>>;
