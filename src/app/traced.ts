import { randomUUID } from 'node:crypto';
import { tracesNotSent } from '../bridge/bridge-events.ts';
import type { TraceCall } from '../bridge/client/signed-call.ts';
import type { TraceAttempt } from '../bridge/delivery/attempt-ports.ts';
import { type AcceptedDelivery, DELIVERIES } from '../bridge/delivery/jobs.ts';
import type { Enqueue } from '../bridge/intake/enqueue.ts';
import { deliveriesOfChanges } from '../bridge/ledger/deliveries/delivery-store.ts';
import type { Config } from '../config/config.ts';
import { batcher } from '../platform/batcher.ts';
import type { Log } from '../platform/log.ts';
import { rateLimit } from '../platform/rate-limit.ts';
import type { Traces } from '../platform/traces.ts';
import { withTimeout } from '../platform/with-timeout.ts';
import type { Core } from './core.ts';

// One trace for one change of an order, named after the delivery that brought it: its webhook, the queue, the recorder, attempts, calls of the compliance
// service. Without traces (null) everything here is what it wraps.

/** Null: OTEL_EXPORTER_OTLP_ENDPOINT is unset, and nothing of OpenTelemetry is loaded. A variable that it can't use is logged at once. */
export async function openTraces({ traces }: Config, { name, log }: { name: string; log: Log }): Promise<Traces | null> {
  if (traces == null) return null;
  const opened = await import('../platform/traces.ts');
  const onProblem = rateLimit<string>((words, leftOut) => tracesNotSent(log, { words, leftOut }), { most: 1, now: () => performance.now() });
  return new opened.Traces({ ...traces, service: name, onProblem });
}

const QUEUE = { 'messaging.system': 'bullmq', 'messaging.destination.name': DELIVERIES };

function about({ connectionId, topic, normalized }: AcceptedDelivery) {
  const order = normalized.kind === 'order' ? { 'orderbridge.order_id': normalized.news.orderId } : {};
  return { 'orderbridge.connection': connectionId, 'orderbridge.topic': topic, ...order };
}

/** A webhook from its arrival until it is kept, and in that its way into the queue. */
export function tracedEnqueue(traces: Traces | null, enqueue: Enqueue): Enqueue {
  if (traces === null) return enqueue;
  return (delivery, size) => {
    const beganAt = Date.parse(delivery.arrivedAt) - (delivery.answerMs ?? 0);
    const attributes = { 'http.request.method': 'POST', 'http.route': '/webhooks', 'http.request.body.size': size, ...about(delivery) };
    const send = () => traces.below({ name: `send ${DELIVERIES}`, kind: 'PRODUCER', attributes: QUEUE }, () => enqueue(delivery, size));
    return traces.spans([{ of: delivery.id, isFirst: true, name: 'POST /webhooks', kind: 'SERVER', attributes, beganAt }], send);
  };
}

type RecordBatch = (deliveries: readonly AcceptedDelivery[]) => Promise<void>;

/** A batch is part of the trace of each delivery in it. What was no webhook, such as an order that was read from its store, begins its trace here. */
export function tracedRecord(traces: Traces | null, record: RecordBatch): RecordBatch {
  if (traces === null) return record;
  return (deliveries) => {
    const batch = { ...QUEUE, 'messaging.batch.message_count': deliveries.length };
    const span = { name: `process ${DELIVERIES}`, kind: 'CONSUMER' } as const;
    const spans = deliveries.map((one) => ({ ...span, of: one.id, isFirst: one.headers === undefined, attributes: { ...batch, ...about(one) } }));
    return traces.spans(spans, () => record(deliveries));
  };
}

/** An attempt has its lease already, and waits no longer for the names of its traces. */
const LOOKUP_MS = 250;

/** Of several deliveries the newest one whose trace is kept; the others are linked. What no delivery brought, but a person or a setting, begins a trace. */
export function tracedAttempts({ traces, pool }: Pick<Core, 'traces' | 'pool'>): TraceAttempt {
  if (traces === null) return (_orderId, attempt) => attempt();
  const changeOf = batcher((orderIds: number[]) => deliveriesOfChanges(pool, orderIds), { max: 100, lingerMs: 5 });
  return async (orderId, attempt) => {
    const known = await withTimeout(LOOKUP_MS, changeOf(orderId)).catch(() => []);
    const kept = known.filter(traces.keeps);
    const of = kept[0] ?? known[0] ?? randomUUID();
    const attributes = { 'orderbridge.order': orderId };
    return traces.spans([{ of, isFirst: known.length === 0, links: kept.slice(1), name: 'attempt', kind: 'INTERNAL', attributes }], attempt);
  };
}

/** A call of the compliance service, which gets `traceparent`. */
export function tracedCalls(traces: Traces): TraceCall {
  return ({ method, path }, send) => {
    const attributes = { 'http.request.method': method };
    return traces.below({ name: `${method} ${/^\/\w*/.exec(path)?.[0] ?? ''}`, kind: 'CLIENT', attributes }, async (headers) => {
      const answer = await send(headers);
      traces.note({ 'http.response.status_code': answer.status });
      return answer;
    });
  };
}
