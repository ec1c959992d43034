import { describe, expect, test } from 'vitest';
import { desired } from '../../../../src/bridge/order/decisions/desired.ts';
import type { FiscalSettings } from '../../../../src/bridge/order/facts/settings.ts';
import { facts, settings, snapshot } from '../../../support/samples/order-facts.ts';
import { back, book, bowl, fee, mug, type Order, recorded } from '../../../support/samples/recorded-lines.ts';

describe('lines as they are recorded', () => {
  test.each<[string, Order, string[]]>([
    ['whole unit prices stay', { lines: [mug({ quantity: '2', gross: '25.80' })], total: '25.80' }, ['2 × 12.90 − 0.00 Mug']],
    ['a discount stays on its line', { lines: [mug({ quantity: '2', discount: '4.80' })], total: '19.20' }, ['2 × 12.00 − 4.80 Mug']],
    [
      'a gross that does not divide is split',
      { lines: [mug({ quantity: '3', gross: '15.05' })], total: '15.05' },
      ['2 × 5.02 − 0.00 Mug', '1 × 5.01 − 0.00 Mug'],
    ],
    [
      'and its discount is shared',
      { lines: [mug({ quantity: '3', gross: '15.05', discount: '1.00' })], total: '14.05' },
      ['2 × 5.02 − 0.67 Mug', '1 × 5.01 − 0.33 Mug'],
    ],
    [
      'a full discount too, never beyond a part',
      { lines: [mug({ quantity: '3', gross: '0.04', discount: '0.04' }), bowl()], total: '10.00' },
      ['1 × 0.02 − 0.02 Mug', '2 × 0.01 − 0.02 Mug', '1 × 10.00 − 0.00 Bowl'],
    ],
    [
      'C: 1000 beads for 5.00: pieces below the smallest amount are one unit, so that none of them is lost',
      { lines: [mug({ quantity: '1000', gross: '5.00' }), bowl()], total: '15.00' },
      ['1 × 5.00 − 0.00 Mug (1000)', '1 × 10.00 − 0.00 Bowl'],
    ],
    ['a quantity that is not whole goes into the name', { lines: [mug({ quantity: '0.5', gross: '4.99' })], total: '4.99' }, ['1 × 4.99 − 0.00 Mug (0.5)']],
    ['a control character in a name is a space', { lines: [mug({ name: 'Red\u000bmug' })], total: '24.00' }, ['1 × 24.00 − 0.00 Red mug']],
    ['a name of control characters is none', { lines: [mug({ name: '\u000b\u0000' })], total: '24.00' }, ['1 × 24.00 − 0.00 item']],
    [
      'the longest name leaves room for its quantity',
      { lines: [mug({ name: 'm'.repeat(1000), quantity: '0.5' })], total: '24.00' },
      [`1 × 24.00 − 0.00 ${'m'.repeat(994)} (0.5)`],
    ],
    ['a name that is too long', { lines: [mug({ name: 'm'.repeat(1001) })], total: '24.00' }, [`1 × 24.00 − 0.00 ${'m'.repeat(1000)}`]],
    ['"2.000" is two', { lines: [mug({ quantity: '2.000' })], total: '24.00' }, ['2 × 12.00 − 0.00 Mug']],
    ['a line without price is left out', { lines: [mug(), bowl({ gross: '0.00' })], total: '24.00' }, ['1 × 24.00 − 0.00 Mug']],
    ['a line discounted to nothing stays', { lines: [mug(), bowl({ discount: '10.00' })], total: '24.00' }, ['1 × 24.00 − 0.00 Mug', '1 × 10.00 − 10.00 Bowl']],
    [
      'a negative fee is spread over its rate',
      { lines: [mug(), book(), bowl(), fee('-3.40')], total: '40.60' },
      ['1 × 24.00 − 2.40 Mug', '1 × 10.00 − 0.00 Book', '1 × 10.00 − 1.00 Bowl'],
    ],
    [
      'negative fees of two rates, each over its own',
      { lines: [mug(), book(), fee('-2.00'), fee('-1.00', { id: '8', vatRate: '9.0' })], total: '31.00' },
      ['1 × 24.00 − 2.00 Mug', '1 × 10.00 − 1.00 Book'],
    ],
    ['a negative fee may use its rate up', { lines: [book(), mug(), fee('-24.00')], total: '10.00' }, ['1 × 10.00 − 0.00 Book', '1 × 24.00 − 24.00 Mug']],
    [
      'a million pieces are still pieces',
      { lines: [mug({ quantity: '1000000', gross: '10000000.00' })], total: '10000000.00' },
      ['1000000 × 10.00 − 0.00 Mug'],
    ],
    [
      'more than a line of a record may have are one unit',
      { lines: [mug({ quantity: '1000001', gross: '10000010.00' })], total: '10000010.00' },
      ['1 × 10000010.00 − 0.00 Mug (1000001)'],
    ],
    ['yen have no decimals', { lines: [mug({ quantity: '3', gross: '1000' })], total: '1000.00', currency: 'JPY' }, ['1 × 334 − 0 Mug', '2 × 333 − 0 Mug']],
  ])('%s', (_what, order, expected) => {
    expect(recorded(order)).toEqual(expected);
  });
});

