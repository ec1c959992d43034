import { describe, expect, test } from 'vitest';
import { adjustmentBody, itemBody, moneySet, refundShippingBody, shippingBody, snapshotOf, taxBody } from './bodies.ts';
import { gave, inShort, piece } from './kept-orders.ts';

type Fields = Record<string, unknown>;

describe('what was paid and kept', () => {
  test('is the current total less what is outstanding; total_price is not looked at', () => {
    expect(inShort(snapshotOf({ total_price: '999.00', current_total_price: '25.80' }))).toMatchObject({ total: '25.80', kept: '25.80', refunds: [] });
    expect(snapshotOf({ total_price: '999.00', current_total_price: '1.00', current_total_price_set: moneySet('25.80'), total_outstanding: null }).kept).toBe(
      '25.80',
    );
  });

  test('is not known where the order has no current total: total_price is what it comes to', () => {
    expect(snapshotOf()).toMatchObject({ total: '25.80' });
    expect(snapshotOf()).not.toHaveProperty('kept');
  });

  test.each(['pending', 'partially_paid'])('is not asked of an order that is %s: it has what it comes to', (financial_status) => {
    const snapshot = snapshotOf({ financial_status, total_price: '99.00', current_total_price: '25.80', total_outstanding: '25.80' });

    expect(inShort(snapshot)).toMatchObject({ lines: ['2 × Чаша: 25.80 − 0.00 at 20 %'], total: '25.80', kept: undefined });
  });

  test('of an order that is not paid keeps the lines as left, though they do not fit', () => {
    expect(snapshotOf({ financial_status: 'pending', current_total_price: '7.00' })).toMatchObject({ total: '7.00', lines: [{ gross: '25.80' }] });
  });
});

describe('pieces that are gone', () => {
  test('are those that the order misses, though no refund names them', () => {
    expect(inShort(snapshotOf({ line_items: [piece(1, 1), piece(2, 0)], current_total_price: '60.00' })).lines).toEqual(['1 × Piece 1: 60.00 − 0.00 at 20 %']);
  });

  test('cost what their refunds say, to the cent, with the line’s discount', () => {
    const line = piece(1, 2, { quantity: 3, price: '10.00', tax_lines: [taxBody('4.83', 0.2)], discount_allocations: [{ amount: '1.00' }] });

    expect(inShort(snapshotOf({ line_items: [line], current_total_price: '19.34', refunds: [gave(1, '9.66', { pieces: [[1, '9.66']] })] }))).toMatchObject({
      lines: ['2 × Piece 1: 20.00 − 0.66 at 20 %'],
      kept: '19.34',
      total: '29.00',
      refunds: [{ id: '1', amount: '9.66', deducted: '9.66' }],
    });
  });

  test('cost their share, where that is what the totals say', () => {
    const line = piece(1, 2, { quantity: 3, price: '10.00', tax_lines: [taxBody('5.00', 0.2)] });

    expect(inShort(snapshotOf({ line_items: [line], current_total_price: '20.00', refunds: [gave(1, null, { pieces: [[1, '9.99']] })] })).lines).toEqual([
      '2 × Piece 1: 20.00 − 0.00 at 20 %',
    ]);
    expect(inShort(snapshotOf({ line_items: [line], current_total_price: '20.00', refunds: [gave(1, null, { pieces: [[1, '99.00']] })] })).lines).toHaveLength(
      1,
    );
  });

  test('may have taken their discount along: then that of the line is of those left', () => {
    const line = piece(1, 2, { quantity: 3, price: '10.00', tax_lines: [taxBody('3.17', 0.2)], discount_allocations: [{ amount: '1.00' }] });

    expect(inShort(snapshotOf({ line_items: [line], current_total_price: '19.00' })).lines).toEqual(['2 × Piece 1: 20.00 − 1.00 at 20 %']);
  });

  test('are none of a line that does not say how many are left; a refund without a moment has that of its making', () => {
    const silent = piece(1, 1, { current_quantity: null });
    const goodwill = gave(1, '5.00', { processed_at: null });

    expect(snapshotOf({ line_items: [silent], current_total_price: '55.00', refunds: [goodwill] })).toMatchObject({
      kept: '55.00',
      lines: [{ gross: '60.00' }],
    });
  });

  test('a line of no pieces is none; a free one goes with its last piece', () => {
    const lines = [piece(1, 1), piece(2, 0, { quantity: 0 }), piece(3, 0, { price: '0.00' }), piece(4, 1, { price: '0.00' })];

    expect(
      snapshotOf({ line_items: lines, current_total_price: '60.00', refunds: [gave(1, null, { pieces: [[3, '0.00']] })] }).lines.map(({ id }) => id),
    ).toEqual(['1', '4']);
  });
});

