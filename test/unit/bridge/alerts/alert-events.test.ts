import { expect, test } from 'vitest';
import * as events from '../../../../src/bridge/alerts/alert-events.ts';
import { alertEvents } from '../../../support/samples/alert-events.ts';
import { linesOf } from '../../../support/samples/logged-events.ts';

test.each(alertEvents)('%s', (_what, write, line) => {
  expect(linesOf(write)).toEqual([line]);
});

test('are all in the table', () => {
  expect(new Set(alertEvents.map(([what]) => what))).toEqual(new Set(Object.keys(events)));
});
