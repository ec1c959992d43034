import { z } from 'zod';

/**
 * A daily rate of the Bulgarian National Bank, kept as published, so that nothing is rounded twice:
 * an amount in `currency` is amount × multiply ÷ divide in `base`. Before 2026 that is × RATE ÷ RATIO leva, since then × 1 ÷ RATE euro.
 */
export type ExchangeRate = z.output<typeof storedRate>;

/** The rate that counts for a currency on a day; null if it is not known (yet). */
export type RateLookup = (currency: string, day: string) => Promise<ExchangeRate | null>;

/** An `ExchangeRate` as it is stored; factors are decimal text. */
export const storedRate = z.object({
  currency: z.string(),
  base: z.enum(['BGN', 'EUR']),
  multiply: z.string(),
  divide: z.string(),
  /** The day of its sheet ("2026-11-20"); on days without a sheet the last one counts. */
  publishedOn: z.string(),
  source: z.literal('BNB'),
});

/** A rate as the bank writes it: "1 EUR = 1.1722 USD", until 2025 "10 BRL = 3.13449 BGN". */
export function rateWords({ base, currency, multiply, divide }: Omit<ExchangeRate, 'source' | 'publishedOn'>): string {
  return base === 'EUR' ? `${multiply} EUR = ${divide} ${currency}` : `${divide} ${currency} = ${multiply} BGN`;
}
