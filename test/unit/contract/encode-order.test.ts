import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeOrder, encodeAmount, encodeOrder, encodeRate, PAYMENT_TYPES, toDto, VAT_GROUPS } from '../../../src/contract/order-dto.ts';
import type { Customer, TaxRecord } from '../../../src/contract/record.ts';
import { isVisible } from '../../../src/contract/text.ts';
import { runs } from '../../support/run-size.ts';

const shopId = '3f0c5b0e-8a54-4c07-9d2e-6a1f5f0c7b11';

const record: TaxRecord = {
  internalId: '5001',
  internalNumber: '#1042',
  internalCreatedAt: '2026-11-20T10:15:00+02:00',
  lineItems: [
    { name: 'Чаша', quantity: 3, price: '12.90', discount: '1.05', vatRate: '20', vatGroup: 'GROUP_B' },
    { name: 'Sauna', quantity: 1, price: '19.99', discount: '0.00', vatRate: '25.5', vatGroup: 'GROUP_D' },
  ],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: 'Stripe',
  transactionId: 'pi_1',
  precision: 2,
  currency: 'EUR',
};

// A create of unknown outcome is repeated under its key by whatever release runs then: one that writes other bytes must write open steps as before.
test('decimal amounts and percent are written as the shortest exact JSON numbers', () => {
  const body = encodeOrder({ record, customer: { email: 'a@shop.example' }, shopId, dialect: { amounts: 'decimal', vatRate: 'percent' } });

  expect(body).toBe(
    '{"internalId":"5001","internalNumber":"#1042","internalCreatedAt":"2026-11-20T10:15:00+02:00","customer":{"email":"a@shop.example"},' +
      '"lineItems":[{"name":"Чаша","quantity":3,"price":12.9,"discount":1.05,"vatRate":20,"vatGroup":"GROUP_B"},' +
      '{"name":"Sauna","quantity":1,"price":19.99,"discount":0,"vatRate":25.5,"vatGroup":"GROUP_D"}],' +
      `"paymentType":"PAYMENT_PROCESSOR","paymentProcessorName":"Stripe","transactionId":"pi_1","precision":2,"currency":"EUR","shopId":"${shopId}"}`,
  );
});

test('minor amounts are whole numbers, fractions carry no float noise', () => {
  const { lineItems } = JSON.parse(encodeOrder({ record, customer: null, shopId, dialect: { amounts: 'minor', vatRate: 'fraction' } }));

  expect(lineItems).toMatchObject([
    { price: 1290, discount: 105, vatRate: 0.2 },
    { price: 1999, discount: 0, vatRate: 0.255 },
  ]);
});

test.each([
  ['1.15', 2, 115],
  ['19.99', 2, 1999],
  ['4.35', 2, 435],
  ['1050', 0, 1050],
  ['0.07', 2, 7],
  ['1.001', 3, 1001],
  ['999999999.99', 2, 99_999_999_999],
])('%s at precision %i is %i minor units', (value, precision, minor) => {
  expect(encodeAmount(value, precision, 'minor')).toBe(minor);
});

test.each([
  ['20', '0.2'],
  ['9', '0.09'],
  ['0', '0'],
  ['25.5', '0.255'],
  ['7.7', '0.077'],
  ['100', '1'],
])('%s percent is the fraction %s', (percent, fraction) => {
  expect(JSON.stringify(encodeRate(percent, 'fraction'))).toBe(fraction);
});

test('an amount with more decimals than the precision is never rounded', () => {
  expect(() => encodeAmount('1.005', 2, 'decimal')).toThrow('1.005 has more than 2 decimals');
  expect(encodeAmount('1.500', 1, 'decimal')).toBe(1.5);
});

describe('absent values are left out', () => {
  test('no customer, no processor, no transaction', () => {
    const dto = toDto({ ...record, paymentProcessorName: null, transactionId: null }, null, shopId);

    expect(Object.keys(dto)).toEqual(['internalId', 'internalNumber', 'internalCreatedAt', 'lineItems', 'paymentType', 'precision', 'currency', 'shopId']);
  });

  test('a customer without any details is left out', () => {
    expect(toDto(record, { email: '' }, shopId)).not.toHaveProperty('customer');
  });
});

