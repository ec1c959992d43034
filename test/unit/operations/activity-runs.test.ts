import { expect, test } from 'vitest';
import type { Activity } from '../../../src/operations/activity/list-activity.ts';
import { runsOf } from '../../../src/operations/activity/list-activity.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 3, 12) - seconds * 1_000).toISOString();
const act = (id: number, more: Partial<Activity> = {}): Activity => ({
  ...{ id, at: at(id), auditLog: 'bridge', who: 'person:1', act: 'order.released', means: '', bg: '', connectionId: 'a', store: 'Corner' },
  ...{ order: { id, orderId: `${id}`, number: null }, subject: null, before: null, after: null, why: null },
  ...more,
});
const shown = (acts: Activity[], most = 50) => runsOf(acts, most).runs.map((run) => run.map(({ id }) => id));

test('what one of them did to many orders is one row, whatever the program did meanwhile', () => {
  const acts = [act(1), act(2, { who: 'orderbridge', act: 'order.needs-review' }), act(3), act(4)];

  expect(shown(acts)).toEqual([[1, 3, 4], [2]]);
});

test('another hour, person, reason or no order is a row of its own', () => {
  const acts = [act(1), act(2, { who: 'person:2' }), act(3, { why: 'so' }), act(4, { order: null }), act(5, { order: null }), act(62)];

  expect(shown(acts)).toEqual([[1], [2], [3], [4], [5], [62]]);
});

test('a page ends before the act that would be one row too many', () => {
  const acts = [act(1), act(2, { why: 'a' }), act(3), act(4, { why: 'b' }), act(5)];

  expect(runsOf(acts, 2)).toMatchObject({ acts: 3 });
  expect(shown(acts, 2)).toEqual([[1, 3], [2]]);
});
