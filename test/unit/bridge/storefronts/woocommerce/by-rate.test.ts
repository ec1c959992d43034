import { describe, expect, test } from 'vitest';
import { type Desired, desired } from '../../../../../src/bridge/order/decisions/desired.ts';
import type { Refund } from '../../../../../src/bridge/order/facts/facts.ts';
import { factsOf } from '../../../../../src/bridge/order/facts/merge.ts';
import { toRefund } from '../../../../../src/bridge/storefronts/woocommerce/normalize.ts';
import { wooRefund } from '../../../../../src/bridge/storefronts/woocommerce/payload.ts';
import { settings } from '../../../../support/samples/order-facts.ts';
import { read, wooLine } from '../../../../support/samples/woo-order.ts';

const shirt = wooLine();
const book = wooLine({
  id: 71,
  name: 'Book',
  total: '15.00',
  total_tax: '1.35',
  subtotal: '15.00',
  subtotal_tax: '1.35',
  taxes: [{ id: 2, total: '1.35', subtotal: '1.35' }],
});
const stamp = wooLine({ id: 72, name: 'Stamp', total: '5.00', total_tax: '0.00', subtotal: '5.00', subtotal_tax: '0.00', taxes: [] });

function fee(total: string, total_tax: string, taxes: Record<number, string>): Record<string, unknown> {
  return { id: 90, name: 'Loyalty', total, total_tax, taxes: Object.entries(taxes).map(([id, tax]) => ({ id, total: tax, subtotal: '' })) };
}

function partsOf(values: Record<string, unknown>): unknown[] {
  return read(values)
    .lines.filter(({ name }) => name === 'Loyalty' || name === 'Parcel')
    .map(({ id, partOf, gross, vatRate }) => [id, ...(partOf === undefined ? [] : [`of ${partOf}`]), gross, `${vatRate} %`]);
}

const back = { id: '8', at: '2026-11-21T04:00:00.000Z', transactions: [] };

function lineItems(wanted: Desired): unknown {
  return wanted.kind === 'record' ? wanted.record.lineItems.map(({ name, price, discount, vatRate }) => [name, price, discount, vatRate]) : wanted;
}

