import { z } from 'zod';
import type { Scope } from './pauses.ts';

/** Jobs on `maintenance`: the sweep, and the probe of a paused scope. */
export type MaintenanceJob = { v: 1; what: 'sweep' } | { v: 1; what: 'probe'; scope: Scope };

// A job of an earlier release names no lane.
const scope = z.object({ destinationId: z.string(), shopId: z.string().nullable(), lane: z.enum(['records', 'receipts']).default('records') });
const shape = z.discriminatedUnion('what', [
  z.object({ v: z.literal(1), what: z.literal('sweep') }),
  z.object({ v: z.literal(1), what: z.literal('probe'), scope }),
]);

export function readMaintenanceJob(data: unknown): MaintenanceJob {
  const parsed = shape.safeParse(data);
  if (!parsed.success) throw new Error('a maintenance job of an unknown version or shape');
  return parsed.data;
}