describe('a sum that rounding of the platform explains', () => {
  const pens = mug({ id: '4', name: 'Pen', quantity: '3', gross: '23.31' });
  test.each<[string, Order, string[]]>([
    [
      'less money is a discount on the largest line',
      { lines: [pens, bowl()], total: '33.30', mayBeOff: '0.02' },
      ['3 × 7.77 − 0.01 Pen', '1 × 10.00 − 0.00 Bowl'],
    ],
    ['more money is its price', { lines: [mug(), bowl()], total: '34.01', mayBeOff: '0.01' }, ['1 × 24.01 − 0.00 Mug', '1 × 10.00 − 0.00 Bowl']],
    [
      'or less of its discount',
      { lines: [mug({ discount: '1.00' }), bowl()], total: '33.01', mayBeOff: '0.01' },
      ['1 × 24.00 − 0.99 Mug', '1 × 10.00 − 0.00 Bowl'],
    ],
    [
      'the largest line is that of the rate with most money',
      { lines: [mug(), book({ gross: '20.00' }), book({ id: '5', gross: '21.00' })], total: '64.99', mayBeOff: '0.01' },
      ['1 × 24.00 − 0.00 Mug', '1 × 20.00 − 0.00 Book', '1 × 21.00 − 0.01 Book'],
    ],
    [
      'beyond it a person is asked',
      { lines: [mug()], total: '24.03', mayBeOff: '0.02' },
      ['total.mismatch: The lines add up to 24.00 EUR, the order to 24.03 EUR.'],
    ],
    ['below it too', { lines: [mug()], total: '23.97', mayBeOff: '0.02' }, ['total.mismatch: The lines add up to 24.00 EUR, the order to 23.97 EUR.']],
    [
      'never below zero',
      { lines: [mug({ gross: '0.00' })], total: '-0.01', mayBeOff: '0.01' },
      ['total.mismatch: The lines add up to 0.00 EUR, the order to -0.01 EUR.'],
    ],
    [
      'an order without lines has nothing to put it on',
      { lines: [], total: '0.01', mayBeOff: '0.01' },
      ['total.mismatch: The lines add up to 0.00 EUR, the order to 0.01 EUR.'],
    ],
    [
      'less than the smallest amount explains nothing',
      { lines: [mug()], total: '24.01', mayBeOff: '0.005' },
      ['total.mismatch: The lines add up to 24.00 EUR, the order to 24.01 EUR.'],
    ],
    [
      'nor does what can’t be read',
      { lines: [mug()], total: '24.01', mayBeOff: 'a cent' },
      ['total.mismatch: The lines add up to 24.00 EUR, the order to 24.01 EUR.'],
    ],
    ['in yen it is whole yen', { lines: [mug({ gross: '1000' })], total: '1001', mayBeOff: '1.5', currency: 'JPY' }, ['1 × 1001 − 0 Mug']],
  ])('%s', (_what, order, expected) => {
    expect(recorded(order)).toEqual(expected);
  });
});

