import { z } from 'zod';
import type { Backoff } from '../../platform/backoff.ts';
import { DONE, type JobEnd, type Run } from '../../platform/jobs/job-kind.ts';
import type { Job } from '../../platform/jobs/job-store.ts';
import { waitMs } from '../../platform/jobs/run-jobs.ts';
import type { Reply } from '../order/decisions/answer.ts';

/** Whom a compliance service is to forget, and what it is to be told was delivered. The key of a job is the order's row. */
export const OUTBOX_KINDS = ['forget-buyer', 'delivered'] as const;
export type OutboxKind = (typeof OUTBOX_KINDS)[number];

export const orderOfJob = z.object({
  orderId: z.int(),
  connectionId: z.string(),
  destinationId: z.string().nullable(),
  complianceId: z.string().nullable(),
  isDeleted: z.boolean(),
  deliveredAt: z.string().nullable(),
  waitsMs: z.number().nullable(),
  isFree: z.boolean(),
});

/**
 * The record of an order of which a service is to be told something. `complianceId` null: there is none. `isDeleted`: it is the last one that there was.
 * `waitsMs`: until its destination may be called, or a person has said what is recorded; null: it may be now. `isFree`: no attempt is under way that could
 * make another record.
 */
export type OrderOfJob = z.output<typeof orderOfJob>;

/** An outbox job to a record that is there, or was. */
export type OutboxPayload = { orderId: number; destinationId: string; complianceId: string; deliveredAt: string | null };

export type OutboxJobDeps = {
  /**
   * Those of these orders that exist; from then on, those that are free have no attempt that began earlier. `failing`: for how many ms more a destination
   * is not to be called, in which its orders are left as they are.
   */
  orders(kind: OutboxKind, ids: readonly number[], failing: Readonly<Record<string, number>>): Promise<OrderOfJob[]>;
  /** Whether the order's delivery is to be told at all, by the settings of its connection. */
  isWanted(order: OrderOfJob): Promise<boolean>;
  supports(destinationId: string, kind: OutboxKind): Promise<boolean>;
  /** Never throws for errors of service or network. */
  tell(kind: OutboxKind, payload: OutboxPayload, signal: AbortSignal): Promise<Reply>;
  /** Does the service say itself that it has no such record? */
  isGone(payload: OutboxPayload, signal: AbortSignal): Promise<boolean>;
  onDone(kind: OutboxKind, orderId: number): void;
  /** The first time only. */
  onNotDone(kind: OutboxKind, orderId: number, why: string): void;
  /** Of a destination that fails. */
  backoff: Backoff;
  /** ms of a clock that only goes forward */
  now(): number;
  /** [0, 1) */
  random(): number;
};

/** Until the attempt that is under way is over. */
const BUSY_MS = 5_000;
/** Jobs to a destination that another run calls wait for as long again as they have waited: of a hundred thousand each is looked at a few times. */
const TURN = { leastMs: 1_000, mostMs: 10 * 60_000 };

/** Runs of the two kinds. Jobs to a destination run one after the other, keep those to others waiting as little as they can, and are not tried while it fails. */
export function outboxRuns(deps: OutboxJobDeps): Record<OutboxKind, Run> {
  const failing = new FailingDestinations(deps);
  const runOf = (kind: OutboxKind): Run => {
    const called = new Set<string>();
    return (jobs, signal) => new Batch({ deps, failing, called, kind, signal }).run(jobs);
  };
  return { 'forget-buyer': runOf('forget-buyer'), delivered: runOf('delivered') };
}

/** Destinations that this process does not call for a while. */
class FailingDestinations {
  readonly #deps: OutboxJobDeps;
  readonly #known = new Map<string, { failures: number; until: number }>();

  constructor(deps: OutboxJobDeps) {
    this.#deps = deps;
  }

