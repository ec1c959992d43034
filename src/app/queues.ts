import type { Job, JobState, Queue } from 'bullmq';
import { queueFailing } from '../bridge/bridge-events.ts';
import { createAddDeliveries } from '../bridge/delivery/deliveries-worker.ts';
import { createQueueScheduler, type FairScheduler } from '../bridge/delivery/fair-scheduler.ts';
import { DELIVERIES, type DeliveriesJob, MAINTENANCE, type MaintenanceJob, SUBMISSIONS, type SubmissionJob } from '../bridge/delivery/jobs.ts';
import type { Notify } from '../bridge/delivery/notify.ts';
import { jsonText } from '../bridge/ledger/json-columns.ts';
import { countDue, type DueState, findDue, type ListedDue, listDue } from '../bridge/ledger/orders/due-orders.ts';
import { AnswerCache } from '../platform/answer-cache.ts';
import type { Pool } from '../platform/postgres/postgres.ts';
import { type QueueBackend, QueueSystem } from '../platform/queue/queue-system.ts';
import { standInJob } from '../platform/queue/stand-in-job.ts';
import type { Core } from './core.ts';

export type Queues = {
  system: QueueSystem;
  deliveries: Queue<DeliveriesJob>;
  submissions: Queue<SubmissionJob>;
  maintenance: Queue<MaintenanceJob>;
  /** Whose turn it is on `deliveries`. */
  scheduler: FairScheduler;
  /** Has this process look when the first of them is due. Others see it in the ledger, within a moment. */
  notify: Notify;
  /** Sets who looks in this process; until then nobody does. */
  onNotify(soon: (dueAt: number) => void): void;
  addDeliveries(job: DeliveriesJob): Promise<void>;
};

/** Below what any process gets done, so that what waits is not forgotten before its time. */
const FORGETTING = { perSecond: 10, now: Date.now };

/** The configured queues: on Redis, or on the ledger's own PostgreSQL. */
export function openQueues(core: Core): Queues & AsyncDisposable {
  const { config, log } = core;
  const backend: QueueBackend = config.queue.kind === 'redis' ? { kind: 'redis', url: config.queue.url.reveal() } : { kind: 'postgres', url: core.databaseUrl };
  const system = new QueueSystem({ backend, stalledMs: config.stalledSeconds * 1000, onError: quiet((err) => queueFailing(log, err)), stop: core.stop });
  const deliveries = system.queue<DeliveriesJob>(DELIVERIES);
  const submissions = showDueOrders(system.queue<SubmissionJob>(SUBMISSIONS, { mayLose: true }), core.pool);
  // PostgreSQL would refuse a character that jsonb can't store, and with it every delivery of the job.
  const storable: <T>(value: T) => T = backend.kind === 'postgres' ? (value) => JSON.parse(jsonText(value)) : (value) => value;
  const scheduler = createQueueScheduler(deliveries, ['waiting', 'prioritized'], FORGETTING);
  let ring: (dueAt: number) => void = () => undefined;
  const addDeliveries = createAddDeliveries(deliveries, scheduler);
  return {
    system,
    deliveries,
    submissions,
    maintenance: system.queue<MaintenanceJob>(MAINTENANCE, { mayLose: true }),
    scheduler,
    notify: (orders) => {
      if (orders.length > 0) ring(Math.min(...orders.map(({ dueAt }) => dueAt)));
    },
    onNotify: (soon) => {
      ring = soon;
    },
    // Bodies are base64, which can be stored as it is: large ones would take long to be looked through.
    addDeliveries: (job) =>
      addDeliveries({ ...job, deliveries: job.deliveries.map((delivery) => ({ ...storable({ ...delivery, body: null }), body: delivery.body })) }),
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}

/** A queue that is down emits many errors a second; one every five seconds is logged. */
function quiet(say: (error: Error) => void): (error: Error) => void {
  let last = 0;
  return (error) => {
    if (Date.now() - last < 5_000) return;
    last = Date.now();
    say(error);
  };
}

const STATES: readonly DueState[] = ['waiting', 'active', 'delayed'];
const LATEST = 20;
/** A count is used for so many times as long as it took, and for ten seconds at most. */
const COUNT_REST = 20;
const COUNT_MOST_MS = 10_000;

/**
 * The queue `submissions` as people see it: what waits there is rows of the ledger, not jobs. A pause is kept by the queue itself.
 */
export function showDueOrders(queue: Queue<SubmissionJob>, pool: Pool): Queue<SubmissionJob> {
  const ofQueue = queue.getJobCounts.bind(queue);
  const count = sharedCount(() => countDue(pool));
  return Object.assign(queue, {
    async getJobCounts(...states: JobState[]) {
      const asked = states.length === 0 || STATES.some((state) => states.includes(state));
      const [jobs, due] = await Promise.all([ofQueue(...states), asked ? count() : null]);
      for (const state of STATES) if (state in jobs) jobs[state] = (jobs[state] ?? 0) + (due?.[state] ?? 0);
      return jobs;
    },
    async getJobs(given: JobState[] | JobState = [...STATES], from = 0, to = LATEST) {
      const states = STATES.filter((state) => [given].flat().includes(state));
      return (await listDue(pool, { states, from, to: to < 0 ? LATEST : to })).map((order) => jobOf(queue, order));
    },
    async getJob(id: string) {
      const order = /^\d{1,15}$/.test(id) ? await findDue(pool, Number(id)) : null;
      return order === null ? undefined : jobOf(queue, order);
    },
  });
}

/** Counting looks at everything that is pending: anyone who wants to know it at the same time shares a count, and one that took long is used for longer. */
function sharedCount<T>(count: () => Promise<T>): () => Promise<T> {
  const now = () => performance.now();
  const kept = new AnswerCache<{ of: T; tookMs: number }>({
    freshMs: ({ tookMs }) => Math.min(tookMs * COUNT_REST, COUNT_MOST_MS),
    size: 1,
    now,
    lastKnown: true,
  });
  const counted = async () => {
    const began = now();
    return { of: await count(), tookMs: now() - began };
  };
  return async () => (await kept.get('', counted)).of;
}

function jobOf(queue: Queue<SubmissionJob>, { id, connectionId, number, total, currency, attempts, since, dueAt }: ListedDue): Job<SubmissionJob> {
  const timestamp = since === null ? Date.now() : Date.parse(since);
  const delay = dueAt === null ? 0 : Math.max(0, Date.parse(dueAt) - timestamp);
  const data: SubmissionJob = { v: 1, orderId: id, connectionId, order: { number, total, currency, lines: [] } };
  return standInJob(queue, { id: String(id), data, timestamp, delay, attempts });
}