describe('a person is asked about what a record can’t express', () => {
  test.each<[string, Order, string]>([
    [
      'a discount off nothing',
      { lines: [mug({ gross: '0.00', discount: '0.01' }), bowl({ gross: '24.01' })], total: '24.00' },
      'order.inexpressible: The discount of line "Mug" is 0.01 off 0.00.',
    ],
    [
      'a negative fee without lines of its rate',
      { lines: [book(), fee('-2.00')], total: '8.00' },
      'order.inexpressible: “Fee”: 2.00 EUR off at 20 % VAT, but the lines of that rate come to 0.00 EUR.',
    ],
    [
      'a discount beyond its line',
      { lines: [mug({ discount: '24.01' })], total: '-0.01' },
      'order.inexpressible: The discount of line "Mug" is 24.01 off 24.00.',
    ],
    ['a discount below zero', { lines: [mug({ discount: '-1.00' })], total: '25.00' }, 'order.inexpressible: The discount of line "Mug" is -1.00 off 24.00.'],
    ['a quantity of nothing', { lines: [mug({ quantity: '0' })], total: '24.00' }, 'order.inexpressible: The quantity of line "Mug" is 0.'],
    ['a quantity below zero', { lines: [mug({ quantity: '-1' })], total: '24.00' }, 'order.inexpressible: The quantity -1 of line "Mug" can’t be recorded.'],
    [
      'a quantity that is no number',
      { lines: [mug({ quantity: 'two' })], total: '24.00' },
      'order.inexpressible: The quantity two of line "Mug" can’t be recorded.',
    ],
    [
      'a quantity beyond reason',
      { lines: [mug({ quantity: '1000000001' })], total: '24.00' },
      'order.inexpressible: The quantity 1000000001 of line "Mug" can’t be recorded.',
    ],
    ['a gross that would round', { lines: [mug({ gross: '24.001' })], total: '24.00' }, 'amount.inexact: The amount 24.001 of line "Mug" is not exact in EUR.'],
    [
      'a discount that would round',
      { lines: [mug({ discount: '0.001' })], total: '24.00' },
      'amount.inexact: The amount 0.001 of the discount of line "Mug" is not exact in EUR.',
    ],
  ])('%s', (_what, order, problem) => {
    expect(recorded(order)).toEqual([problem]);
  });
});

describe('conversion at the fixed rate', () => {
  const leva: Order = {
    lines: [mug({ quantity: '2', gross: '65.00', discount: '1.70' }), bowl({ quantity: '3', gross: '29.95' })],
    total: '93.25',
    currency: 'BGN',
  };
  test('turns each line’s money once, then splits it', () => {
    expect(recorded(leva, [], 'EUR')).toEqual(['1 × 16.62 − 0.44 Mug', '1 × 16.61 − 0.43 Mug', '1 × 5.11 − 0.00 Bowl', '2 × 5.10 − 0.00 Bowl']);
  });

  test('comes after refunds', () => {
    expect(
      recorded(
        leva,
        [
          { amount: '31.65', lines: [back('1', '1', '31.65')] },
          { amount: '29.95', lines: [back('3', '3', '29.95')] },
        ],
        'EUR',
      ),
    ).toEqual(['1 × 16.62 − 0.43 Mug']);
  });

  test('names the currency it ends in', () => {
    const known = (currency: string) => facts({ snapshot: snapshot({ currency }) });
    const currencyOf = (currency: string, convertTo: FiscalSettings['convertTo']) => {
      const result = desired({ orderId: '1', facts: known(currency), settings: { ...settings, convertTo } });
      return result.kind === 'record' && [result.record.currency, result.record.lineItems[0]?.price];
    };

    expect(currencyOf('EUR', 'BGN')).toEqual(['BGN', '46.94']);
    expect(currencyOf('BGN', 'BGN')).toEqual(['BGN', '24.00']);
    expect(currencyOf('USD', 'BGN')).toEqual(['USD', '24.00']);
  });
});
