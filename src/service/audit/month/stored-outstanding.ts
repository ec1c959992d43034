import { z } from 'zod';
import type { Outstanding } from '../summary/month-summary.ts';

/** As it is stored with a month that was filed without them. */
export const storedOutstanding: z.ZodType<Outstanding> = z.object({
  at: z.string(),
  orders: z.int(),
  totals: z.array(z.object({ currency: z.string(), total: z.string() })),
  oldest: z.string(),
  codes: z.array(z.object({ code: z.string(), orders: z.int() })),
});
