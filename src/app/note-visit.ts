import { orderVisited } from '../bridge/bridge-events.ts';
import type { Visited } from '../bridge/delivery/converge-order.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from './ops/metrics.ts';

type Sink = { log: Log; metrics: Metrics };
type Done = { orderId: number; ms: number; converged: Visited };

/** One visit to an order, for metrics and log. */
export function noteVisit({ log, metrics }: Sink, done: Done): void {
  const { converged } = done;
  if (converged.kind === 'rest' && converged.recordedMs !== null) metrics.recorded.observe(converged.recordedMs / 1000);
  orderVisited(log, done);
}
