import { z } from 'zod';

/** A `Finding` as it lies in the database. */
export const storedFinding = z.object({
  level: z.enum(['error', 'warning']),
  rule: z.string(),
  line: z.number().nullable(),
  order: z.string().nullable(),
  words: z.string(),
  advice: z.string(),
});
