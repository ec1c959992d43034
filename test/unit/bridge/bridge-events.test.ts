import { expect, test } from 'vitest';
import * as events from '../../../src/bridge/bridge-events.ts';
import { bridgeEvents } from '../../support/samples/bridge-events.ts';
import { linesOf } from '../../support/samples/logged-events.ts';

test.each(bridgeEvents)('%s', (_what, write, line) => {
  expect(linesOf(write)[0]).toEqual(line);
});

test('are all in the table', () => {
  expect(new Set(bridgeEvents.map(([what]) => what))).toEqual(new Set(Object.keys(events)));
});

test('say nothing of a sweep that put nothing back, or of grants of which none was due', () => {
  expect(linesOf((log) => events.swept(log, { inbox: 0, recovered: 0, failed: 0 }))).toEqual([]);
  expect(linesOf((log) => events.grantsKept(log, { renewed: 0, refused: 0, left: 0 }))).toEqual([]);
});
