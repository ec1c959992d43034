import { z } from 'zod';

/** An `ExchangeRate` as it is stored. */
export const storedRate = z.object({
  currency: z.string(),
  base: z.enum(['BGN', 'EUR']),
  multiply: z.string(),
  divide: z.string(),
  publishedOn: z.string(),
  source: z.literal('BNB'),
});
