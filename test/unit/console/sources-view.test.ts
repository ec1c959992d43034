import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { sourcesView } from '../../../src/console/pages/order/sources-view.ts';
import type { OrderSources } from '../../../src/operations/order-detail/order-sources.ts';
import type { OrderReport } from '../../../src/operations/orders/order-report.ts';

type Total = OrderSources['totals']['store'];

const eur = (amount: string): Total => ({ amount, currency: 'EUR' });
const line = { quantity: '3', amount: '15.05' };
const record = { kind: 'record', record: {} } as unknown as OrderReport['desired'];
const open: OrderReport['desired'] = {
  kind: 'problems',
  problems: [{ code: 'total.mismatch', detail: 'The lines add up to 18.00 EUR, the order to 19.00 EUR.' }],
};

function shown(
  changes: Partial<OrderSources>,
  { recorded = eur('15.05'), desired = record, review = null as OrderReport['review'], lang = 'en' as 'en' | 'bg' } = {},
): string {
  const sources: OrderSources = {
    rows: [{ name: 'Tea', rate: '20', store: line, should: desired === record ? line : null, recorded: recorded === null ? null : line, differs: false }],
    ...{ refunded: null, isOpen: desired !== record, isUncertain: false },
    totals: { store: eur('15.05'), should: desired === record ? eur('15.05') : null, recorded, differs: false },
    ...changes,
  };
  const report = { desired, review, record: recorded, orderTotal: '35.90' } as unknown as OrderReport;
  return sourcesView({ sources, report }, wordsIn(lang)).markup.replaceAll('\u00a0', ' ');
}

test('of several pieces it is said what they cost together', () => {
  expect(shown({})).toContain('3 for €15.05');
  expect(shown({}, { lang: 'bg' })).toContain('3 бр. = 15,05 €');
});

test('where it can’t be worked out what should be recorded, nobody is told that all match', () => {
  const markup = shown({}, { desired: open });

  expect(markup).toContain('The expected record can’t be worked out yet');
  expect(markup).toContain('So far the record has the same amounts as the store.');
  expect(markup).not.toContain('match');
  expect(shown({}, { desired: open, recorded: null })).toContain('Nothing is recorded yet.');
});

test('a reason that stands at the top of the page is not said again', () => {
  const [review = null] = open.kind === 'problems' ? open.problems : [];

  expect(shown({}, { desired: open, review })).toContain('<p>The expected record can’t be worked out yet.</p>');
  expect(shown({}, { desired: open, review })).not.toContain('add up to');
});

test('sums in words are written as those in columns', () => {
  expect(shown({}, { desired: open })).toContain('The lines add up to €18.00, the order to €19.00.');
  expect(shown({}, { desired: open, lang: 'bg' })).toContain('Редовете дават 18,00 €, а поръчката е за 19,00 €.');
});

test('what was refunded is named beside what is left', () => {
  expect(shown({ refunded: { all: '15.00', unnamed: null } })).toContain(
    'Store and record match. The store’s amounts are after the refund of €15.00 from €35.90.',
  );
  expect(shown({ refunded: { all: '15.00', unnamed: '5.00' } })).toContain('−€5.00');
});

test('an order of which nothing should be recorded, and nothing is, does not match a record', () => {
  const nothing: OrderReport['desired'] = { kind: 'nothing', why: 'test' };

  expect(shown({ isOpen: false }, { desired: nothing, recorded: null })).toContain('Nothing is recorded, as expected.');
});
