import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, parseMoney } from '../../../../src/contract/money.ts';
import type { RecordLine } from '../../../../src/contract/record.ts';
import type { AuditArticle } from '../../../../src/service/audit/audit-file.ts';
import { articlesOf } from '../../../../src/service/audit/file/audit-order-of.ts';
import { articleAmounts, articleRemarks } from '../../../../src/service/audit/format/audit-checks.ts';
import { declaredAmounts, type LineAmounts } from '../../../../src/service/rates/declared-amounts.ts';
import { runs } from '../../../support/run-size.ts';

const line = (changes: Partial<RecordLine> = {}): RecordLine => ({
  name: 'Чаша',
  quantity: 1,
  price: '10.00',
  discount: '0.00',
  vatRate: '20',
  vatGroup: 'GROUP_B',
  ...changes,
});
const cents = (amount: string): bigint => parseMoney(amount, 2) ?? -1n;
const amountsOf = (lineItems: RecordLine[], { precision = 2 }: { precision?: number } = {}): readonly LineAmounts[] =>
  declaredAmounts({ currency: 'EUR', precision, lineItems }, { to: 'EUR', rate: null })?.lines ?? [];
const rowsOf = (of: RecordLine, precision = 2) => articlesOf(of, amountsOf([of], { precision })[0]);
const brief = (of: RecordLine) => rowsOf(of).map(({ quantity, price, vat, sum }) => [quantity, price, vat, sum]);

