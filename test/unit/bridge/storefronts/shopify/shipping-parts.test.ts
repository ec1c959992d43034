import { describe, expect, test } from 'vitest';
import { itemBody, moneySet, refundBody, refundShippingBody, shippingBody, snapshotOf, taxBody, transactionBody } from './bodies.ts';

type Fields = Record<string, unknown>;

const mug = itemBody({ quantity: 1, current_quantity: 1, price: '30.00', tax_lines: [taxBody('5.00', 0.2)] });
const book = itemBody({ id: 2, quantity: 1, current_quantity: 1, price: '20.00', tax_lines: [taxBody('1.65', 0.09)] });
const voucher = itemBody({ id: 3, quantity: 1, current_quantity: 1, price: '10.00', tax_lines: [] });
const mixed = shippingBody({ price: '5.00', tax_lines: [taxBody('0.50', 0.2), taxBody('0.17', 0.09)] });

function shipped(shipping: Fields, fields: Fields = {}) {
  const { lines, problems } = snapshotOf({ line_items: [mug, book], shipping_lines: [shipping], current_total_price: '55.00', ...fields });
  const parts = lines.filter(({ kind }) => kind === 'shipping').map(({ id, gross, discount, vatRate }) => `${id}: ${gross} − ${discount} at ${vatRate} %`);
  return { parts, problems: problems.map(({ code, detail }) => `${code}: ${detail}`) };
}

describe('C: shipping of a mixed basket', () => {
  test('with two taxes is a part of each rate, as the taxes say, to the cent', () => {
    expect(shipped(mixed)).toEqual({ parts: ['5501000000001: 2.97 − 0.00 at 20 %', '5501000000001:9: 2.03 − 0.00 at 9 %'], problems: [] });
  });

  test('without VAT in its price gets the taxes on top', () => {
    const net = shippingBody({ price: '5.00', tax_lines: [taxBody('0.60', 0.2), taxBody('0.18', 0.09)], discount_allocations: [] });

    expect(shipped(net, { taxes_included: false }).parts).toEqual(['5501000000001: 3.60 − 0.00 at 20 %', '5501000000001:9: 2.18 − 0.00 at 9 %']);
  });

  test('bears no tax for the pieces that bear none', () => {
    const basket = { line_items: [mug, book, voucher], current_total_price: '66.00' };
    const three = shippingBody({ price: '6.00', tax_lines: [taxBody('0.50', 0.2), taxBody('0.17', 0.09)] });
    const one = shippingBody({ price: '6.00', tax_lines: [taxBody('0.50', 0.2)] });

    expect(shipped(three, basket)).toEqual({
      parts: ['5501000000001: 3.00 − 0.00 at 20 %', '5501000000001:9: 2.06 − 0.00 at 9 %', '5501000000001:0: 0.94 − 0.00 at 0 %'],
      problems: [],
    });
    expect(shipped(one, basket)).toEqual({ parts: ['5501000000001: 3.00 − 0.00 at 20 %', '5501000000001:0: 3.00 − 0.00 at 0 %'], problems: [] });
    expect(shipped(shippingBody({ price: '6.00', tax_lines: [taxBody('1.00', 0.2)] }), basket)).toEqual({
      parts: ['5501000000001: 6.00 − 0.00 at 20 %'],
      problems: [],
    });
  });

  test.each([
    ['its taxes explain more than its price', [taxBody('0.90', 0.2), taxBody('0.17', 0.09)]],
    ['its taxes explain less, and every piece bears one', [taxBody('0.30', 0.2), taxBody('0.17', 0.09)]],
    ['two taxes have one rate', [taxBody('0.41', 0.2), taxBody('0.41', 0.2)]],
  ])('is asked about where %s', (_what, tax_lines) => {
    expect(shipped(shippingBody({ price: '5.00', tax_lines })).problems).toEqual(['vat.unclear: Line “Еконт” bears several taxes.']);
  });

  test('given back, it leaves with all its parts, or with a share of each', () => {
    const given = (amount: string) =>
      refundBody({ refund_line_items: [], refund_shipping_lines: [refundShippingBody(amount, mixed)], transactions: [transactionBody({ amount })] });

    expect(shipped(mixed, { current_total_price: '50.00', refunds: [given('5.00')] }).parts).toEqual([]);
    expect(snapshotOf({ line_items: [mug, book], shipping_lines: [mixed], current_total_price: '55.00' }).lines[3]).toMatchObject({ partOf: '5501000000001' });
    expect(shipped(mixed, { current_total_price: '54.00', refunds: [given('1.00')] }).parts).toEqual([
      '5501000000001: 2.97 − 0.59 at 20 %',
      '5501000000001:9: 2.03 − 0.41 at 9 %',
    ]);
  });
});

describe('C: a tax that its rate does not explain is never recorded in silence', () => {
  const half = taxBody('0.41', 0.2);

  test('on shipping', () => {
    expect(shipped(shippingBody({ price: '5.00', tax_lines: [half] })).problems).toEqual([
      'vat.unclear: Line “Еконт” bears a tax of 0.41, which 20 % of its price is not.',
    ]);
  });

  test.each([
    ['half of it', '2.15', false],
    ['none of it', '0.00', false],
    ['a cent more', '4.31', true],
    ['half a cent of each piece, and one', '4.32', true],
    ['more than that', '4.33', false],
  ])('on an item, with %s', (_what, tax, isClear) => {
    expect(snapshotOf({ line_items: [itemBody({ tax_lines: [taxBody(tax, 0.2)] })] }).problems.length).toBe(isClear ? 0 : 1);
  });

  test('but an edited line may bear that of the pieces left, and taxes on top are of the price', () => {
    const edited = itemBody({ quantity: 4, current_quantity: 2, tax_lines: [taxBody('4.30', 0.2)] });
    const net = itemBody({ tax_lines: [taxBody('5.16', 0.2)], price_set: moneySet('12.90') });

    expect(snapshotOf({ line_items: [edited] }).problems).toEqual([]);
    expect(snapshotOf({ line_items: [net], taxes_included: false }).problems).toEqual([]);
  });
});
