import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Platforms give up after 5 s. */
const ANSWER_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
/** From a quick answer to one that took an hour of retries. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

/** Counters and histograms; names are part of the operators' interface. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    accepted: new Counter({ name: 'orderbridge_deliveries_accepted_total', help: 'Webhooks answered 200', labelNames: ['platform', 'what'], registers }),
    rejected: new Counter({ name: 'orderbridge_deliveries_rejected_total', help: 'Webhooks refused, by reason', labelNames: ['platform', 'code'], registers }),
    inboxed: new Counter({ name: 'orderbridge_deliveries_inboxed_total', help: 'Webhooks put into the inbox table: the queue could lose them', registers }),
    answer: new Histogram({ name: 'orderbridge_webhook_answer_seconds', help: 'From request to answer', buckets: ANSWER_SECONDS, registers }),
    merged: new Counter({ name: 'orderbridge_deliveries_merged_total', help: 'Deliveries merged into facts', registers }),
    duplicates: new Counter({ name: 'orderbridge_deliveries_duplicate_total', help: 'Deliveries that brought nothing new', registers }),
    steps: new Counter({
      name: 'orderbridge_submissions_total',
      help: 'Steps sent to the compliance service, by outcome',
      labelNames: ['kind', 'outcome'],
      registers,
    }),
    stepSeconds: new Histogram({
      name: 'orderbridge_submission_seconds',
      help: 'One call to the compliance service',
      labelNames: ['kind'],
      buckets: SECONDS,
      registers,
    }),
    recorded: new Histogram({
      name: 'orderbridge_webhook_to_recorded_seconds',
      help: 'From the first webhook of a change to the record',
      buckets: SECONDS,
      registers,
    }),
    vatDiffers: new Counter({
      name: 'orderbridge_vat_difference_total',
      help: 'Records whose VAT, as the service derives it, is not the storefront’s',
      registers,
    }),
    ...queueCounters(registers),
    ...readCounters(registers),
    swept: new Counter({
      name: 'orderbridge_swept_total',
      help: 'Work that was left behind: deliveries of the inbox and failed jobs that went back on the queue, orders of dead workers that were taken over',
      labelNames: ['what'],
      registers,
    }),
  };
}

function queueCounters(registers: Registry[]) {
  const help = 'Attempts at jobs that this release can’t read';
  return { unreadable: new Counter({ name: 'orderbridge_jobs_unreadable_total', help, labelNames: ['queue'], registers }) };
}

function readCounters(registers: Registry[]) {
  const help = 'Orders that reading a store found unknown or stale here; missed: those of them that are paid and that a webhook should have announced';
  return { readOrders: new Counter({ name: 'orderbridge_read_orders_total', help, labelNames: ['what'], registers }) };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Counts requests to the dashboard that were refused. */
export function addAdminRefused(registry: Registry): Counter<'why'> {
  return new Counter({
    name: 'orderbridge_admin_refused_total',
    help: 'Requests to /admin that were refused, by reason',
    labelNames: ['why'],
    registers: [registry],
  });
}
