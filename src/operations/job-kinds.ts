import type { Backoff } from '../platform/backoff.ts';
import type { JobKind, KindSpec, Run } from '../platform/jobs/job-kind.ts';

/** How often the configuration has things done. */
type Pace = { sweepMs: number; reconcileMs: number };

/** What a compliance service must be told beside a record. The key is the order's row. */
const OF_RECORD = {
  ...{ batch: 64, concurrency: 4, leaseMs: 2 * 60_000, timeoutMs: 10 * 60_000 },
  backoff: { firstMs: 1_000, mostMs: 10 * 60_000 },
};
/** What runs by itself. */
const PERIODIC = { batch: 1, concurrency: 1, leaseMs: 30_000, timeoutMs: 30 * 60_000, backoff: { firstMs: 1_000, mostMs: 60_000 } };

/** Sends a mail, whose id is the key. It is given up by itself. After a crash it may go out again when the lease ends. */
const OF_MAIL = {
  ...{ batch: 1, concurrency: 4, leaseMs: 10 * 60_000, timeoutMs: 10 * 60_000 },
  backoff: { firstMs: 60_000, mostMs: 12 * 3_600_000 },
};

/** `every`: it runs by itself. `within`: one that failed is retried so soon at the latest. `mayDrop`: a person began it, who may drop it. The loss of others would be a wrong record, a missed erasure, an unread store or message. */
type Declared = KindSpec & { every?: (pace: Pace) => number; within?: (pace: Pace) => number; mayDrop?: boolean };

/** Every kind of background job. What it runs is in `app`: see `BridgeKind`. */
export const JOB_KINDS = {
  'forget-buyer': OF_RECORD,
  delivered: OF_RECORD,
  sweep: { ...PERIODIC, every: ({ sweepMs }) => sweepMs },
  // Finds the stores that can be read.
  'sync-stores': { ...PERIODIC, every: ({ sweepMs }) => sweepMs },
  // The key is the connection. A process that dies has a slot of its store for as long, too. A large store is read for hours, and then gone on with: several
  // processes may die during one run, which says nothing against it. What waits for an answer costs nothing, but for the orders of a page.
  sync: {
    ...{ ...PERIODIC, concurrency: 16, failing: 4, leaseMs: 15_000, timeoutMs: 6 * 3_600_000 },
    ...{ backoff: { firstMs: 1_000, mostMs: 15 * 60_000 }, within: ({ reconcileMs }) => reconcileMs },
  },
  // Each grant is renewed at another time of the last hours of its day.
  grants: { ...PERIODIC, every: () => 3_600_000 },
  // Finds the stores whose webhooks are to be listed.
  watch: { ...PERIODIC, every: ({ sweepMs }) => sweepMs },
  // The key is the connection. One store that hangs holds up no other.
  webhooks: { ...PERIODIC, concurrency: 4, leaseMs: 2 * 60_000 },
  // The key is the connection whose orders get notes in their store.
  notes: { ...PERIODIC, concurrency: 8, leaseMs: 15_000, backoff: { firstMs: 5_000, mostMs: 10 * 60_000 } },
  'network-checks': { ...PERIODIC, every: () => 5 * 60_000 },
  // What pages show of hours and days.
  counts: { ...PERIODIC, every: ({ sweepMs }) => Math.min(sweepMs * 12, 60_000) },
  // What orders are found by in part.
  search: { ...PERIODIC, every: ({ sweepMs }) => Math.min(sweepMs, 2_000) },
  // Finds what merchants must be mailed.
  'merchant-mails': { ...PERIODIC, every: ({ sweepMs }) => Math.min(sweepMs * 12, 60_000) },
  'bridge-mail': OF_MAIL,
  // The key is the channel. Its messages are given up by themselves.
  alerts: { ...PERIODIC, concurrency: 8, leaseMs: 2 * 60_000, backoff: { firstMs: 60_000, mostMs: 15 * 60_000 } },
  // The key is the endpoint, which has its job as long as it is there. What it does not take is retried for days, by times of its own.
  events: { ...PERIODIC, concurrency: 16, failing: 8, leaseMs: 5_000, timeoutMs: 2 * 60_000 },
  'outstanding-shops': { ...PERIODIC, every: ({ reconcileMs }) => reconcileMs / 5 },
  // The key is the shop. Counting a hundred thousand orders takes about a minute.
  outstanding: { ...PERIODIC, concurrency: 8, timeoutMs: 10 * 60_000, backoff: { firstMs: 1_000, mostMs: 3_600_000 } },
  audit: { ...PERIODIC, every: ({ sweepMs }) => sweepMs * 6 },
  // The key is shop and month. A large one takes minutes, in which others are made.
  month: { ...PERIODIC, concurrency: 3, timeoutMs: 6 * 3_600_000, backoff: { firstMs: 1_000, mostMs: 3_600_000 } },
  rates: PERIODIC,
  mail: OF_MAIL,
  // The key is the bulk action; workers and the console run it. If it is dropped, what is left of it stays in review.
  'bulk-action': { ...PERIODIC, concurrency: 2, mayDrop: true },
  // The key is what somebody began on a store’s page: anyone who wants it begins it again.
  task: { ...PERIODIC, concurrency: 8, timeoutMs: 6 * 3_600_000, mayDrop: true },
} satisfies Record<string, Declared>;

type Kind = keyof typeof JOB_KINDS;
/** Those that `compliance-work.ts` runs, `outstanding-reporter.ts`, and `bridge-jobs.ts`: all others, but for two that a part of `app` each runs alone. */
export type ServiceKind = Extract<Kind, 'audit' | 'month' | 'rates' | 'mail'>;
export type ReporterKind = Extract<Kind, 'outstanding' | 'outstanding-shops'>;
export type BridgeKind = Exclude<Kind, ServiceKind | ReporterKind | 'alerts' | 'task'>;

export function isJobKind(kind: string): kind is Kind {
  return Object.hasOwn(JOB_KINDS, kind);
}

type Configured = { sweepSeconds: number; reconcileSeconds: number; retryScale: number };

/** The kinds that a process runs, each with what is run. */
export function jobKinds(config: Configured, runs: Readonly<Partial<Record<Kind, Run>>>): JobKind[] {
  return Object.entries(runs).flatMap(([kind, run]) => {
    if (!isJobKind(kind)) return [];
    const { every, within, ...spec }: Declared = JOB_KINDS[kind];
    const pace = { sweepMs: config.sweepSeconds * 1000, reconcileMs: config.reconcileSeconds * 1000 };
    const { firstMs, mostMs } = backoffOf(config, kind);
    const backoff = { firstMs, mostMs: Math.min(mostMs, within?.(pace) ?? mostMs) };
    return [{ ...spec, kind, run, everyMs: every?.(pace) ?? null, backoff }];
  });
}

export function backoffOf({ retryScale }: Pick<Configured, 'retryScale'>, kind: Kind): Backoff {
  const { firstMs, mostMs } = JOB_KINDS[kind].backoff;
  return { firstMs: firstMs * retryScale, mostMs: mostMs * retryScale };
}
