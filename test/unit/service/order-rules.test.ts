import { describe, expect, test } from 'vitest';
import { VAT_GROUPS } from '../../../src/contract/order-dto.ts';
import type { RecordLine, TaxRecord } from '../../../src/contract/record.ts';
import { sofiaDay } from '../../../src/service/law/calendar.ts';
import { vatRateOn } from '../../../src/service/law/vat-rates.ts';
import { orderErrors } from '../../../src/service/orders/order-rules.ts';

const TODAY = '2026-11-20';
const line: RecordLine = { name: 'Плат', quantity: 1, price: '10.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' };

function order(changes: Partial<TaxRecord>): TaxRecord {
  return {
    internalId: '1',
    internalNumber: '#1',
    internalCreatedAt: '2026-11-20T10:15:00+02:00',
    lineItems: [line],
    paymentType: 'OTHER',
    paymentProcessorName: null,
    transactionId: null,
    precision: 2,
    currency: 'EUR',
    ...changes,
  };
}

describe('a discount', () => {
  test.each([
    { quantity: 1, price: '10.00', discount: '10.00' },
    { quantity: 0.125, price: '10.00', discount: '1.25' },
    { quantity: 3, price: '0.10', discount: '0.30' },
  ])('may be all of it: %j', (changes) => {
    expect(orderErrors(order({ lineItems: [{ ...line, ...changes }] }), TODAY)).toEqual([]);
  });

  test.each([
    { quantity: 1, price: '10.00', discount: '10.01' },
    { quantity: 0.125, price: '10.00', discount: '1.26' },
    { quantity: 3, price: '0.10', discount: '0.31' },
  ])('may not be more: %j', (changes) => {
    expect(orderErrors(order({ lineItems: [{ ...line, ...changes }] }), TODAY)).toMatchObject([{ path: 'lineItems[0].discount' }]);
  });
});

describe('the day of an order is the day in Bulgaria', () => {
  test.each([
    ['2026-11-20T21:59:59Z', '2026-11-20'],
    ['2026-11-20T22:00:00Z', '2026-11-21'],
    ['2026-07-20T21:00:00.000Z', '2026-07-21'],
    ['2026-12-31T23:30:00-05:00', '2027-01-01'],
    ['2026-11-20T23:59:59', '2026-11-20'],
    ['2026-11-20T10:15:00+02:00', '2026-11-20'],
  ])('%s is %s', (timestamp, day) => {
    expect(sofiaDay(timestamp)).toBe(day);
  });
});

describe('VAT rates', () => {
  test('every group has a rate today', () => {
    expect(VAT_GROUPS.map((group) => vatRateOn(group, '2026-11-20'))).toEqual(['0', '20', '20', '9']);
  });

  test('the reduced rate began on a day', () => {
    expect([vatRateOn('GROUP_D', '2011-03-31'), vatRateOn('GROUP_D', '2011-04-01')]).toEqual([undefined, '9']);
  });
});

test('all errors are returned at once', () => {
  const lineItems = [
    { ...line, vatRate: '9' },
    { ...line, discount: '99.00' },
  ];

  expect(orderErrors(order({ currency: 'QQQ', lineItems }), TODAY).map(({ path }) => path)).toEqual([
    'currency',
    'lineItems[0].vatRate',
    'lineItems[1].discount',
  ]);
});

test('a sum that JSON can’t represent exactly is refused', () => {
  const many = (quantity: number) => order({ lineItems: [{ ...line, price: '999999999.99', quantity }] });

  expect(orderErrors(many(100), TODAY)).toEqual([]);
  expect(orderErrors(many(101), TODAY)).toMatchObject([{ path: 'lineItems' }]);
});
