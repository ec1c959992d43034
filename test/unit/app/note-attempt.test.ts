import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/app/ops/metrics.ts';
import { noteAttempt } from '../../../src/app/order-attempts.ts';
import type { Processed } from '../../../src/bridge/delivery/process-order.ts';
import { createLog } from '../../../src/platform/log.ts';

function logged(processed: Processed): Record<string, unknown> {
  const lines: string[] = [];
  const log = createLog({ level: 'info', name: 'test', destination: { write: (line) => lines.push(line) } });
  noteAttempt({ log, metrics: createMetrics(), traces: null }, { orderId: 7, ms: 12, processed });
  return JSON.parse(lines.join(''));
}

test.each([
  ['due', 'info'],
  ['got', 'info'],
  ['refused', 'warn'],
] as const)('an attempt after which the receipt is %s is logged as %s', (receipt, level) => {
  const line = logged({ kind: 'rest', state: 'recorded', detail: 'receipt.refused: 422 no', recordedMs: null, receipt });

  expect(line).toMatchObject({ level, order: 7, state: 'recorded', receipt, detail: 'receipt.refused: 422 no' });
});

test.each([
  ['recorded', 'info'],
  ['review', 'warn'],
  ['unconfirmed', 'warn'],
] as const)('an order that comes to rest as %s is logged as %s', (state, level) => {
  expect(logged({ kind: 'rest', state, detail: '', recordedMs: null })).toMatchObject({ level, state });
});

test('how long a record took is measured where something was recorded', async () => {
  const metrics = createMetrics();
  const log = createLog({ level: 'silent', name: 'test' });

  noteAttempt({ log, metrics, traces: null }, { orderId: 7, ms: 12, processed: { kind: 'rest', state: 'recorded', detail: '', recordedMs: 2_500 } });
  noteAttempt({ log, metrics, traces: null }, { orderId: 7, ms: 12, processed: { kind: 'rest', state: 'ignored', detail: '', recordedMs: null } });
  noteAttempt({ log, metrics, traces: null }, { orderId: 7, ms: 12, processed: { kind: 'missing' } });

  const { values } = await metrics.recorded.get();
  expect(values.filter(({ metricName }) => /_(sum|count)$/.test(metricName ?? '')).map(({ value }) => value)).toEqual([2.5, 1]);
});