describe('a line as rows of the file', () => {
  test.each<[string, Partial<RecordLine>, string[][]]>([
    ['that divides is one row', { quantity: 3, price: '12.90' }, [['3.00', '10.75', '6.45', '38.70']]],
    [
      'that does not divide is two',
      { quantity: 3, price: '9.99' },
      [
        ['2.00', '8.32', '3.33', '19.97'],
        ['1.00', '8.33', '1.67', '10.00'],
      ],
    ],
    ['shows prices after discount', { quantity: 2, price: '12.00', discount: '12.00' }, [['2.00', '5.00', '2.00', '12.00']]],
    ['that is given away keeps its row', { quantity: 2, price: '12.00', discount: '24.00' }, [['2.00', '0.00', '0.00', '0.00']]],
    ['without VAT', { price: '10.00', vatRate: '0', vatGroup: 'GROUP_A' }, [['1.00', '10.00', '0.00', '10.00']]],
    ['of half a piece that comes out even', { quantity: 0.5, price: '12.00' }, [['0.50', '10.00', '1.00', '6.00']]],
  ])('%s', (_, changes, rows) => {
    expect(brief(line(changes))).toEqual(rows);
  });

  test('whose quantity can’t be written has it in the name', () => {
    const articles = rowsOf(line({ name: 'Сирене', quantity: 1.125, price: '12.00' }));

    expect(articles).toEqual([{ name: '1,125 × Сирене', quantity: '1.00', price: '11.25', vatRate: 20, vat: '2.25', sum: '13.50' }]);
  });

  test.each<[string, Partial<RecordLine>, AuditArticle]>([
    [
      '3 × 0.01, one cent fewer than pieces',
      { quantity: 3, price: '0.01' },
      { name: '3 × Чаша', quantity: '1.00', price: '0.02', vatRate: 20, vat: '0.01', sum: '0.03' },
    ],
    ['1000 × 0.01', { quantity: 1000, price: '0.01' }, { name: '1000 × Чаша', quantity: '1.00', price: '8.33', vatRate: 20, vat: '1.67', sum: '10.00' }],
    [
      'that were discounted to less than a cent each',
      { quantity: 500, price: '1.00', discount: '499.00' },
      { name: '500 × Чаша', quantity: '1.00', price: '0.83', vatRate: 20, vat: '0.17', sum: '1.00' },
    ],
  ])('service F11: cheap bulk pieces are not shown at 0.00: %s', (_, changes, row) => {
    expect(rowsOf(line(changes))).toEqual([row]);
  });

  const money = (most: number) => fc.integer({ min: 0, max: most });
  const anyLine = fc
    .record({
      cents: money(50_000),
      quantity: fc.integer({ min: 1, max: 40_000 }),
      whole: fc.boolean(),
      share: fc.integer({ min: 0, max: 100 }),
      vatRate: fc.constantFrom('0', '9', '20'),
    })
    .map(({ cents: price, quantity, whole, share, vatRate }) => {
      const count = whole ? Math.ceil(quantity / 1000) : quantity / 1000;
      const gross = (BigInt(price) * BigInt(Math.round(count * 1000))) / 1000n;
      return line({ quantity: count, price: formatMoney(BigInt(price), 2), discount: formatMoney((gross * BigInt(share)) / 100n, 2), vatRate });
    });

  test('adds up, row by row and as a whole, keeps whole quantities, and no rule is broken', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 6 }), (lines) => {
        const amounts = amountsOf(lines);
        for (const [i, one] of lines.entries()) {
          const articles = articlesOf(one, amounts[i]);

          for (const row of articles) expect(inCents(row)).toBe(cents(row.sum) * 100n);
          expect(total(articles, 'vat')).toBe(amounts[i]?.vat);
          expect(total(articles, 'sum')).toBe(amounts[i]?.gross);
          const isNamed = articles[0]?.name !== one.name;
          if (Number.isInteger(one.quantity) && !isNamed) expect(total(articles, 'quantity')).toBe(BigInt(one.quantity) * 100n);
          const isFree = amounts[i]?.gross === amounts[i]?.vat;
          expect(articles.filter(({ price }) => price === '0.00' && !isFree)).toEqual([]);
          expect(articles.filter((row) => !isWithinACent(row))).toEqual([]);
          expect(articles.flatMap(remarks)).toEqual([]);
        }
      }),
      { numRuns: runs(200, 1_000) },
    );
  });

  test('shares the cent that the split of the order’s VAT leaves it between its rows', () => {
    const vats = (quantity: number, amounts: LineAmounts) => articlesOf(line({ quantity }), amounts).map(({ vat }) => vat);

    expect(vats(3, { gross: 2997n, vat: 500n })).toEqual(['3.33', '1.67']);
    expect(vats(2, { gross: 7n, vat: 2n })).toEqual(['0.01', '0.01']);
    expect(vats(4, { gross: 17n, vat: 2n })).toEqual(['0.00', '0.02']);
    expect(vats(4, { gross: 5n, vat: 0n })).toEqual(['0.00', '0.00']);
  });

  test('without amounts is an error', () => {
    expect(() => articlesOf(line(), undefined)).toThrow('no amounts');
  });

  test('of an order in whole euro has the VAT of what was paid', () => {
    const articles = rowsOf(line({ price: '10' }), 0);

    expect(articles).toEqual([{ name: 'Чаша', quantity: '1.00', price: '8.33', vatRate: 20, vat: '1.67', sum: '10.00' }]);
  });
});

// Quantity × price + VAT, in ten-thousandths.
function inCents({ quantity, price, vat }: AuditArticle): bigint {
  return cents(quantity) * cents(price) + cents(vat) * 100n;
}

function total(articles: readonly AuditArticle[], field: 'vat' | 'sum' | 'quantity'): bigint {
  return sum(articles.map((row) => cents(row[field])));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, one) => all + one, 0n);
}

function remarks(row: AuditArticle): unknown[] {
  const seen = { ...row, name: 'Чаша' };
  return articleRemarks({ article: seen, amounts: articleAmounts(seen), index: 0, discounted: false });
}

// Its VAT is not below zero, and a cent off the VAT in its sum at most.
function isWithinACent({ vat, sum: gross, vatRate }: AuditArticle): boolean {
  const off = cents(vat) * BigInt(100 + vatRate) - cents(gross) * BigInt(vatRate);
  return cents(vat) >= 0n && off <= BigInt(100 + vatRate) && off >= -BigInt(100 + vatRate);
}
