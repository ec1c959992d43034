import { z } from 'zod';
import { UnreadableJob } from '../../platform/unreadable-job.ts';
import type { Normalized } from '../storefronts/contract.ts';

/** BullMQ queues; names are part of the operators' interface. */
export const DELIVERIES = 'deliveries';
export const SUBMISSIONS = 'submissions';
export const MAINTENANCE = 'maintenance';

export type SubmittedOrder = { number: string | null; total: string | null; currency: string | null; lines: string[] };

/**
 * A row of the ledger as a job on `submissions`, for people on the dashboard.
 */
export type SubmissionJob = { v: 1; orderId: number; connectionId: string; order: SubmittedOrder };

const kinds = z.object({ kind: z.enum(['order', 'ignored', 'warning', 'closed', 'granted', 'privacy', 'unreadable', 'refund-deleted']) });
// Written by our own normalizer: its inside is trusted, its version is `v`.
const normalized = z.custom<Normalized>((value) => kinds.safeParse(value).success);

export const acceptedDelivery = z.object({
  /** UUID given at arrival: recording the same delivery twice is one. */
  id: z.uuid(),
  connectionId: z.string(),
  /** ISO instant in UTC with milliseconds. */
  arrivedAt: z.string(),
  topic: z.string(),
  platformDeliveryId: z.string().nullable(),
  store: z.string().nullable(),
  /** Those that people may see; absent: it was read from a store, or is a replay. */
  headers: z.record(z.string(), z.string()).exactOptional(),
  /** From the beginning of its request until it is handed over. */
  answerMs: z.int().exactOptional(),
  /** The raw bytes, zstd in base64; null where the body must not be kept (drafts, pings). Sealed if `buyer` is there. */
  body: z.string().nullable(),
  /** The day's room for bodies was used up: `body` is `normalized`, and is dropped once that is recorded. */
  cut: z.literal(true).exactOptional(),
  /** While it waits, sealed and apart from the news: its buyer; null: it names none. */
  buyer: z.string().nullable().exactOptional(),
  normalized,
  /** A backfill takes the order in: it is recorded whenever it was paid. */
  takenIn: z.literal(true).exactOptional(),
});
/** One accepted webhook on its way to the recorder. */
export type AcceptedDelivery = z.output<typeof acceptedDelivery>;

/** What a delivery means, out of a job; undefined: it can't be read. */
export function unpacked(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(Buffer.from(value, 'latin1').toString()) : value;
  } catch {
    return undefined;
  }
}

const deliveriesJob = z.object({ v: z.literal(1), deliveries: z.array(acceptedDelivery.extend({ normalized: z.preprocess(unpacked, normalized) })) });
/** A job on `deliveries`: the deliveries that were accepted while the previous add was under way. */
export type DeliveriesJob = z.output<typeof deliveriesJob>;
/** The same as the queue keeps it. */
export type QueuedDeliveries = z.input<typeof deliveriesJob>;

/**
 * What they mean is JSON, each byte of it as one letter: a single Cyrillic letter would have all of the job, bodies too, kept with two bytes a letter, and
 * that takes three times as long to be written, measured and read.
 */
export function queuedDeliveries(deliveries: readonly AcceptedDelivery[]): QueuedDeliveries {
  const packed = (one: AcceptedDelivery) => ({ ...one, normalized: Buffer.from(JSON.stringify(one.normalized)).toString('latin1') });
  return { v: 1, deliveries: deliveries.map(packed) };
}

const scope = z.object({ destinationId: z.string(), shopId: z.string().nullable(), callType: z.enum(['records', 'receipts']) });
const maintenanceJob = z.object({ v: z.literal(1), what: z.literal('probe'), scope });
/** Jobs on `maintenance`: the probe of a paused scope. */
export type MaintenanceJob = z.output<typeof maintenanceJob>;

/** Jobs outlive releases: a job of a version that is not known is refused, and stays on the queue. */
function read<Schema extends z.ZodType>(schema: Schema, kind: string, data: unknown): z.output<Schema> {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new UnreadableJob(`a ${kind} job of an unknown version or shape: ${parsed.error.issues[0]?.path.join('.') ?? '?'}`);
  return parsed.data;
}

export const readDeliveriesJob = (data: unknown): DeliveriesJob => read(deliveriesJob, DELIVERIES, data);
export const readMaintenanceJob = (data: unknown): MaintenanceJob => read(maintenanceJob, MAINTENANCE, data);