describe('shipping', () => {
  const shipped = (fields: Fields) => snapshotOf({ line_items: [piece(1, 1)], shipping_lines: [shippingBody()], ...fields });

  test('given back in part is a discount, and in whole it is gone', () => {
    const part = gave(1, '2.00', { refund_shipping_lines: [refundShippingBody('2.00')] });
    const whole = gave(1, '4.90', { refund_shipping_lines: [refundShippingBody('4.90')] });

    expect(inShort(shipped({ current_total_price: '62.90', refunds: [part] })).lines[1]).toBe('1 × Еконт: 4.90 − 2.00 at 20 %');
    expect(inShort(shipped({ current_total_price: '60.00', refunds: [whole] })).lines).toHaveLength(1);
  });

  test('that only an adjustment names is the one that there is', () => {
    const adjusted = gave(1, '4.90', { order_adjustments: [adjustmentBody('shipping_refund', '-4.90')] });
    const second = shippingBody({ id: 7, price: '1.00', tax_lines: [taxBody('0.17', 0.2)] });

    expect(inShort(shipped({ current_total_price: '60.00', refunds: [adjusted] })).lines).toHaveLength(1);
    expect(inShort(shipped({ current_total_price: '61.00', refunds: [adjusted], shipping_lines: [shippingBody(), second] }))).toMatchObject({
      refunds: [{ id: '1', amount: '4.90' }],
      total: '65.90',
    });
  });

  test('that an edit took off is gone, and is in the lines while its money is here', () => {
    const off = { shipping_lines: [shippingBody({ is_removed: true })], current_total_price: '60.00' };
    const free = shippingBody({ is_removed: true, price: '0.00', tax_lines: [] });

    expect(inShort(shipped(off)).lines).toHaveLength(1);
    expect(inShort(shipped({ ...off, shipping_lines: [free] })).lines).toHaveLength(1);
    expect(inShort(shipped({ ...off, refunds: [gave(1, null, { refund_shipping_lines: [refundShippingBody('4.90')] })] })).lines).toHaveLength(1);
    expect(inShort(shipped({ ...off, refunds: [gave(1, '4.90', { refund_shipping_lines: [refundShippingBody('4.90')] })] })).lines).toHaveLength(1);
    expect(inShort(shipped({ ...off, total_outstanding: '-4.90' }))).toMatchObject({
      kept: '64.90',
      owed: '4.90',
      lines: [expect.anything(), '1 × Еконт: 4.90 − 0.00 at 20 %'],
    });
  });
});

test('duties and fees are the current ones, where the order has them', () => {
  const lumps = {
    original_total_duties_set: moneySet('9.00'),
    current_total_duties_set: moneySet('2.00'),
    original_total_additional_fees_set: moneySet('8.00'),
  };
  const listed = itemBody({ duties: [{ id: '7', shop_money: { amount: '2.00' }, tax_lines: [] }] });
  const dutyBack = gave(1, '2.00', { duties: [{ duty_id: 7, amount_set: moneySet('2.00') }] });

  expect(inShort(snapshotOf({ ...lumps, current_total_additional_fees_set: moneySet('1.00'), current_total_price: '28.80' })).lines.slice(1)).toEqual([
    '1 × Duties: 2.00 − 0.00 at 0 %',
    '1 × Additional fees: 1.00 − 0.00 at 0 %',
  ]);
  expect(inShort(snapshotOf({ line_items: [listed], current_total_price: '25.80', refunds: [dutyBack] })).lines).toHaveLength(1);
});

test('a tip is a line, unless the checkout already made it one', () => {
  const tip = { total_tip_received: '3.00', current_total_price: '28.80' };
  const line = itemBody({ id: 2, name: 'Tip', quantity: 1, current_quantity: 1, price: '3.00', tax_lines: [] });

  expect(snapshotOf(tip).lines).toHaveLength(2);
  expect(snapshotOf({ ...tip, line_items: [itemBody(), line] }).lines.map(({ kind }) => kind)).toEqual(['item', 'item']);
});

test('the VAT of the order is the current one', () => {
  expect(snapshotOf({ total_tax: '9.99', current_total_tax: '4.30' }).vat).toBe('4.30');
});

test('a gift card is marked: as a line, and as a payment', () => {
  const sold = snapshotOf({ line_items: [itemBody({ gift_card: true, tax_lines: [] })], payment_gateway_names: ['gift_card'] });

  expect(sold).toMatchObject({ paidByGiftCard: true, lines: [{ giftCard: true }] });
  expect(snapshotOf()).not.toHaveProperty('paidByGiftCard');
  expect(snapshotOf().lines[0]).not.toHaveProperty('giftCard');
});
