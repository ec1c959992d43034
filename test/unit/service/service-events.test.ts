import { expect, test } from 'vitest';
import * as events from '../../../src/service/service-events.ts';
import { linesOf } from '../../support/samples/logged-events.ts';
import { serviceEvents } from '../../support/samples/service-events.ts';

test.each(serviceEvents)('%s', (_what, write, line) => {
  expect(linesOf(write)[0]).toEqual(line);
});

test('are all in the table', () => {
  expect(new Set(serviceEvents.map(([what]) => what))).toEqual(new Set(Object.keys(events)));
});

test('are not written for a tick that did nothing', () => {
  expect(linesOf((log) => events.auditTicked(log, { reminders: 0, stornos: 0, purged: 0 }))).toEqual([]);
});
