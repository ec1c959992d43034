import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { parseMoney, sum } from '../../../../src/contract/money.ts';
import { sofiaTime } from '../../../../src/service/law/calendar.ts';
import { documentOf, saleWith, seller } from '../../../support/samples/sample-sale.ts';

const published = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1672', publishedOn: '2026-11-20', source: 'BNB' } as const;

test('the document has everything that art. 52о requires', () => {
  expect(documentOf(saleWith(), seller)).toEqual({
    number: '0000000123',
    date: '2026-11-21',
    edition: 1,
    replaces: null,
    english: false,
    seller,
    orderNumber: '#1042',
    soldOn: '2026-11-21',
    soldAt: '00:15:33',
    transaction: 'pi_1',
    lines: [
      { name: 'Чаша', group: 'Б', quantity: 3, price: '12.90', discount: '1.05', value: '37.65' },
      { name: 'Книга', group: 'Г', quantity: 1, price: '21.80', discount: '0.00', value: '21.80' },
    ],
    currency: 'EUR',
    total: '59.45',
    beforeDiscount: '60.50',
    discount: '1.05',
    vat: '8.08',
    groups: [
      { group: 'Б', rate: '20', net: '31.37', vat: '6.28', gross: '37.65' },
      { group: 'Г', rate: '9', net: '20.00', vat: '1.80', gross: '21.80' },
    ],
    payment: 'доставчик на платежни услуги',
    processor: 'Stripe',
    equivalents: [],
    qr: 'RF0000123*#1042*pi_1*2026-11-21*00:15:33*59.45',
  });
});

test.each([
  ['2026-07-01T21:05:09Z', '00:05:09'],
  ['2026-11-20T10:15:00+02:00', '10:15:00'],
  ['2026-11-20T10:15:07.250', '10:15:07'],
  ['2026-11-20T10:15', '10:15:00'],
])('%s is %s in Bulgaria', (timestamp, time) => {
  expect(sofiaTime(timestamp)).toBe(time);
});

describe('the QR code', () => {
  test('has an underscore for an asterisk within a field, and no line breaks', () => {
    const { qr } = documentOf(saleWith({ internalNumber: 'A*1', transactionId: 'x*\ny' }), { ...seller, nraNumber: 'R*1' });

    expect(qr).toBe('R_1*A_1*x_ y*2026-11-21*00:15:33*59.45');
  });

  test('leaves the transaction empty where there is none', () => {
    expect(documentOf(saleWith({ transactionId: null }), seller).qr).toBe('RF0000123*#1042**2026-11-21*00:15:33*59.45');
  });

  const one = (price: string) => [{ name: 'Чай', quantity: 1, price, discount: '0', vatRate: '20', vatGroup: 'GROUP_B' }];
  test.each([
    { currency: 'JPY', precision: 0, price: '1500', declared: null, amount: '1500.00' },
    { currency: 'JPY', precision: 0, price: '1500', declared: '8.21', amount: '8.21' },
    { currency: 'KWD', precision: 3, price: '1.235', declared: null, amount: '1.24' },
    { currency: 'EUR', precision: 0, price: '13', declared: '13', amount: '13.00' },
    { currency: 'EUR', precision: 1, price: '13.5', declared: '13.5', amount: '13.50' },
  ])('says the declared amount with two decimals: $price $currency, declared $declared, is $amount', ({ currency, precision, price, declared, amount }) => {
    const accounting = { currency: 'EUR', total: declared, vat: declared === null ? null : '1', exchange: null };

    expect(documentOf(saleWith({ currency, precision, lineItems: one(price) }, { accounting }), seller).qr).toMatch(new RegExp(`\\*${amount}$`));
  });
});

