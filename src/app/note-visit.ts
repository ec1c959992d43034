import { orderVisited } from '../bridge/bridge-events.ts';
import type { Visited } from '../bridge/delivery/visit-order.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from './ops/metrics.ts';

type Sink = { log: Log; metrics: Metrics };
type Done = { orderId: number; ms: number; visited: Visited };

/** One visit to an order, for metrics and log. */
export function noteVisit({ log, metrics }: Sink, done: Done): void {
  const { visited } = done;
  if (visited.kind === 'rest' && visited.recordedMs !== null) metrics.recorded.observe(visited.recordedMs / 1000);
  orderVisited(log, done);
}
