import type { Visited } from '../bridge/delivery/converge-order.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from './ops/metrics.ts';

type Sink = { log: Log; metrics: Metrics };
type Done = { orderId: number; ms: number; converged: Visited };

/** One wide event for one visit to an order. */
export function logConverged({ log, metrics }: Sink, { orderId, ms, converged }: Done): void {
  const { key, connectionId: connection } = converged.order ?? {};
  const event = { event: 'order.visited', order: orderId, ...key, connection, ms, outcome: converged.kind };
  switch (converged.kind) {
    case 'rest': {
      const { state, detail, recordedMs, receipt } = converged;
      if (recordedMs !== null) metrics.recorded.observe(recordedMs / 1000);
      const isTold = state === 'parked' || state === 'unconfirmed' || receipt === 'refused';
      return log[isTold ? 'warn' : 'info']({ ...event, state, detail, recordedMs, receipt }, `order ${state}`);
    }
    case 'again':
      return log.info({ ...event, why: converged.why, againMs: converged.ms }, 'order will be looked at again');
    case 'held':
      return log.debug({ ...event, why: converged.why }, 'order waits for its destination');
    case 'missing':
      return log.warn(event, 'a job names an order that is not in the ledger');
  }
}
