import { expect, test } from 'vitest';
import { noFacts } from '../../../../src/bridge/order/facts/facts.ts';
import { linesAndPaid } from '../../../../src/operations/review/open-issue.ts';
import { line, snapshot } from '../../../support/samples/order-facts.ts';

function compared(total: string, gross = '24.00') {
  const facts = { ...noFacts, snapshot: snapshot({ lines: [line({ name: 'Cup', quantity: '2', gross, discount: '1.00' })], total }) };
  return linesAndPaid({ id: 7, number: '#7', facts });
}

test.each([
  ['23.00', null],
  ['23.01', { is: 'missing', amount: '0.01 EUR' }],
  ['20.00', { is: 'above', amount: '3.00 EUR' }],
])('lines of 23.00 and %s paid', (total, gap) => {
  expect(compared(total)).toMatchObject({ sum: '23.00 EUR', gap, lines: [{ name: 'Cup', quantity: '2', amount: '23.00 EUR' }] });
});

test('an order whose amounts are none of its currency is not compared, nor one of which nothing is known', () => {
  expect(compared('23.001')).toBeNull();
  expect(compared('23.00', 'much')).toBeNull();
  expect(linesAndPaid({ id: 7, number: null, facts: noFacts })).toBeNull();
});
