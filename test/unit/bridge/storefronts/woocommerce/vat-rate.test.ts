import { describe, expect, test } from 'vitest';
import { read, wooLine } from '../../../../support/samples/woo-order.ts';

describe('the VAT rate of a line', () => {
  const unclear = [{ code: 'vat.unclear', detail: 'line 70: its taxes do not name one rate' }];
  const rateOf = (values: Record<string, unknown>, order: Record<string, unknown> = {}) => {
    const { lines, problems } = read({ line_items: [wooLine(values)], ...order });
    return problems.length > 0 ? problems : lines[0]?.vatRate;
  };

  test('is the one that the order lists for its tax', () => {
    expect(rateOf({})).toBe('20');
    expect(rateOf({ total_tax: '1.80', subtotal_tax: '1.80', taxes: [{ id: 2, total: '1.8', subtotal: '1.8' }] })).toBe('9');
    expect(rateOf({ total_tax: '5.10' }, { tax_lines: [{ rate_id: '1', rate_percent: '25.50' }] })).toBe('25.5');
  });

  test('is 0 for an untaxed line', () => {
    const untaxed = { total_tax: '0.00', subtotal_tax: '0.00' };

    expect(rateOf({ ...untaxed, taxes: [] })).toBe('0');
    expect(rateOf({ ...untaxed, total_tax: null, subtotal_tax: undefined, taxes: null })).toBe('0');
    expect(rateOf({ ...untaxed, taxes: [{ id: 1, total: '', subtotal: '' }] })).toBe('0');
  });

  test('is the charged one of several, the others being nothing', () => {
    expect(
      rateOf({
        taxes: [
          { id: 2, total: '0' },
          { id: 1, total: '4.00', subtotal: '4.00' },
        ],
      }),
    ).toBe('20');
  });

  test('is 0 for several taxes of 0 %', () => {
    const tax_lines = [
      { rate_id: 3, rate_percent: 0 },
      { rate_id: 4, rate_percent: 0 },
    ];

    expect(
      rateOf(
        {
          total_tax: '0.00',
          taxes: [
            { id: 3, total: '0.00' },
            { id: 4, total: '0.00' },
          ],
        },
        { tax_lines },
      ),
    ).toBe('0');
  });

  test('may be a cent or two off', () => {
    expect(rateOf({ total: '2.00', total_tax: '0.39', taxes: [{ id: 1, total: '0.39' }] })).toBe('20');
    expect(rateOf({ total: '0.02', total_tax: '0.00', taxes: [{ id: 1, total: '0' }] })).toBe('20');
  });

  test('live 9: is the named one in a shop without decimals, where whole amounts are shown', () => {
    const whole = { total: '3', total_tax: '1', subtotal: '3', subtotal_tax: '1', taxes: [{ id: 1, total: '1', subtotal: '1' }] };

    expect(rateOf(whole, { total: '4' })).toBe('20');
    expect(rateOf({ ...whole, total_tax: '0', taxes: [{ id: 1, total: '0', subtotal: '1' }] }, { total: '3' })).toBe('20');
    expect(rateOf({ ...whole, total: '30' }, { total: '31' })).toEqual(unclear);
    expect(rateOf({ ...whole, total: '3.00', total_tax: '1.00' }, { total: '4.00' })).toEqual(unclear);
  });

  test('live 9: is the named one in shops of three and four decimals', () => {
    expect(rateOf({ total: '8.325', total_tax: '1.665', taxes: [{ id: 1, total: '1.665' }] }, { total: '9.990' })).toBe('20');
    expect(rateOf({ total: '8.3251', total_tax: '1.6649', taxes: [{ id: 1, total: '1.6649' }] }, { total: '9.9900' })).toBe('20');
  });

  test.each([
    [
      'two taxes at once',
      {
        taxes: [
          { id: 1, total: '4.00' },
          { id: 2, total: '1.80' },
        ],
      },
    ],
    [
      'two taxes before a coupon took all',
      {
        total: '0.00',
        total_tax: '0.00',
        taxes: [
          { id: 1, total: '0', subtotal: '4.00' },
          { id: 2, total: '0', subtotal: '1.80' },
        ],
      },
    ],
    ['a rate that the order does not list', { taxes: [{ id: 9, total: '4.00' }] }],
    ['a tax without taxes', { taxes: [] }],
    ['a tax before a coupon, without taxes', { total: '0.00', total_tax: '0.00', taxes: [] }],
    ['a tax that its rate does not explain', { total_tax: '0.00', taxes: [{ id: 1, total: '0.00' }] }],
  ])('is unclear with %s', (_what, values) => {
    expect(rateOf(values)).toEqual(unclear);
  });

  test.each([[null], [-20]])('is unclear where the order lists it as %j', (rate_percent) => {
    expect(rateOf({}, { tax_lines: [{ rate_id: 1, rate_percent }] })).toEqual(unclear);
  });
});
