import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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
    inboxed: new Counter({ name: 'orderbridge_deliveries_inboxed_total', help: 'Webhooks that went to the inbox table because the queue was down', registers }),
    answer: new Histogram({ name: 'orderbridge_webhook_answer_seconds', help: 'From request to answer', buckets: SECONDS, registers }),
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
    swept: new Counter({
      name: 'orderbridge_swept_total',
      help: 'Orders and deliveries that the sweeper put back on the queue',
      labelNames: ['what'],
      registers,
    }),
  };
}

function queueCounters(registers: Registry[]) {
  const help = 'Attempts at jobs that this release can’t read';
  return { unreadable: new Counter({ name: 'orderbridge_jobs_unreadable_total', help, labelNames: ['queue'], registers }) };
}

export type Metrics = ReturnType<typeof createMetrics>;

/** Values of the bridge that are read for each scrape. */
export type BridgeGauges = {
  states: Partial<Record<string, number>>;
  parked: Record<string, number>;
  paused: number;
  storesPaused: number;
  behind: number;
  oldestSeconds: number | null;
  inbox: number;
  jobs: Record<string, Record<string, number>>;
};

/** Gauges of the bridge; the returned function reads them anew and is called before each scrape. */
export function addBridgeGauges(registry: Registry, read: () => Promise<BridgeGauges>): () => Promise<void> {
  const registers = [registry];
  const parked = new Gauge({
    name: 'orderbridge_parked_orders',
    help: 'Parked orders by code; as store.other, hosts whose webhooks are held',
    labelNames: ['code'],
    registers,
  });
  const jobs = new Gauge({ name: 'orderbridge_jobs', help: 'Jobs by queue and state', labelNames: ['queue', 'state'], registers });
  const unconfirmed = new Gauge({ name: 'orderbridge_unconfirmed_orders', help: 'Orders whose create or delete has no known outcome', registers });
  const paused = new Gauge({ name: 'orderbridge_destinations_paused', help: 'Destinations (or shops of them) that are paused', registers });
  const stores = new Gauge({ name: 'orderbridge_stores_paused', help: 'Stores whose API is paused, or keys that one refuses', registers });
  const behind = new Gauge({ name: 'orderbridge_backlog_orders', help: 'Orders whose record is behind, or whose receipt is still to be requested', registers });
  const oldest = new Gauge({ name: 'orderbridge_backlog_oldest_seconds', help: 'Age of the oldest order that is behind', registers });
  const inbox = new Gauge({ name: 'orderbridge_inbox_deliveries', help: 'Deliveries in the inbox table', registers });
  const orders = new Gauge({ name: 'orderbridge_orders', help: 'Orders by state', labelNames: ['state'], registers });
  return async () => {
    const gauges = await read();
    for (const one of [orders, parked, jobs]) one.reset();
    for (const [state, count] of Object.entries(gauges.states)) orders.set({ state }, count ?? 0);
    for (const [code, count] of Object.entries(gauges.parked)) parked.set({ code }, count);
    for (const [queue, counts] of Object.entries(gauges.jobs)) for (const [state, count] of Object.entries(counts)) jobs.set({ queue, state }, count);
    unconfirmed.set(gauges.states['unconfirmed'] ?? 0);
    paused.set(gauges.paused);
    stores.set(gauges.storesPaused);
    behind.set(gauges.behind);
    oldest.set(gauges.oldestSeconds ?? 0);
    inbox.set(gauges.inbox);
  };
}

/** Values of our compliance service that are read for each scrape. */
export type ComplianceGauges = {
  ordersWithoutRate: number;
  mails: { waiting: number; failed: number };
  months: { blocked: number; unfiled: number; late: number };
};

/** Gauges of our own compliance service, read like the others. */
export function addComplianceGauges(registry: Registry, read: () => Promise<ComplianceGauges>): () => Promise<void> {
  const registers = [registry];
  const rates = new Gauge({ name: 'orderbridge_compliance_orders_without_rate', help: 'Recorded orders whose exchange rate is missing', registers });
  const mails = new Gauge({
    name: 'orderbridge_compliance_mails',
    help: 'Mails that wait, and those that reached no recipient',
    labelNames: ['state'],
    registers,
  });
  const months = new Gauge({
    name: 'orderbridge_compliance_months',
    help: 'Audit files that are blocked, made and not marked as filed, or so after their term',
    labelNames: ['state'],
    registers,
  });
  return async () => {
    const gauges = await read();
    rates.set(gauges.ordersWithoutRate);
    for (const [state, count] of Object.entries(gauges.mails)) mails.set({ state }, count);
    for (const [state, count] of Object.entries(gauges.months)) months.set({ state }, count);
  };
}