describe('live 9: a negative fee over two rates', () => {
  test('is spread as the store did, to the cent', () => {
    // 20.00 net at 20 % and 15.00 at 9 %: of −2.00, 20/35 and 15/35.
    const order = {
      total: '38.04',
      line_items: [shirt, book],
      fee_lines: [fee('-2.00', '-0.31', { 1: '-0.23', 2: '-0.08' })],
    };

    expect(partsOf(order)).toEqual([
      ['90', '-1.38', '20 %'],
      ['90:9', 'of 90', '-0.93', '9 %'],
    ]);
    expect(read(order).problems).toEqual([]);
  });

  test('that was seen at a live store has the two parts of its taxes', () => {
    expect(
      partsOf({
        line_items: [shirt, book],
        fee_lines: [fee('-2.00', '-0.33', { 1: '-0.26', 2: '-0.07' })],
      }),
    ).toEqual([
      ['90', '-1.54', '20 %'],
      ['90:9', 'of 90', '-0.79', '9 %'],
    ]);
  });

  test('and over untaxed lines leaves the rest at 0 %', () => {
    // 20.00 at 20 %, 5.00 untaxed: of −5.00, 4.00 and 1.00.
    expect(partsOf({ line_items: [shirt, stamp], fee_lines: [fee('-5.00', '-0.80', { 1: '-0.80' })] })).toEqual([
      ['90', '-4.80', '20 %'],
      ['90:0', 'of 90', '-1.00', '0 %'],
    ]);
  });

  test('and over untaxed lines is spread over all three', () => {
    // 20.00 at 20 %, 15.00 at 9 %, 5.00 untaxed: of −8.00, 4.00, 3.00 and 1.00.
    expect(partsOf({ line_items: [shirt, book, stamp], fee_lines: [fee('-8.00', '-1.07', { 1: '-0.80', 2: '-0.27' })] })).toEqual([
      ['90', '-4.80', '20 %'],
      ['90:9', 'of 90', '-3.27', '9 %'],
      ['90:0', 'of 90', '-1.00', '0 %'],
    ]);
  });

  test('of two taxes of the same rate is one line', () => {
    const tax_lines = [
      { rate_id: 1, rate_percent: 20 },
      { rate_id: 5, rate_percent: '20.0000' },
    ];

    expect(
      partsOf({
        tax_lines,
        fee_lines: [fee('-2.00', '-0.40', { 1: '-0.30', 5: '-0.10' })],
      }),
    ).toEqual([['90', '-2.40', '20 %']]);
  });

  test('that is too small for a part of it keeps the others', () => {
    expect(
      partsOf({
        fee_lines: [fee('-0.05', '-0.01', { 1: '-0.01', 2: '-0.0001' })],
      }),
    ).toEqual([['90', '-0.06', '20 %']]);
  });

  test.each([
    ['more tax than the fee explains', fee('-2.00', '-0.60', { 1: '-0.40', 2: '-0.20' })],
    ['taxes of both signs', fee('-2.00', '-0.20', { 1: '-0.40', 2: '0.20' })],
    ['a rate that the order does not list', fee('-2.00', '-0.33', { 1: '-0.26', 7: '-0.07' })],
    ['parts of a cent', fee('-2.001', '-0.33', { 1: '-0.26', 2: '-0.07' })],
  ])('with %s is unclear', (_what, line) => {
    expect(read({ fee_lines: [line] }).problems).toContainEqual({ code: 'vat.unclear', detail: 'line 90: its taxes do not name one rate' });
  });

  test('is a discount of the lines of each rate in the record', () => {
    expect(recorded([])).toEqual([
      ['T-shirt', '24.00', '1.38', '20'],
      ['Book', '16.35', '0.93', '9'],
    ]);
  });

  test('is given back as a whole where a refund names it', () => {
    const lines = [
      { lineId: '70', quantity: '1', amount: '24.00' },
      { lineId: '90', quantity: '0', amount: '-2.31' },
    ];

    expect(recorded([{ ...back, amount: '21.69', lines }])).toEqual([['Book', '16.35', '0.00', '9']]);
  });

  test('is given back in proportion where a refund names a part of it', () => {
    expect(
      recorded([
        {
          ...back,
          amount: '22.84',
          lines: [
            { lineId: '70', quantity: '1', amount: '24.00' },
            { lineId: '90', quantity: '0', amount: '-1.16' },
          ],
        },
      ]),
    ).toMatchObject({
      kind: 'problems',
      problems: [{ code: 'order.inexpressible', detail: '“Loyalty”: 0.69 EUR off at 20 % VAT, but the lines of that rate come to 0.00 EUR.' }],
    });
    expect(
      recorded([
        {
          ...back,
          amount: '10.84',
          lines: [
            { lineId: '70', quantity: '0', amount: '12.00' },
            { lineId: '90', quantity: '0', amount: '-1.16' },
          ],
        },
      ]),
    ).toEqual([
      ['T-shirt', '24.00', '12.69', '20'],
      ['Book', '16.35', '0.46', '9'],
    ]);
  });

  test('that a refund leaves out stays a discount', () => {
    expect(recorded([{ ...back, amount: '12.00', lines: [{ lineId: '70', quantity: '0', amount: '12.00' }] }])).toEqual([
      ['T-shirt', '24.00', '13.38', '20'],
      ['Book', '16.35', '0.93', '9'],
    ]);
  });

  // The shirt is given back with its part of the fee: 24.00 − 1.38.
  const withShirt = (rates: object): Refund => {
    const of = (lineId: string) => ({ meta_data: [{ key: '_refunded_item_id', value: lineId }] });
    const shirtBack = { quantity: -1, total: '-20.00', total_tax: '-4.00', taxes: [{ id: 1, total: '-4.00' }], ...of('70') };
    const feeBack = {
      total: '1.15',
      total_tax: '0.23',
      taxes: [
        { id: 1, total: '0.23' },
        { id: 2, total: '' },
      ],
      ...of('90'),
    };
    return toRefund(
      wooRefund.parse({ id: 8, date_created_gmt: '2026-11-21T04:00:00', amount: '22.62', line_items: [shirtBack], fee_lines: [feeBack], ...rates }),
    );
  };

  test('is given back at the rate that a refund names', () => {
    expect(recorded([withShirt({ tax_lines: [{ rate_id: 1, rate_percent: 20 }] })])).toEqual([['Book', '16.35', '0.93', '9']]);
  });

  test('is not given back at another rate where the store does not say which', () => {
    expect(recorded([withShirt({})])).toMatchObject({ kind: 'problems' });
  });

  function recorded(refunds: Refund[]): unknown {
    const snapshot = read({
      total: '38.04',
      line_items: [shirt, book],
      fee_lines: [fee('-2.00', '-0.31', { 1: '-0.23', 2: '-0.08' })],
      refunds: refunds.map(({ id, amount }) => ({ id, total: `-${amount}` })),
    });
    return lineItems(desired({ orderId: '7', facts: factsOf({ orderId: '7', snapshot, refunds }, '2026-11-21T05:00:00.000Z'), settings }));
  }
});

describe('a line above zero over two rates', () => {
  const parcel = (total: string, total_tax: string, taxes: Record<number, string>) => ({
    ...fee(total, total_tax, taxes),
    id: 91,
    name: null,
    method_title: 'Parcel',
  });

  test('is spread by its taxes, its rest at 0 %', () => {
    const order = {
      line_items: [shirt, book],
      shipping_lines: [parcel('10.00', '1.25', { 1: '0.80', 2: '0.45' })],
    };

    expect(partsOf(order)).toEqual([
      ['91', '4.80', '20 %'],
      ['91:9', 'of 91', '5.45', '9 %'],
      ['91:0', 'of 91', '1.00', '0 %'],
    ]);
  });

  test('is given back in proportion where a refund names a part of it', () => {
    const order = { total: '51.25', line_items: [shirt, wooLine({ id: 71, name: 'Cup' })], shipping_lines: [parcel('3.00', '0.25', { 1: '0.20', 2: '0.05' })] };
    const snapshot = read({ ...order, refunds: [{ id: 8, total: '-1.63' }] });
    const refunds = [{ ...back, amount: '1.63', lines: [{ lineId: '91', quantity: '0', amount: '1.63' }] }];
    const settings0 = { ...settings, vatGroups: { ...settings.vatGroups, '0': 'GROUP_A' } };
    const wanted = desired({ orderId: '7', facts: factsOf({ orderId: '7', snapshot, refunds }, '2026-11-21T05:00:00.000Z'), settings: settings0 });

    expect(lineItems(wanted)).toEqual([
      ['T-shirt', '24.00', '0.00', '20'],
      ['Cup', '24.00', '0.00', '20'],
      ['Parcel', '1.20', '0.60', '20'],
      ['Parcel', '0.61', '0.31', '9'],
      ['Parcel', '1.44', '0.72', '0'],
    ]);
  });

  test('of which each bears the whole is unclear', () => {
    expect(
      read({
        shipping_lines: [parcel('10.00', '2.90', { 1: '2.00', 2: '0.90' })],
      }).problems,
    ).toMatchObject([{ code: 'vat.unclear' }]);
  });
});
