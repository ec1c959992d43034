import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../../../fixtures/woocommerce/recordings.ts';
import { snapshotOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize, read, readLine } from '../../../../support/samples/woo-order.ts';

describe('lines', () => {
  test('of the recorded order with fees come to its total, the negative fee too', () => {
    expect(snapshotOf(normalize(bodyOf('058'))).lines.map(({ kind, gross, discount, vatRate }) => [kind, gross, discount, vatRate])).toEqual([
      ['item', '24.00', '0.00', '20'],
      ['shipping', '6.00', '0.00', '20'],
      ['fee', '1.80', '0.00', '20'],
      ['fee', '-2.39', '0.00', '20'],
      ['fee', '1.00', '0.00', '0'],
    ]);
  });

  test('of the recorded tax-exclusive order keep what the coupon took off', () => {
    expect(snapshotOf(normalize(bodyOf('017'))).lines.map(({ quantity, gross, discount, vatRate }) => [quantity, gross, discount, vatRate])).toEqual([
      ['3', '35.96', '3.58', '20'],
      ['7', '2.77', '0.27', '20'],
      ['1', '17.82', '1.79', '9'],
      ['1', '6.00', '0.00', '20'],
    ]);
  });

  test('cost what was paid where nothing was taken off, or the subtotal is lower', () => {
    expect(readLine({ subtotal: '10.00', subtotal_tax: '2.00' }).lines[0]).toMatchObject({ gross: '24.00', discount: '0.00' });
    expect(readLine({ subtotal: null, subtotal_tax: '' }).lines[0]).toMatchObject({ gross: '24.00', discount: '0.00' });
    expect(readLine({ subtotal: '24.00', subtotal_tax: '' }).lines[0]).toMatchObject({ gross: '24.00', discount: '0.00' });
  });

  test('that a coupon brought to nothing keep their price and their rate', () => {
    const free = { total: '0.00', total_tax: '0.00', taxes: [{ id: 1, total: '0', subtotal: '4.00' }] };

    expect(readLine(free).lines[0]).toMatchObject({ gross: '24.00', discount: '24.00', vatRate: '20' });
  });

  test('add decimals exactly: parts of a cent may make whole cents', () => {
    expect(readLine({ subtotal: null, total: '8.3251', total_tax: '1.6649' }).lines[0]).toMatchObject({ gross: '9.99', discount: '0.00' });
  });

  test('may have had a price before coupons that no coin pays; it is rounded, what was paid is not', () => {
    expect(readLine({ subtotal: '25.0055', subtotal_tax: '5.0011' })).toMatchObject({ problems: [], lines: [{ gross: '30.01', discount: '6.01' }] });
  });

  test('that come to parts of a cent are a problem, and stay as they are', () => {
    expect(readLine({ total: '20.003' })).toMatchObject({
      lines: [{ gross: '24.003', discount: '0.00' }],
      problems: [{ code: 'amount.inexact', detail: 'line 70: 24.003 EUR' }],
    });
  });

  test('a total or a refund of parts of a cent is a problem, too', () => {
    expect(read({ total: '24.001', refunds: [{ id: 8, total: '-1.005' }] })).toMatchObject({
      total: '24.001',
      refunds: [{ id: '8', amount: '1.005' }],
      problems: [
        { code: 'amount.inexact', detail: 'the total: 24.001 EUR' },
        { code: 'amount.inexact', detail: 'refund 8: -1.005 EUR' },
      ],
    });
  });

  test('below zero are discounts, under any type that a plugin gives them', () => {
    const voucher = { subtotal: '-5.00', subtotal_tax: '-1.00', total: '-5.00', total_tax: '-1.00', taxes: [{ id: 1, total: '-1.00', subtotal: '-1.00' }] };

    expect(readLine(voucher).lines[0]).toMatchObject({ kind: 'fee', gross: '-6.00', discount: '0.00', vatRate: '20' });
  });

  test.each([
    [0.5, '0.5'],
    ['2.50', '2.5'],
    [0, '1'],
    [-1, '1'],
    [undefined, '1'],
  ])('of quantity %j count as %s', (quantity, counted) => {
    expect(readLine({ quantity }).lines[0]?.quantity).toBe(counted);
  });

  test('without quantity and money are left out', () => {
    expect(readLine({ quantity: 0, subtotal: '0.00', subtotal_tax: '0.00', total: '0.00', total_tax: '0.00', taxes: [] }).lines).toEqual([]);
  });

  test('that are free from the start need no rate', () => {
    const bundled = { subtotal: '0.00', subtotal_tax: '0.00', total: '0.00', total_tax: '0.00', taxes: [{ id: 77, total: '0' }] };

    expect(readLine(bundled)).toMatchObject({ problems: [], lines: [{ gross: '0.00', vatRate: '0' }] });
  });

  test('of shipping are named after the method; a line without any name after its kind', () => {
    const shipping = { id: 71, method_title: 'Еконт', total: '5.00', total_tax: '1.00', taxes: [{ id: 1, total: '1.00', subtotal: '' }] };

    expect(read({ shipping_lines: [shipping, { ...shipping, id: 72, method_title: null }] }).lines.slice(1)).toMatchObject([
      { kind: 'shipping', name: 'Еконт', quantity: '1', gross: '6.00' },
      { kind: 'shipping', name: 'shipping' },
    ]);
  });

  test('service F10: without a visible character in their name are named by their SKU, else by their kind', () => {
    expect(readLine({ name: '\u200b', sku: 'TS-1' }).lines[0]?.name).toBe('TS-1');
    expect(readLine({ name: '\u200b', sku: ' ' }).lines[0]?.name).toBe('item');
  });

  test('are none where the fields are absent', () => {
    expect(read({ line_items: null, shipping_lines: undefined, fee_lines: null, tax_lines: undefined }).lines).toEqual([]);
  });
});
