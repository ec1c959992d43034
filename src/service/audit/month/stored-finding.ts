import { z } from 'zod';
import type { AuditSums } from '../audit-file.ts';

/** A `Finding` as it is stored. */
export const storedFinding = z.object({
  level: z.enum(['error', 'warning']),
  rule: z.string(),
  line: z.number().nullable(),
  order: z.string().nullable(),
  words: z.string(),
  advice: z.string(),
});

/** `AuditSums` as they are stored. */
export const storedSums: z.ZodType<AuditSums> = z.object({
  orders: z.int(),
  net: z.string(),
  vat: z.string(),
  total: z.string(),
  returns: z.int(),
  returned: z.string(),
});
