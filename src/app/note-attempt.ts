import { orderProcessed } from '../bridge/bridge-events.ts';
import type { Processed } from '../bridge/delivery/process-order.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from './ops/metrics.ts';

type Sink = { log: Log; metrics: Metrics };
type Done = { orderId: number; ms: number; processed: Processed };

/** One attempt at an order, for metrics and log. */
export function noteAttempt({ log, metrics }: Sink, done: Done): void {
  const { processed } = done;
  if (processed.kind === 'rest' && processed.recordedMs !== null) metrics.recorded.observe(processed.recordedMs / 1000);
  orderProcessed(log, done);
}
