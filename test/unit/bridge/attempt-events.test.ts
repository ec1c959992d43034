import { expect, test } from 'vitest';
import * as events from '../../../src/bridge/bridge-events.ts';
import { docsRows, type LoggedEvent, linesOf, rowsInDocs } from '../../support/samples/logged-events.ts';

const err = new Error('broken');
const wasBroken = { err: 'an error' };

const table: LoggedEvent[] = [
  [
    'fetchFailed',
    (log) => events.fetchFailed(log, { orderId: 7, err }),
    { level: 'error', event: 'fetch.failed', order: 7, ...wasBroken, msg: 'an attempt that calls a store failed; its order is processed again' },
  ],
  [
    'attemptFailed',
    (log) => events.attemptFailed(log, { orderId: 7, attempt: 2, err }),
    { level: 'error', event: 'attempt.failed', order: 7, attempt: 2, ...wasBroken, msg: 'an attempt at an order failed; it is processed again' },
  ],
  [
    'attemptFailed',
    (log) => events.attemptFailed(log, { orderId: null, attempt: 1, err }),
    { level: 'error', event: 'attempt.failed', order: null, attempt: 1, ...wasBroken, msg: 'an attempt at an order failed; it is processed again' },
  ],
  [
    'claimFailed',
    (log) => events.claimFailed(log, err),
    { level: 'warn', event: 'claim.failed', ...wasBroken, msg: 'orders that are due could not be claimed; it is tried again' },
  ],
];

test.each(table)('%s', (_what, write, line) => {
  expect(linesOf(write)[0]).toEqual(line);
});

test('are all in the table', () => {
  expect(new Set(table.map(([what]) => what))).toEqual(new Set(Object.keys(events)));
});

test('are all in the docs, with level and fields', () => {
  expect(rowsInDocs()).toEqual(expect.arrayContaining(docsRows(table)));
});
