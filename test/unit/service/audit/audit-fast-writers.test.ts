import { fc, test as property } from '@fast-check/vitest';
import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { formatMoney, parseMoney } from '../../../../src/contract/money.ts';
import type { AuditArticle, AuditOrder } from '../../../../src/service/audit/audit-file.ts';
import { AuditValidator, validateBlock } from '../../../../src/service/audit/format/audit-validator.ts';
import { encodeText } from '../../../../src/service/audit/format/windows-1251.ts';
import { type CsvOrder, csvOrder } from '../../../../src/service/audit/summary/csv-columns.ts';
import { runs } from '../../../support/run-size.ts';
import { earlierOrder, earlierRows } from '../../../support/samples/earlier-writers.ts';
import { firstOrder, header, written } from './audit-samples.ts';

const cents = fc.bigInt({ min: -(10n ** 7n), max: 10n ** 12n });
const money = cents.map((minor) => formatMoney(minor, 2));
const PIECES = [
  'Чаша ',
  '„Родопи“',
  '=1+1',
  ', ',
  ';-',
  '"',
  '&',
  '<b>',
  '\n',
  '\r',
  '\t',
  ' ',
  '👕',
  '日本',
  '№5 €',
  '\u0098',
  '\u0000',
  '\uD800',
  '\uFFFE',
  '＝',
  'ђ',
];
const text = fc.oneof(
  fc.array(fc.constantFrom(...PIECES), { maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constant('Дълго име: ').map((one) => one.repeat(40)),
);
const day = fc.integer({ min: 1, max: 31 }).map((date) => `2026-10-${String(date).padStart(2, '0')}`);
const article: fc.Arbitrary<AuditArticle> = fc.record({
  name: text,
  quantity: money,
  price: money,
  vatRate: fc.constantFrom(0, 9, 20),
  vat: money,
  sum: money,
});
const maybe = fc.option(text);
const order: fc.Arbitrary<AuditOrder> = fc.record({
  number: text,
  orderedOn: day,
  documentNumber: fc.integer({ min: 1, max: 10 ** 9 }).map((n) => String(n).padStart(10, '0')),
  documentedOn: day,
  articles: fc.array(article, { minLength: 1, maxLength: 4 }),
  ...{ net: money, discount: money, vat: money, total: money },
  payment: fc.integer({ min: 1, max: 7 }),
  ...{ posNumber: maybe, transaction: maybe, processor: maybe },
});
const rate = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.0842', publishedOn: '2026-10-02', source: 'BNB' } as const;
const month = fc.array(fc.tuple(order, fc.option(money)), { minLength: 1, maxLength: 12 });

describe('of random months the fast ways write what the first ones did', () => {
  property.prop([month], { numRuns: runs(100, 300) })('the file, byte by byte', async (rows) => {
    const orders = rows.map(([one]) => one);
    const { bytes } = await written({ orders, returns: [] });
    const from = bytes.indexOf('<order>\n') + '<order>\n'.length;
    expect(bytes.subarray(from, bytes.lastIndexOf('</order>')).equals(Buffer.concat(orders.map(earlierOrder)))).toBe(true);
  });

  property.prop([month], { numRuns: runs(100, 300) })('the CSV', (rows) => {
    for (const [one, total] of rows) {
      const listed: CsvOrder = { ...one, foreign: total === null ? null : { total, rate } };
      expect(csvOrder(listed, 'EUR')).toBe(earlierRows(listed, 'EUR'));
    }
  });

  test('windows-1251, each character but the one that iconv has for bytes without a character', () => {
    const all = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit)).filter((one) => one.isWellFormed() && one !== '\uFFFD');
    expect(all.filter((one) => !encodeText(one).equals(iconv.encode(one, 'windows-1251')))).toEqual([]);
  });
});

describe('money of two decimals, which is read and written without bigint arithmetic', () => {
  const slow = (minor: bigint): string => {
    const digits = String(minor < 0n ? -minor : minor).padStart(3, '0');
    return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  };

  property.prop([fc.oneof(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.bigInt({ min: -1000n, max: 1000n }))], { numRuns: runs(300, 2_000) })(
    'is exact',
    (minor) => {
      expect(formatMoney(minor, 2)).toBe(slow(minor));
      expect(parseMoney(slow(minor), 2)).toBe(minor);
    },
  );

  test.each([10n ** 13n - 1n, 10n ** 14n - 1n, 10n ** 15n - 1n, 10n ** 15n, 99n, 100n, 0n])('%s, too', (minor) => {
    expect(formatMoney(minor, 2)).toBe(slow(minor));
    expect(parseMoney(slow(minor), 2)).toBe(minor);
  });
});

test('a problem is of the order whose line it is on, although names may have several lines', () => {
  using validator = new AuditValidator();
  const [good, bad] = [
    { ...firstOrder, number: 'A\nB\n\nC' },
    { ...firstOrder, number: '#bad', payment: 9 },
  ];
  const findings = validateBlock(validator, {
    header,
    orders: [good, bad, good],
    returns: [{ number: '#back', amount: '1.00', returnedOn: '2026-10-20', way: 8 }],
  });
  expect(findings.map(({ order: of }) => of)).toEqual(['#bad', '#back']);
});
