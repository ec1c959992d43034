import { expect, test } from 'vitest';
import { logLine } from '../../../src/cli/text/log-line.ts';

const at = new Date(2026, 10, 22, 22, 13, 53).toISOString();

function shown(line: object): string {
  return logLine(`${JSON.stringify({ level: 'info', time: at, name: 'orderbridge-all', ...line })}\n`);
}

const processed = { event: 'order.processed', order: '1042', orderId: '1042', platform: 'p', store: 'corner.example', connection: 'c_1', ms: 5 };

test.for([
  [
    { level: 'warn', ...processed, state: 'review', detail: 'payment.unmapped', msg: 'order needs review' },
    '22:13:53 WARN order 1042 review payment.unmapped corner.example',
  ],
  [{ event: 'order.processed', order: 7, why: 'busy', msg: 'order will be looked at again' }, '22:13:53 order 7 will be looked at again'],
  [
    { level: 'warn', event: 'webhook', connection: 'c_1', orderId: null, code: 'signature.mismatch', msg: 'webhook refused' },
    '22:13:53 WARN webhook refused signature.mismatch c_1',
  ],
  [
    { event: 'webhook', connection: 'c_1', orderId: '1042', code: null, what: 'queued', msg: 'webhook accepted' },
    '22:13:53 webhook accepted queued order 1042 c_1',
  ],
  [{ event: 'stop.cut-off', part: 'a b', ms: 3, msg: 'a part did not stop' }, '22:13:53 a part did not stop part=a b'],
  [{ level: 'error', event: 'x', err: { message: 'no\nway', stack: 's' }, n: [1], msg: 'failed' }, '22:13:53 ERROR failed (no way) n=[1]'],
  [{ event: 'deliveries.recorded', deliveries: 2 }, '22:13:53 deliveries.recorded deliveries=2'],
] as const)('%j is for people: %s', ([line, words]) => {
  expect(shown(line)).toBe(words);
});

test('what is no line of the log stays as it is', () => {
  expect(logLine('Segmentation fault\n')).toBe('Segmentation fault');
  expect(logLine('{"a":1}\n')).toBe('{"a":1}');
});
