import { expect, test } from 'vitest';
import type { IncidentAlert, ReportedIncident } from '../../../../src/bridge/alerts/alert.ts';
import { alertText } from '../../../../src/bridge/alerts/alert-text.ts';
import { slackBody } from '../../../../src/bridge/alerts/channels.ts';

const at = '2026-11-22T08:00:00.000Z';
const incident: ReportedIncident = {
  ...{ code: 'shop.unknown', subject: 's1', level: 'failing', count: 2, total: '72.00 EUR', since: '2026-11-22T07:00:00.000Z' },
  ...{ words: 'The shop of Corner is unknown.', verb: 'reconnect c1', beganAt: '2026-11-22T07:55:00.000Z', endedAt: null },
};
const alert: IncidentAlert = { what: 'alert', health: 'failing', at, raised: [], still: [], resolved: [], threads: [] };
const over = { ...incident, words: 'Corner sends no webhooks.', endedAt: '2026-11-22T07:58:00.000Z' };
const told: IncidentAlert = { ...alert, raised: [incident], still: [{ ...incident, verb: null, count: null, total: null }], resolved: [over] };

test('an alert says what is new, still there and over, since when, and what to type', () => {
  const { subject, paragraphs } = alertText(told, { statusUrl: 'https://orders.example/status' });

  expect(subject).toBe('orderbridge: failing: The shop of Corner is unknown.');
  expect(paragraphs).toEqual([
    ['New, or worse than before:'],
    ['- failing: The shop of Corner is unknown. [2, 72.00 EUR]', '  Type: orderbridge reconnect c1', '  Since 22 Nov 2026, 09:00 (Sofia).'],
    ['Still there:'],
    ['- failing: The shop of Corner is unknown.', '  Since 22 Nov 2026, 09:00 (Sofia).'],
    ['Over:'],
    ['- Corner sends no webhooks.', '  It was seen from 22 Nov 2026, 09:55 (Sofia) until 22 Nov 2026, 09:58 (Sofia).'],
    ['Now: orders are not recorded, or a term is past.'],
    ['All that is not right, and what to type: orderbridge status', 'https://orders.example/status'],
  ]);
});

test('the subject is that of the worst news, in one line', () => {
  const subjectOf = (body: IncidentAlert) => alertText(body, { statusUrl: null }).subject;

  expect(subjectOf({ ...alert, still: [incident, incident] })).toBe('orderbridge: still: failing: The shop of Corner is unknown. (and 1 more)');
  expect(subjectOf({ ...alert, resolved: [over] })).toBe('orderbridge: over: Corner sends no webhooks.');
  expect(subjectOf({ ...alert, raised: [{ ...incident, words: 'x'.repeat(500) }] })).toHaveLength(183);
});

test('Slack gets no block above 3,000 characters, and no more than 40, whatever there is to say', () => {
  const many = Array.from({ length: 300 }, (_, i) => ({ ...incident, words: `${'<&'.repeat(i * 10)} ${i}` }));
  const { text, blocks } = slackBody(alertText({ ...alert, raised: many }, { statusUrl: null }));

  expect(text.length).toBeLessThanOrEqual(3_000);
  expect(blocks.length).toBeLessThanOrEqual(40);
  for (const { text: shown } of blocks) expect(shown.text.length).toBeLessThanOrEqual(3_000);
  expect(JSON.stringify(blocks)).not.toMatch(/<[!&]/);
});
