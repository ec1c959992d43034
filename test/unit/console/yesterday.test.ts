import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { yesterdayWords } from '../../../src/console/pages/count-charts.ts';
import { sofiaMidnight } from '../../../src/operations/reconciliation/window.ts';
import { addDays } from '../../../src/service/law/calendar.ts';

const TUESDAY = '2026-11-24';
const said = (recorded: Record<number, number>, lang: 'en' | 'bg' = 'en', sums: { currency: string; total: string }[] = []) =>
  yesterdayWords(
    Object.entries(recorded).map(([ago, n]) => ({ at: sofiaMidnight(addDays(TUESDAY, -Number(ago))), recorded: n, sums })),
    TUESDAY,
    wordsIn(lang),
  );

test('yesterday is beside what the same weekday brought in the four weeks before', () => {
  const weeks = { 7: 131, 14: 118, 21: 120, 28: 125, 29: 3 };

  expect(said({ 0: 124, ...weeks }, 'en', [{ currency: 'EUR', total: '3210' }])).toBe(
    'Yesterday: 124 orders recorded, €3,210.00. Usual for a Tuesday: 118–131.',
  );
  expect(said({ 0: 1, ...weeks }, 'bg')).toBe('Вчера: 1 записана поръчка. Обичайно за вторник: 118–131.');
});

test('what is always the same is one number', () => {
  expect(said({ 0: 0, 7: 2, 14: 2, 21: 2, 28: 2, 29: 0 })).toBe('Yesterday: 0 orders recorded. Usual for a Tuesday: 2.');
});

test('nothing is said to be usual before four whole weeks were counted', () => {
  const notYet = 'We can say what is usual after four whole weeks.';

  expect(said({ 0: 124, 7: 131, 14: 118, 21: 120 })).toBe(`Yesterday: 124 orders recorded. ${notYet}`);
  // The first of them may have begun at noon.
  expect(said({ 0: 124, 7: 131, 14: 118, 21: 120, 28: 9 })).toBe(`Yesterday: 124 orders recorded. ${notYet}`);
  expect(said({})).toBe(notYet);
  expect(said({ 7: 131 })).toBe('Yesterday’s orders are not counted yet.');
});
