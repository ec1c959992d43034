import type { TiedCurrency } from '../../contract/money.ts';

/**
 * A daily rate of the Bulgarian National Bank, kept as published, so that nothing is rounded twice:
 * an amount in `currency` is amount × multiply ÷ divide in `base`. Before 2026 that is × RATE ÷ RATIO leva, since then × 1 ÷ RATE euro.
 */
export type ExchangeRate = {
  currency: string;
  base: TiedCurrency;
  /** Decimal text. */
  multiply: string;
  /** Decimal text. */
  divide: string;
  /** The day of its sheet ("2026-11-20"); on days without a sheet the last one counts. */
  publishedOn: string;
  source: 'BNB';
};

/** The rate that counts for a currency on a day; null if it is not known (yet). */
export type RateLookup = (currency: string, day: string) => Promise<ExchangeRate | null>;
