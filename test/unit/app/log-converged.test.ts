import { expect, test } from 'vitest';
import { logConverged } from '../../../src/app/log-converged.ts';
import { createMetrics } from '../../../src/app/ops/metrics.ts';
import type { Visited } from '../../../src/bridge/delivery/converge-order.ts';
import { createLog } from '../../../src/platform/log.ts';

function logged(converged: Visited): Record<string, unknown> {
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => lines.push(line) } });
  logConverged({ log, metrics: createMetrics() }, { orderId: 7, ms: 12, converged });
  return JSON.parse(lines.join(''));
}

test.each([
  ['due', 'info'],
  ['got', 'info'],
  ['refused', 'warn'],
] as const)('a visit after which the receipt is %s is logged as %s', (receipt, level) => {
  const line = logged({ kind: 'rest', state: 'recorded', detail: 'receipt.refused: 422 no', recordedMs: null, receipt });

  expect(line).toMatchObject({ level, order: 7, state: 'recorded', receipt, detail: 'receipt.refused: 422 no' });
});

test.each([
  ['recorded', 'info'],
  ['parked', 'warn'],
  ['unconfirmed', 'warn'],
] as const)('an order that comes to rest as %s is logged as %s', (state, level) => {
  expect(logged({ kind: 'rest', state, detail: '', recordedMs: null })).toMatchObject({ level, state });
});
