import type { TiedCurrency } from '../../contract/money.ts';
import type { ExchangeRate } from '../rates/exchange-rate.ts';

/** What an order is declared with, in decimal text with two decimals; `exchange` is null where no daily rate was needed. */
export type AccountingAmounts = { total: string; vat: string; exchange: ExchangeRate | null };

/** By accounting currency, as far as the rate is known. */
export type Accounting = Partial<Record<TiedCurrency, AccountingAmounts>>;
