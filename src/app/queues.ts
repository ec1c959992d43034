import type { Queue } from 'bullmq';
import { inboxInsteadOfQueue, queueFailing } from '../bridge/bridge-events.ts';
import { createAddDeliveries } from '../bridge/delivery/deliveries-worker.ts';
import { createQueueScheduler, type FairScheduler } from '../bridge/delivery/fair-scheduler.ts';
import {
  type AcceptedDelivery,
  DELIVERIES,
  type DeliveriesJob,
  MAINTENANCE,
  type MaintenanceJob,
  type QueuedDeliveries,
  SUBMISSIONS,
  type SubmissionJob,
} from '../bridge/delivery/jobs.ts';
import type { Notify } from '../bridge/delivery/notify.ts';
import { sealDelivery } from '../bridge/delivery/sealed-delivery.ts';
import { createEnqueue } from '../bridge/intake/enqueue.ts';
import { putInInbox } from '../bridge/ledger/deliveries/inbox-store.ts';
import { jsonText } from '../bridge/ledger/json-columns.ts';
import { type QueueBackend, QueueSystem } from '../platform/queue/queue-system.ts';
import { quiet } from '../platform/rate-limit.ts';
import type { Core } from './core.ts';
import { showDueOrders } from './due-orders-queue.ts';

export type Queues = {
  system: QueueSystem;
  deliveries: Queue<QueuedDeliveries>;
  submissions: Queue<SubmissionJob>;
  maintenance: Queue<MaintenanceJob>;
  /** Whose turn it is on `deliveries`. */
  scheduler: FairScheduler;
  /** Has this process look when the first of them is due. Others see it in the ledger, within a moment. */
  notify: Notify;
  /** Sets who looks in this process; until then nobody does. */
  onNotify(soon: (dueAt: number) => void): void;
  /** Rejects if the queue is down, or, with `Unconfirmed`, if it has them, but a failover may lose them. */
  addDeliveries(job: DeliveriesJob): Promise<void>;
  /** What the queue does not take, or a failover may lose, is in the inbox. */
  keepDeliveries(job: DeliveriesJob): Promise<void>;
  /** Logs, now and then, that the inbox takes deliveries instead. */
  onFallback(error: unknown): void;
};

/** Nobody waits for an answer. */
const ENQUEUE_LIMITS = { queueMs: 5_000, storeMs: 5_000 };

/** Below what any process gets done, so that what waits is not forgotten before its time. */
const FORGETTING = { perSecond: 10, now: Date.now };

/** The configured queues: on Redis, or on the ledger's own PostgreSQL. */
export function openQueues(core: Core): Queues & AsyncDisposable {
  const { config, log } = core;
  const { queue } = config;
  const backend: QueueBackend =
    queue.kind === 'redis' ? { kind: 'redis', url: queue.url.reveal(), ca: queue.ca?.reveal() ?? null } : { kind: 'postgres', url: core.databaseUrl };
  const system = new QueueSystem({ backend, stalledMs: config.stalledSeconds * 1000, onError: quiet((err) => queueFailing(log, err)), stop: core.stop });
  const deliveries = system.queue<QueuedDeliveries>(DELIVERIES);
  const submissions = showDueOrders(system.queue<SubmissionJob>(SUBMISSIONS, { mayLose: true }), core.pool);
  // PostgreSQL would refuse a character that jsonb can't store, and with it every delivery of the job.
  // Bodies are base64, which can be stored as it is: large ones would take long to be looked through.
  const queued = (one: AcceptedDelivery): AcceptedDelivery =>
    backend.kind === 'postgres' ? { ...JSON.parse(jsonText({ ...one, body: null })), body: one.body } : one;
  const scheduler = createQueueScheduler(deliveries, ['waiting', 'prioritized'], FORGETTING);
  let ring: (dueAt: number) => void = () => undefined;
  const add = createAddDeliveries(deliveries, scheduler);
  const addDeliveries = (job: DeliveriesJob) =>
    system.confirmed(() => add({ ...job, deliveries: job.deliveries.map((delivery) => queued(sealDelivery(core.sealer, delivery))) }));
  const onFallback = quiet((error) => inboxInsteadOfQueue(log, error));
  const store = (delivery: AcceptedDelivery) => putInInbox(core.pool, delivery);
  const enqueue = createEnqueue({ add: addDeliveries, queueIsUp: () => system.isUp, store, onFallback, ...ENQUEUE_LIMITS });
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
    addDeliveries,
    keepDeliveries: async ({ deliveries: all }) => void (await Promise.all(all.map((one) => enqueue(one, one.body?.length ?? 0)))),
    onFallback,
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}
