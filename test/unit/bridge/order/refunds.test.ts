import { describe, expect, test } from 'vitest';
import { desired } from '../../../../src/bridge/order/decisions/desired.ts';
import type { RefundLine } from '../../../../src/bridge/order/facts/facts.ts';
import { formatMoney, parseMoney, sum } from '../../../../src/contract/money.ts';
import { facts, refund, settings, snapshot } from '../../../support/samples/order-facts.ts';
import { type Back, back, book, bowl, fee, mug, type Order, recorded } from '../../../support/samples/recorded-lines.ts';

describe('returned lines', () => {
  const mugs: Order = { lines: [mug({ quantity: '3', gross: '36.00' }), bowl()], total: '46.00' };
  const sale: Order = { lines: [mug({ quantity: '2', gross: '20.00', discount: '2.00' }), bowl()], total: '28.00' };
  const third: Order = { lines: [mug({ quantity: '3', gross: '15.05' }), bowl()], total: '25.05' };
  const off: Order = { lines: [mug({ quantity: '3', gross: '30.00', discount: '1.00' }), bowl()], total: '39.00' };
  const given: Order = { lines: [mug({ quantity: '4', gross: '8.00', discount: '8.00' }), bowl()], total: '10.00' };
  const cheese: Order = { lines: [mug({ quantity: '2.5', gross: '25.00' }), bowl()], total: '35.00' };
  test.each<[string, Order, RefundLine[], string[]]>([
    ['leave with their units', mugs, [back('1', '1', '12.00')], ['2 × 12.00 − 0.00 Mug']],
    ['leave with all of them', mugs, [back('1', '3', '36.00')], []],
    ['leave in one refund, delivered twice', mugs, [back('1', '1', '12.00'), back('1', '1', '12.00')], ['1 × 12.00 − 0.00 Mug']],
    ['take their share of the discount along', sale, [back('1', '1', '9.00')], ['1 × 10.00 − 1.00 Mug']],
    ['keep whole prices where the discount’s share was rounded', off, [back('1', '1', '9.66')], ['2 × 10.00 − 0.66 Mug']],
    ['may have been rounded down', third, [back('1', '1', '5.01')], ['2 × 5.02 − 0.00 Mug']],
    ['may have been rounded up', third, [back('1', '1', '5.02')], ['1 × 5.02 − 0.00 Mug', '1 × 5.01 − 0.00 Mug']],
    ['may have been rounded up, twice over', third, [back('1', '2', '10.04')], ['1 × 5.01 − 0.00 Mug']],
    ['for less than their share keep the units whose money stayed', mugs, [back('1', '3', '12.00')], ['2 × 12.00 − 0.00 Mug']],
    ['for less than one unit’s share keep that unit, less the money', mugs, [back('1', '1', '10.00')], ['3 × 12.00 − 10.00 Mug']],
    ['for more than their share take the rest off as discount', mugs, [back('1', '1', '15.00')], ['2 × 12.00 − 3.00 Mug']],
    ['as units without money take nothing off', mugs, [back('1', '1', '0.00'), back('3', '0', '1.00')], ['3 × 12.00 − 0.00 Mug']],
    ['as money without units are a discount', mugs, [back('1', '0', '6.00')], ['3 × 12.00 − 6.00 Mug']],
    ['as a cent without units are a discount', mugs, [back('1', '0', '0.01')], ['3 × 12.00 − 0.01 Mug']],
    ['as all the money without units are gone', mugs, [back('1', '0', '36.00')], []],
    ['of more units than there were keep the money that was not refunded', mugs, [back('1', '5', '30.00')], ['1 × 12.00 − 6.00 Mug']],
    ['that were free leave by their units', given, [back('1', '1', '0.00'), back('3', '0', '1.00')], ['3 × 2.00 − 6.00 Mug']],
    ['that were free leave with their last unit', given, [back('1', '4', '0.00'), back('3', '0', '1.00')], []],
    ['of a broken quantity leave by their share', cheese, [back('1', '1', '10.00')], ['1 × 15.00 − 0.00 Mug (1.5)']],
    ['of a broken quantity may leave a whole one', cheese, [back('1', '0.5', '5.00')], ['2 × 10.00 − 0.00 Mug']],
    ['of a broken quantity for less keep it, less the money', cheese, [back('1', '1', '5.00')], ['1 × 25.00 − 5.00 Mug (2.5)']],
    ['in part of a unit, for less, keep the quantity', mugs, [back('1', '0.5', '1.00')], ['3 × 12.00 − 1.00 Mug']],
    ['in part of a unit, for more, keep the quantity too', mugs, [back('1', '0.5', '16.00')], ['3 × 12.00 − 16.00 Mug']],
    ['of a broken quantity for less keep it, even if a whole one is left', cheese, [back('1', '1.5', '5.00')], ['1 × 25.00 − 5.00 Mug (2.5)']],
    ['may leave a cent more for each unit that stays', mugs, [back('1', '1', '11.98')], ['2 × 12.01 − 0.00 Mug']],
    ['may leave a cent less for each unit that stays', mugs, [back('1', '1', '12.02')], ['2 × 11.99 − 0.00 Mug']],
    ['for three cents less than two units’ share keep all', mugs, [back('1', '1', '11.97')], ['3 × 12.00 − 11.97 Mug']],
    ['for three cents more than two units’ share are discounted', mugs, [back('1', '1', '12.03')], ['2 × 12.00 − 0.03 Mug']],
  ])('%s', (...[, order, lines, expected]) => {
    const amount = formatMoney(sum(lines.map((returned) => parseMoney(returned.amount, 2) ?? 0n)), 2);

    const mugLines = recorded(order, [{ amount, lines }]).filter((text) => !text.endsWith('Bowl'));

    expect(mugLines).toEqual(expected);
  });

  test('that were free carry no money: it comes off the others', () => {
    expect(recorded(given, [{ amount: '2.00', lines: [back('1', '1', '2.00')] }])).toEqual(['3 × 2.00 − 6.00 Mug', '1 × 10.00 − 2.00 Bowl']);
  });

  test('of several refunds add up, in any order', () => {
    const backs = [
      { amount: '12.00', lines: [back('1', '1', '12.00')] },
      { amount: '22.00', lines: [back('1', '1', '12.00'), back('3', '1', '10.00')] },
    ];

    expect(recorded(mugs, backs)).toEqual(['1 × 12.00 − 0.00 Mug']);
    expect(recorded(mugs, backs.toReversed())).toEqual(['1 × 12.00 − 0.00 Mug']);
  });
});

