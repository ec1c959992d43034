import { z } from 'zod';
import type { Normalized } from '../storefronts/contract.ts';

/** One accepted webhook on its way to the recorder. */
export type AcceptedDelivery = {
  /** UUID given at arrival: recording the same delivery twice is one. */
  id: string;
  connectionId: string;
  /** ISO instant in UTC with milliseconds. */
  arrivedAt: string;
  topic: string;
  platformDeliveryId: string | null;
  store: string | null;
  /** The raw bytes, zstd in base64; null where the body must not be kept (drafts, pings). */
  body: string | null;
  normalized: Normalized;
};

/** What a job on `deliveries` carries: those accepted while the add before it was under way. */
export type DeliveriesJob = { v: 1; deliveries: AcceptedDelivery[] };

const kinds = z.object({ kind: z.enum(['order', 'ignored', 'warning', 'closed', 'privacy', 'unreadable']) });

const shape = z.object({
  v: z.literal(1),
  deliveries: z.array(
    z.object({
      id: z.uuid(),
      connectionId: z.string(),
      arrivedAt: z.string(),
      topic: z.string(),
      platformDeliveryId: z.string().nullable(),
      store: z.string().nullable(),
      body: z.string().nullable(),
      // Written by our own normalizer: its inside is trusted, its version is `v`.
      normalized: z.custom<Normalized>((value) => kinds.safeParse(value).success),
    }),
  ),
});

/** Jobs outlive releases: a job of a version that is not known is refused, and stays on the queue. */
export function readDeliveriesJob(data: unknown): DeliveriesJob {
  const parsed = shape.safeParse(data);
  if (!parsed.success) throw new Error(`a deliveries job of an unknown version or shape: ${parsed.error.issues[0]?.path.join('.') ?? '?'}`);
  return parsed.data;
}
