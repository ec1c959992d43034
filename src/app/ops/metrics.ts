import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { ADMIN_REFUSALS } from './admin-auth.ts';

/** Platforms give up after 5 s. */
const ANSWER_SECONDS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];
/** From a quick answer to one that took an hour of retries. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600];

/** Counters and histograms; names are part of the operators' interface. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = countersOf(registry);
  const metrics = {
    registry,
    accepted: counter('deliveries_accepted', 'Webhooks answered 200', 'platform', 'what'),
    rejected: counter('deliveries_rejected', 'Webhooks refused, by reason', 'platform', 'code'),
    inboxed: counter('deliveries_inboxed', 'Webhooks put into the inbox table: the queue could lose them'),
    answer: new Histogram({ name: 'orderbridge_webhook_answer_seconds', help: 'From request to answer', buckets: ANSWER_SECONDS, registers }),
    merged: counter('deliveries_merged', 'Deliveries merged into facts'),
    duplicates: counter('deliveries_duplicate', 'Deliveries that brought nothing new'),
    steps: counter('submissions', 'Steps sent to the compliance service, by outcome', 'kind', 'outcome'),
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
    vatDiffers: counter('vat_difference', 'Records whose VAT, as the service derives it, is not the storefront’s'),
    unreadable: counter('jobs_unreadable', 'Attempts at jobs that this release can’t read', 'queue'),
    readOrders: counter(
      'read_orders',
      'Orders that reading a store found unknown or stale here; missed: those of them that are paid and that a webhook should have announced',
      'what',
    ),
    swept: counter(
      'swept',
      'Work that was left behind: deliveries of the inbox and failed jobs that went back on the queue, orders of dead workers that were taken over',
      'what',
    ),
  };
  metrics.steps.inc({ kind: 'receipt', outcome: 'receipt-refused' }, 0);
  for (const what of ['unknown', 'stale', 'missed']) metrics.readOrders.inc({ what }, 0);
  return metrics;
}

/** What an alert is about is counted from 0: a series that begins at 1 never increased. */
function countersOf(registry: Registry) {
  return <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `orderbridge_${name}_total`, help, labelNames, registers: [registry] });
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Counts requests to the dashboard that were refused. */
export function addAdminRefused(registry: Registry): Counter<'why'> {
  const counter = countersOf(registry)('admin_refused', 'Requests to /admin that were refused, by reason', 'why');
  for (const why of ADMIN_REFUSALS) counter.inc({ why }, 0);
  return counter;
}