describe('what a buyer typed never refuses a record', () => {
  test.each<[string, Customer, Customer | undefined]>([
    [
      'four telephone numbers',
      { phone: '0888 123 456 / 0899 654 321 / 02 987 65 43 / 032 641 234' },
      { phone: '0888 123 456 / 0899 654 321 / 02 987 65 43 / 032 6' },
    ],
    ['a cut through a character', { phone: `${'1'.repeat(49)}😀` }, { phone: '1'.repeat(49) }],
    ['a control character', { firstName: 'Мария\u000bИванова' }, { firstName: 'Мария Иванова' }],
    ['half a character', { lastName: 'Ива\ud83d' }, { lastName: 'Ива\ufffd' }],
    ['a long name', { lastName: 'я'.repeat(300) }, { lastName: 'я'.repeat(255) }],
    ['an address that can’t be one: too long', { email: `${'a'.repeat(250)}@x.bg`, phone: '1' }, { phone: '1' }],
    ['an address that can’t be one: unwritable', { email: 'a\u0000@x.bg' }, undefined],
  ])('%s', (_what, typed, sent) => {
    const dto = toDto(record, typed, shopId);

    expect(dto.customer).toEqual(sent);
    expect(decodeOrder(dto, { amounts: 'decimal', vatRate: 'percent' })).toMatchObject({ ok: true });
  });
});

const money = fc.bigInt({ min: 0n, max: 99_999_999_999n }).map((minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`);
const rate = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => String(hundredths / 100));
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(isVisible);
const line = fc.record({
  name: word,
  quantity: fc.integer({ min: 1, max: 5000 }),
  price: money,
  discount: money,
  vatRate: rate,
  vatGroup: fc.constantFrom(...VAT_GROUPS),
});
const anyRecord: fc.Arbitrary<TaxRecord> = fc.record({
  internalId: word,
  internalNumber: word,
  internalCreatedAt: fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }).map((date) => date.toISOString()),
  lineItems: fc.array(line, { minLength: 1, maxLength: 6 }),
  paymentType: fc.constantFrom(...PAYMENT_TYPES),
  paymentProcessorName: fc.option(word),
  transactionId: fc.option(word),
  precision: fc.constant(2),
  currency: fc.constantFrom('BGN', 'EUR', 'USD'),
});
const anyCustomer: fc.Arbitrary<Customer | null> = fc.option(fc.record({ email: word, phone: word, firstName: word, lastName: word }));
const anyDialect = fc.record({ amounts: fc.constantFrom('decimal', 'minor'), vatRate: fc.constantFrom('percent', 'fraction') });

const typed = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 400 }));

test('no buyer makes a record unreadable, and every repeat has the same bytes', () => {
  fc.assert(
    fc.property(fc.record({ email: typed, phone: typed, firstName: typed, lastName: typed }), (customer) => {
      const body = encodeOrder({ record, customer, shopId, dialect: { amounts: 'decimal', vatRate: 'percent' } });
      const decoded = decodeOrder(JSON.parse(body), { amounts: 'decimal', vatRate: 'percent' });

      expect(decoded).toMatchObject({ ok: true });
      if (decoded.ok) expect(encodeOrder({ ...decoded.order, dialect: { amounts: 'decimal', vatRate: 'percent' } })).toBe(body);
    }),
    { numRuns: runs(200, 500) },
  );
});

test('any order is decoded exactly as it was encoded, in every dialect', () => {
  fc.assert(
    fc.property(anyRecord, anyCustomer, anyDialect, (anyOne, customer, dialect) => {
      const body = encodeOrder({ record: anyOne, customer, shopId, dialect });

      expect(decodeOrder(JSON.parse(body), dialect)).toEqual({ ok: true, order: { record: anyOne, customer, shopId } });
    }),
    { numRuns: runs(200, 500) },
  );
});
