import { describe, expect, test } from 'vitest';
import { failures } from '../../../src/bridge/order/facts/failure.ts';
import { wordsIn } from '../../../src/console/messages/messages.ts';

/** Codes of webhooks and hosts, which have pages of their own. */
const OF_NO_ORDER = ['payload.unreadable', 'delivery.unrecordable', 'store.other'];
const reviewOf = Object.entries(failures)
  .filter(([code, { disposition }]) => disposition === 'review' && !OF_NO_ORDER.includes(code))
  .map(([code]) => code);

describe.each(['en', 'bg'] as const)('in %s', (lang) => {
  test('each code that an order may be sent to review with is an issue, and unconfirmed orders are one', () => {
    expect(Object.keys(wordsIn(lang).issues.of).toSorted()).toEqual(['', ...reviewOf].toSorted());
  });

  test('no issue names a command', () => {
    for (const { heading, todo } of Object.values(wordsIn(lang).issues.of)) expect(`${heading} ${todo}`).not.toMatch(/`|orderbridge /);
  });
});

test('an issue says how many orders a month’s file lacks, and when that is due', () => {
  const said = (lang: 'en' | 'bg', ...of: [count: number, month: string, days: number]) => wordsIn(lang).review.atRisk(...of);

  expect([said('en', 1, 'November', 3), said('en', 2, 'October', 0), said('en', 2, 'October', -1)]).toEqual([
    '1 missing from November’s file, due in 3 days',
    '2 missing from October’s file, due today',
    '2 missing from October’s file, overdue',
  ]);
  expect(said('bg', 1, 'ноември', 1)).toBe('1 поръчка липсва във файла за ноември, срок след 1 ден');
});