describe('refunds and negative fees', () => {
  const withFee: Order = { lines: [mug(), bowl(), fee('-2.00')], total: '32.00' };
  test.each<[string, Order, Back, string[]]>([
    ['a returned line leaves the fee to the others', withFee, { amount: '24.00', lines: [back('1', '1', '24.00')] }, ['1 × 10.00 − 2.00 Bowl']],
    [
      'a line returned with the fee leaves the others whole',
      withFee,
      { amount: '22.00', lines: [back('1', '1', '24.00'), back('9', '1', '-2.00')] },
      ['1 × 10.00 − 0.00 Bowl'],
    ],
    ['a fee named without money stays', withFee, { amount: '24.00', lines: [back('1', '1', '24.00'), back('9', '1', '0.00')] }, ['1 × 10.00 − 2.00 Bowl']],
    ['a part of the fee may be given back', withFee, { amount: '23.00', lines: [back('1', '1', '24.00'), back('9', '0', '-1.00')] }, ['1 × 10.00 − 1.00 Bowl']],
    [
      'a person is asked about a fee that nothing of its rate can carry any more',
      { lines: [mug(), book(), fee('-2.00')], total: '32.00' },
      { amount: '24.00', lines: [back('1', '1', '24.00')] },
      ['order.inexpressible: “Fee”: 2.00 EUR off at 20 % VAT, but the lines of that rate come to 0.00 EUR.'],
    ],
    [
      'more of a fee than there was can’t come back',
      withFee,
      { amount: '21.00', lines: [back('1', '1', '24.00'), back('9', '1', '-3.00')] },
      ['refund.unattributed: Of refund r0, -1.00 EUR names no line, and the lines left come to 10.00 EUR.'],
    ],
    [
      'negative money of a plain line is not believed',
      withFee,
      { amount: '1.60', lines: [back('1', '1', '-1.60')] },
      ['1 × 24.00 − 2.54 Mug', '1 × 10.00 − 1.06 Bowl'],
    ],
    [
      'positive money of a negative fee is not believed',
      withFee,
      { amount: '1.60', lines: [back('9', '1', '1.60')] },
      ['1 × 24.00 − 2.54 Mug', '1 × 10.00 − 1.06 Bowl'],
    ],
  ])('%s', (...[, order, given, expected]) => {
    expect(recorded(order, [given])).toEqual(expected);
  });

  test.each<[string, string, Back[], string[] | undefined]>([
    ['what refunds name is off the record meanwhile', '-2.00', [{ amount: '24.00', lines: [back('1', '1', '24.00')] }], ['Book 10.00 − 0.00']],
    [
      'not where money names no line',
      '-2.00',
      [
        { amount: '24.00', lines: [back('1', '1', '24.00')] },
        { amount: '1.00', lines: [] },
      ],
      undefined,
    ],
    ['not where the ordered lines could not carry it', '-25.00', [{ amount: '1.00', lines: [back('2', '0', '1.00')] }], undefined],
  ])('a person is asked about a fee that nothing can carry: %s', (...[, off, backs, certain]) => {
    const refunds = backs.map((given, index) => refund({ id: `r${index}`, ...given }));
    const total = formatMoney(3400n + (parseMoney(off, 2) ?? 0n), 2);
    const known = facts({ snapshot: snapshot({ lines: [mug(), book(), fee(off)], total, refunds: null }), refunds });
    const wanted = desired({ orderId: '1', facts: known, settings });
    const record = wanted.kind === 'problems' ? wanted.certain : undefined;

    expect(wanted).toMatchObject({ problems: [{ code: 'order.inexpressible' }] });
    expect(record?.lineItems.map(({ name, price, discount }) => `${name} ${price} − ${discount}`)).toEqual(certain);
  });
});

