import type { KindSpec } from '../platform/jobs/job-kind.ts';

/** How often the configuration has things done. */
export type Pace = { sweepMs: number; reconcileMs: number };

/** What a compliance service must be told beside a record. */
const OF_RECORD = {
  ...{ batch: 64, concurrency: 1, leaseMs: 2 * 60_000, timeoutMs: 10 * 60_000 },
  backoff: { firstMs: 1_000, mostMs: 10 * 60_000 },
  isEssential: true,
};

/** Every kind of background job of the bridge, by what its key is. `every`: it runs by itself. `app/bridge-jobs.ts` has what is run. */
export const JOB_KINDS = {
  // The order's row.
  'forget-buyer': OF_RECORD,
  delivered: OF_RECORD,
} as const satisfies Record<string, KindSpec & { every?: (pace: Pace) => number }>;

export type BridgeJobKind = keyof typeof JOB_KINDS;