describe('the total in another currency', () => {
  test('is by the central bank’s rate where prices are foreign', () => {
    const accounting = { currency: 'EUR', total: '50.93', vat: '6.92', exchange: published };

    expect(documentOf(saleWith({ currency: 'USD' }, { accounting }), seller).equivalents).toEqual([
      { by: 'published', currency: 'EUR', total: '50.93', vat: '6.92', exchange: published },
    ]);
  });

  test('is awaited while that rate is not known', () => {
    const accounting = { currency: 'EUR', total: null, vat: null, exchange: null };

    expect(documentOf(saleWith({ currency: 'USD' }, { accounting }), seller).equivalents).toEqual([{ by: 'awaited', currency: 'EUR' }]);
  });

  test('is by the fixed rate where leva are declared in euro', () => {
    const accounting = { currency: 'EUR', total: '30.40', vat: '4.13', exchange: null };

    expect(documentOf(saleWith({ currency: 'BGN' }, { accounting }), seller).equivalents).toEqual([
      { by: 'fixed', currency: 'EUR', total: '30.40', vat: '4.13' },
    ]);
  });

  test.each([
    ['2025-08-07', 'BGN', []],
    ['2025-08-08', 'BGN', [{ by: 'fixed', currency: 'EUR', total: '30.40', vat: null }]],
    ['2026-08-08', 'EUR', [{ by: 'fixed', currency: 'BGN', total: '116.27', vat: null }]],
    ['2026-08-09', 'EUR', []],
    ['2026-03-01', 'USD', []],
  ])('is shown beside it in the time of dual display: %s in %s', (documentDate, currency, equivalents) => {
    const accounting = { currency, total: '59.45', vat: '8.08', exchange: null };

    expect(documentOf(saleWith({ currency }, { documentDate, accounting }), seller).equivalents).toEqual(equivalents);
  });
});

describe('D17: a sale that was declared in leva in 2025, replaced by an order in euro in 2027,', () => {
  const accounting = { currency: 'BGN', total: '116.27', vat: '15.80', exchange: null };
  const sale = saleWith({}, { documentDate: '2025-12-30', edition: 2, accounting });

  test('has the amount of its total in the QR code, and nothing in leva', () => {
    const document = documentOf(sale, seller, { issuedOn: '2027-03-01' });

    expect(document).toMatchObject({ total: '59.45', currency: 'EUR', equivalents: [] });
    expect(document.qr).toMatch(/\*59\.45$/);
  });

  test('issued while leva were the currency, it is in leva beside the euro', () => {
    const document = documentOf(sale, seller, { issuedOn: '2025-12-30' });

    expect(document.equivalents).toEqual([{ by: 'fixed', currency: 'BGN', total: '116.27', vat: '15.80' }]);
    expect(document.qr).toMatch(/\*116\.27$/);
  });

  test('dual display ends with its law, whenever the number was given', () => {
    expect(documentOf(sale, seller, { issuedOn: '2026-08-08' }).equivalents).toMatchObject([{ currency: 'BGN', total: '116.27' }]);
    expect(documentOf(sale, seller, { issuedOn: '2026-08-09' }).equivalents).toEqual([]);
  });
});

const RATES: Readonly<Record<string, string>> = { GROUP_A: '0', GROUP_B: '20', GROUP_C: '20', GROUP_D: '9' };
const line = fc
  .record({
    quantity: fc.integer({ min: 1, max: 5_000 }),
    cents: fc.integer({ min: 0, max: 100_000 }),
    off: fc.integer({ min: 0, max: 100 }),
    vatGroup: fc.constantFrom(...Object.keys(RATES)),
  })
  .map(({ quantity, cents, off, vatGroup }) => ({
    name: 'Стока',
    quantity: quantity / 1000,
    price: (cents / 100).toFixed(2),
    discount: (Math.floor((((cents * quantity) / 1000) * off) / 100) / 100).toFixed(2),
    vatRate: RATES[vatGroup] ?? '',
    vatGroup,
  }));

test.each([
  [2, '22.83'],
  [1, '22.83'],
  [0, '22.83'],
])('D12: with %i decimals the VAT is that which is declared', (precision, vat) => {
  const cup = { name: 'Чаша', quantity: 1, discount: '0', vatRate: '20', vatGroup: 'GROUP_B' };
  const lineItems = ['100', '37'].map((price) => ({ ...cup, price }));

  expect(documentOf(saleWith({ precision, lineItems }), seller)).toMatchObject({ vat, groups: [{ net: '114.17', vat, gross: '137.00' }] });
});

property.prop([fc.array(line, { minLength: 1, maxLength: 20 })])('tax groups together are the order, and lines together are its total', (lineItems) => {
  const { groups, lines, total, vat } = documentOf(saleWith({ lineItems }), seller);
  const added = (amounts: string[]) => sum(amounts.map((amount) => parseMoney(amount, 2) ?? 0n));

  expect(added(groups.map(({ gross }) => gross))).toBe(parseMoney(total, 2));
  expect(added(groups.map((group) => group.vat))).toBe(parseMoney(vat, 2));
  expect(added(groups.flatMap(({ net, vat: tax }) => [net, tax]))).toBe(parseMoney(total, 2));
  expect(added(lines.map(({ value }) => value))).toBe(parseMoney(total, 2));
});