describe('money without lines', () => {
  const oneRate: Order = { lines: [mug(), bowl({ gross: '12.00' })], total: '36.00' };
  const twoRates: Order = { lines: [mug(), book()], total: '34.00' };
  test.each<[string, Order, Back, string[]]>([
    ['comes off all lines pro rata, as discount', oneRate, { amount: '6.00', lines: [] }, ['1 × 24.00 − 4.00 Mug', '1 × 12.00 − 2.00 Bowl']],
    ['also where its lines can’t be fetched', oneRate, { amount: '6.00', lines: null }, ['1 × 24.00 − 4.00 Mug', '1 × 12.00 − 2.00 Bowl']],
    ['also where it names an unknown line', oneRate, { amount: '6.00', lines: [back('77', '1', '6.00')] }, ['1 × 24.00 − 4.00 Mug', '1 × 12.00 − 2.00 Bowl']],
    [
      'needs review where lines have several rates',
      twoRates,
      { amount: '6.00', lines: [] },
      ['refund.unattributed: Of refund r0, 6.00 EUR names no line, and the lines left have VAT rates 20, 9.'],
    ],
    ['beyond its own lines comes off what is left', oneRate, { amount: '15.00', lines: [back('3', '1', '12.00')] }, ['1 × 24.00 − 3.00 Mug']],
    ['beyond its own lines needs one rate only in what is left', twoRates, { amount: '26.00', lines: [back('1', '1', '24.00')] }, ['1 × 10.00 − 2.00 Book']],
    ['beyond a line’s price comes off the others', oneRate, { amount: '30.00', lines: [back('1', '1', '30.00')] }, ['1 × 12.00 − 6.00 Bowl']],
    [
      'below its lines comes off them, not their units',
      oneRate,
      { amount: '5.00', lines: [back('3', '1', '12.00')] },
      ['1 × 24.00 − 0.00 Mug', '1 × 12.00 − 5.00 Bowl'],
    ],
    [
      'below its lines needs review if they have several rates',
      twoRates,
      { amount: '5.00', lines: [back('1', '1', '24.00'), back('2', '1', '10.00')] },
      ['refund.unattributed: Refund r0 gave back 5.00 EUR for lines of 34.00 EUR, and they have VAT rates 20, 9.'],
    ],
    [
      'a line that was free does not stand in the way',
      { lines: [mug(), book({ discount: '10.00' })], total: '24.00' },
      { amount: '4.00', lines: [] },
      ['1 × 24.00 − 4.00 Mug', '1 × 10.00 − 10.00 Book'],
    ],
  ])('%s', (...[, order, given, expected]) => {
    expect(recorded(order, [given])).toEqual(expected);
  });

  test('is not considered before the lines are the total', () => {
    expect(recorded({ ...twoRates, total: '35.00' }, [{ amount: '6.00', lines: [] }])).toEqual([
      'total.mismatch: The lines add up to 34.00 EUR, the order to 35.00 EUR.',
    ]);
  });

  test('leaves no question about a returned line’s VAT rate', () => {
    const odd: Order = { lines: [mug(), book({ vatRate: '7' })], total: '34.00' };

    expect(recorded(odd, [{ amount: '10.00', lines: [back('2', '1', '10.00')] }])).toEqual(['1 × 24.00 − 0.00 Mug']);
  });

  test('of a free order needs review', () => {
    const free = snapshot({ lines: [mug({ discount: '24.00' })], total: '0.00', refunds: null });
    const result = desired({
      orderId: '1',
      facts: facts({ snapshot: free, refunds: [refund({ amount: '5.00' })] }),
      settings: { ...settings, freeOrders: 'record' },
    });

    expect(result).toMatchObject({ kind: 'problems', problems: [{ code: 'refund.unattributed' }] });
  });

  test('together with lines that can’t be read needs review', () => {
    const odd = { amount: '6.00', lines: [back('1', 'some', '6.005')] };

    expect(recorded(oneRate, [odd])).toEqual([
      'order.inexpressible: The quantity some of refund r0 can’t be recorded.',
      'amount.inexact: The amount 6.005 of refund r0 is not exact in EUR.',
    ]);
  });
});
