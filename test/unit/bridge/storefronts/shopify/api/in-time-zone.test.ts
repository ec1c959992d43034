import { expect, test } from 'vitest';
import { inTimeZone } from '../../../../../../src/bridge/storefronts/shopify/api/to-order.ts';

test.each([
  ['2026-10-14T08:32:05Z', 'Europe/Sofia', '2026-10-14T11:32:05+03:00'],
  ['2026-12-31T23:30:00Z', 'Europe/Sofia', '2027-01-01T01:30:00+02:00'],
  ['2026-10-14T02:00:00Z', 'America/New_York', '2026-10-13T22:00:00-04:00'],
  ['2026-10-14T02:00:00Z', 'Asia/Kolkata', '2026-10-14T07:30:00+05:30'],
  ['2026-12-14T02:00:00Z', 'Europe/London', '2026-12-14T02:00:00+00:00'],
  ['2026-12-14T02:00:00Z', 'Etc/UTC', '2026-12-14T02:00:00Z'],
  ['2026-12-14T02:00:00Z', 'Mars/Olympus', '2026-12-14T02:00:00+00:00'],
])('%s in %s is %s', (instant, timeZone, wanted) => {
  expect(inTimeZone(instant, timeZone)).toBe(wanted);
  expect(Date.parse(wanted)).toBe(Date.parse(instant));
});