  /** Those that may not be called now, and for how many ms. */
  waits(): Record<string, number> {
    const ids = [...this.#known.keys()].filter((id) => this.waitMs(id) > 0);
    return Object.fromEntries(ids.map((id) => [id, this.waitMs(id)]));
  }

  /** 0: it may be called. */
  waitMs(id: string): number {
    return Math.max(0, (this.#known.get(id)?.until ?? 0) - this.#deps.now());
  }

  note(id: string, reply: Reply): void {
    if (!isOfDestination(reply)) return void this.#known.delete(id);
    const failures = (this.#known.get(id)?.failures ?? 0) + 1;
    const afterMs = reply.kind === 'answered' ? reply.retryAfterMs : null;
    this.#known.set(id, { failures, until: this.#deps.now() + waitMs(this.#deps.backoff, failures, { random: this.#deps.random(), afterMs }) });
  }
}

/** `called`: the destinations of all runs of the kind that are under way. */
type BatchOptions = { deps: OutboxJobDeps; failing: FailingDestinations; called: Set<string>; kind: OutboxKind; signal: AbortSignal };

class Batch {
  readonly #options: BatchOptions;

  constructor(options: BatchOptions) {
    this.#options = options;
  }

  async run(jobs: readonly Job[]): Promise<JobEnd[]> {
    const { deps, failing, called, kind } = this.#options;
    const ids = jobs.map(({ key }) => Number(key));
    const isCalled = Object.fromEntries([...called].map((id) => [id, TURN.leastMs]));
    const found = await deps.orders(kind, ids, { ...isCalled, ...failing.waits() });
    const orders = new Map(found.map((order) => [order.orderId, order]));
    const ends = new Map<Job, JobEnd>();
    const byDestination = Map.groupBy(jobs, ({ key }) => orders.get(Number(key))?.destinationId ?? '');
    await Promise.all(
      [...byDestination].map(async ([id, line]) => {
        const isTaken = called.has(id);
        if (id !== '') called.add(id);
        const end = (job: Job) => (isTaken ? afterTurn(job) : this.#one(job, orders.get(Number(job.key))));
        try {
          for (const job of line) ends.set(job, await end(job));
        } finally {
          if (!isTaken) called.delete(id);
        }
      }),
    );
    return jobs.map((job) => ends.get(job) ?? { is: 'waits', ms: 0 });
  }

  async #one(job: Job, order: OrderOfJob | undefined): Promise<JobEnd> {
    const { deps, failing, kind, signal } = this.#options;
    // It was joined to another one, which has a job of its own.
    if (order === undefined) return DONE;
    const { orderId, destinationId, complianceId, deliveredAt, waitsMs, isDeleted } = order;
    if (signal.aborted) return { is: 'waits', ms: 0 };
    if (waitsMs !== null) return { is: 'waits', ms: waitsMs };
    if (!order.isFree) return { is: 'waits', ms: BUSY_MS };
    // A record that is made later has no buyer, and brings its own outbox job if it was delivered.
    if (destinationId === null || complianceId === null || !(await this.#isWanted(order))) return DONE;
    if (!(await deps.supports(destinationId, kind))) return isDeleted ? DONE : { is: 'blocked', why: 'the service can’t be told' };
    const ms = failing.waitMs(destinationId);
    return ms > 0 ? { is: 'waits', ms } : this.#tell(job, { orderId, destinationId, complianceId, deliveredAt }, isDeleted);
  }

  async #isWanted(order: OrderOfJob): Promise<boolean> {
    return this.#options.kind === 'forget-buyer' || (order.deliveredAt !== null && (await this.#options.deps.isWanted(order)));
  }

  async #tell({ attempts }: Job, payload: OutboxPayload, isDeleted: boolean): Promise<JobEnd> {
    const { deps, failing, kind, signal } = this.#options;
    const reply = await deps.tell(kind, payload, signal).catch(asReply);
    if (!signal.aborted) failing.note(payload.destinationId, reply);
    if (isTaken(reply) || (isAbsent(reply) && (isDeleted || (await deps.isGone(payload, signal).catch(() => false))))) {
      deps.onDone(kind, payload.orderId);
      return DONE;
    }
    if (signal.aborted) return { is: 'waits', ms: 0 };
    const why = reply.kind === 'answered' ? reply.detail : reply.error;
    if (attempts === 1) deps.onNotDone(kind, payload.orderId, why);
    return { is: 'failed', why, afterMs: reply.kind === 'answered' ? reply.retryAfterMs : null };
  }
}

function afterTurn({ ageMs }: Job): JobEnd {
  return { is: 'waits', ms: Math.min(Math.max(ageMs, TURN.leastMs), TURN.mostMs) };
}

// A destination whose address or secret can't be read now.
function asReply(thrown: unknown): Reply {
  return { kind: 'not-sent', error: thrown instanceof Error ? thrown.message : 'it could not be sent' };
}

function isTaken(reply: Reply): boolean {
  return reply.kind === 'answered' && reply.status >= 200 && reply.status < 300;
}

/** Of the record, or of the address: the service may lack the extension. */
function isAbsent(reply: Reply): boolean {
  return reply.kind === 'answered' && (reply.status === 404 || reply.status === 410);
}

function isOfDestination(reply: Reply): boolean {
  return reply.kind !== 'answered' || reply.status === 401 || reply.status === 429 || reply.status >= 500;
}
