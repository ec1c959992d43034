import { describe, expect, test } from 'vitest';
import { itemBody, moneySet, orderBody, refundBody, refundLineBody, taxBody, transactionBody } from './bodies.ts';
import { recordOf } from './record-of.ts';

type Fields = Record<string, unknown>;
type Told = [topic: string, body: Fields];

/** Five pieces of 80.00 EUR; `left` of them are still there. */
const pieces = (left: number) => itemBody({ quantity: 5, current_quantity: left, price: '80.00', tax_lines: [taxBody('66.67', 0.2)] });
const onePiece = refundLineBody({ subtotal: 80, subtotal_set: moneySet('80.00'), total_tax: 13.33, total_tax_set: moneySet('13.33') });

// As an order's body shows them: with the buyer's currency, but without a set that names the shop's.
function backIn(currency: string | null, amount: string, fields: Fields = {}): Fields {
  return refundBody({ refund_line_items: [onePiece], transactions: [transactionBody({ amount, currency, total_unsettled_set: null })], ...fields });
}

function order(fields: Fields): Told {
  return ['orders/updated', orderBody({ updated_at: '2026-10-20T10:05:00+03:00', total_price: '400.00', ...fields })];
}

const paid: Told = ['orders/paid', orderBody({ line_items: [pieces(5)], total_price: '400.00', current_total_price: '400.00' })];

const endOf = (told: readonly Told[]) => recordOf(told.map(([topic, body]) => ({ topic, body })));

describe.each([
  ['RON', '399.40'],
  ['GBP', '67.00'],
  ['JPY', '13700'],
])('A6: a buyer who paid in %s, and whose refund only the order tells of', (currency, amount) => {
  const partly = order({ line_items: [pieces(4)], current_total_price: '320.00', financial_status: 'partially_refunded', refunds: [backIn(currency, amount)] });

  test('one of five pieces given back leaves 320.00 EUR', () => {
    for (const told of [[partly], [paid, partly], [partly, paid]]) expect(endOf(told)).toEqual(['4 × 80.00 − 0.00 Чаша, 20 %']);
  });

  test('a transaction that names no currency is in that of the buyer', () => {
    const unnamed = order({ line_items: [pieces(4)], current_total_price: '320.00', presentment_currency: currency, refunds: [backIn(null, amount)] });

    expect(endOf([paid, unnamed])).toEqual(['4 × 80.00 − 0.00 Чаша, 20 %']);
  });

  test('all of it given back leaves nothing', () => {
    const whole = refundLineBody({ quantity: 5, subtotal: 400, subtotal_set: moneySet('400.00'), total_tax: 66.67, total_tax_set: moneySet('66.67') });
    const refund = backIn(currency, amount, { refund_line_items: [whole] });

    expect(endOf([paid, order({ line_items: [pieces(0)], current_total_price: '0.00', financial_status: 'refunded', refunds: [refund] })])).toEqual([
      'refunded',
    ]);
  });

  test('without a piece, the totals of the order say how much it is', () => {
    const goodwill = backIn(currency, amount, { refund_line_items: [] });
    const stated = order({ line_items: [pieces(5)], current_total_price: '370.00', refunds: [goodwill] });

    expect(endOf([paid, stated])).toEqual(['5 × 80.00 − 30.00 Чаша, 20 %']);
    expect(endOf([paid, stated, ['refunds/create', goodwill]])).toEqual(['5 × 80.00 − 30.00 Чаша, 20 %']);
    expect(endOf([paid, order({ line_items: [pieces(5)], current_total_price: '0.00', refunds: [goodwill] })])).toEqual(['refunded']);
    expect(endOf([paid, order({ line_items: [pieces(5)], current_total_price: '400.00', refunds: [goodwill] })])).toEqual(['5 × 80.00 − 0.00 Чаша, 20 %']);
  });

  test('known alone, it is never taken for the order’s money: a person is asked, and the order answers', () => {
    const alone: Told = ['refunds/create', backIn(currency, amount)];

    expect(endOf([paid, alone])).toEqual([expect.stringMatching(`^refund.unattributed: Refund 980012340001 gave back ${amount}.* ${currency}`)]);
    expect(endOf([paid, alone, partly])).toEqual(['4 × 80.00 − 0.00 Чаша, 20 %']);
    expect(endOf([partly, alone, paid])).toEqual(['4 × 80.00 − 0.00 Чаша, 20 %']);
  });

  test('under way, it takes nothing off', () => {
    const going = backIn(currency, amount, { transactions: [transactionBody({ amount, currency, status: 'pending' })] });
    const counted = order({ line_items: [pieces(4)], current_total_price: '320.00', refunds: [going] });

    expect(endOf([paid, counted])).toEqual(['5 × 80.00 − 0.00 Чаша, 20 %']);
  });
});
