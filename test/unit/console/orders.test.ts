import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { filters } from '../../../src/console/pages/orders/orders-view.ts';
import { everyOrder, type OrderFilter, understood } from '../../../src/operations/orders/orders-wanted.ts';

test.each([
  ['en', 'More than 10,000 match'],
  ['bg', 'Намерени са повече от 10\u00a0000:'],
] as const)('how many orders may be chosen is written as readers of %s write numbers', (lang, written) => {
  expect(wordsIn(lang).orders.bulk.tooMany(10_000)).toContain(written);
});

test('the days that are mostly looked at are a press away, and a second press ends them', () => {
  const shown = (query: Partial<OrderFilter>) =>
    filters({ query: understood({ ...everyOrder, ...query }), stores: [], codes: [], today: '2026-11-03' }, wordsIn('en')).markup;

  expect(shown({ state: 'review' })).toContain('href="/console/orders?state=review&amp;from=2026-11-02&amp;to=2026-11-02">yesterday');
  expect(shown({})).toContain('href="/console/orders?from=2026-10-28&amp;to=2026-11-03">last 7 days');
  expect(shown({})).toContain('href="/console/orders?from=2026-11-01&amp;to=2026-11-30">this month');
  expect(shown({ from: '2026-11-03', to: '2026-11-03' })).toContain('href="/console/orders" aria-current="true">today');
});
