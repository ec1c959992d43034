import type { Queue } from 'bullmq';
import { queueInTrouble } from '../bridge/bridge-events.ts';
import { DELIVERIES, type DeliveriesJob, MAINTENANCE, type MaintenanceJob, SUBMISSIONS, type SubmissionJob } from '../bridge/delivery/jobs.ts';
import { createWake, type Wake } from '../bridge/delivery/wake.ts';
import { jsonText } from '../bridge/ledger/json-text.ts';
import { type QueueBackend, QueueSystem } from '../platform/queue/queue-system.ts';
import type { Core } from './core.ts';

export type Queues = {
  system: QueueSystem;
  deliveries: Queue<DeliveriesJob>;
  submissions: Queue<SubmissionJob>;
  maintenance: Queue<MaintenanceJob>;
  wake: Wake;
  addDeliveries(job: DeliveriesJob): Promise<void>;
};

/** The configured queues: on Redis, or on the ledger's own PostgreSQL. */
export function openQueues(core: Core): Queues & AsyncDisposable {
  const { config, log } = core;
  const backend: QueueBackend = config.queue.kind === 'redis' ? { kind: 'redis', url: config.queue.url.reveal() } : { kind: 'postgres', url: core.databaseUrl };
  const system = new QueueSystem({ backend, stalledMs: config.stalledSeconds * 1000, onError: quiet((err) => queueInTrouble(log, err)) });
  const deliveries = system.queue<DeliveriesJob>(DELIVERIES);
  const submissions = system.queue<SubmissionJob>(SUBMISSIONS);
  // PostgreSQL would refuse a character that jsonb can't store, and with it every delivery of the job.
  const storable: <T>(value: T) => T = backend.kind === 'postgres' ? (value) => JSON.parse(jsonText(value)) : (value) => value;
  const wake = createWake(submissions, Date.now);
  return {
    system,
    deliveries,
    submissions,
    maintenance: system.queue<MaintenanceJob>(MAINTENANCE),
    wake: (orders) => wake(storable(orders)),
    addDeliveries: async (job) => {
      await deliveries.add(DELIVERIES, storable(job));
    },
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
