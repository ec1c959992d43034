import { z } from 'zod';

export type OrderSummary = { number: string | null; total: string | null; currency: string | null; lines: string[] };

/** A job on `submissions`. `order` is for the eyes of people at the dashboard; what is sent is the ledger's. */
export type SubmissionJob = { v: 1; orderId: number; order: OrderSummary };

const shape = z.object({ v: z.literal(1), orderId: z.number().int() });

export function readSubmissionJob(data: unknown): { orderId: number } {
  const parsed = shape.safeParse(data);
  if (!parsed.success) throw new Error('a submission job of an unknown version or shape');
  return parsed.data;
}
