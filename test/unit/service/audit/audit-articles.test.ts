import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatMoney, parseMoney } from '../../../../src/contract/money.ts';
import type { RecordLine } from '../../../../src/contract/record.ts';
import { totalsOf } from '../../../../src/contract/totals.ts';
import type { AuditArticle } from '../../../../src/service/audit/audit-file.ts';
import { articlesOf } from '../../../../src/service/audit/file/articles-of.ts';
import { lineAmounts } from '../../../../src/service/audit/file/line-amounts.ts';
import { accountingLines } from '../../../../src/service/rates/accounting-lines.ts';

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
const brief = (of: RecordLine) => articlesOf(of, 2).articles.map(({ quantity, price, vat, sum }) => [quantity, price, vat, sum]);

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
    const { articles } = articlesOf(line({ name: 'Сирене', quantity: 1.125, price: '12.00' }), 2);

    expect(articles).toEqual([{ name: '1,125 × Сирене', quantity: '1.00', price: '11.25', vatRate: 20, vat: '2.25', sum: '13.50' }]);
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

  test('adds up, row by row and as a whole, and keeps whole quantities', () => {
    fc.assert(
      fc.property(anyLine, (one) => {
        const { articles, amounts } = articlesOf(one, 2);

        for (const row of articles) expect(inCents(row)).toBe(cents(row.sum) * 100n);
        expect(total(articles, 'vat')).toBe(amounts.vat);
        expect(total(articles, 'sum')).toBe(amounts.gross);
        if (Number.isInteger(one.quantity)) expect(total(articles, 'quantity')).toBe(BigInt(one.quantity) * 100n);
        for (const { vat, price, quantity, vatRate } of articles) {
          const net = Number(price) * Number(quantity);
          expect(Math.abs(Number(vat) - (net * vatRate) / 100)).toBeLessThanOrEqual(0.011 + 0.005 * Number(quantity));
        }
      }),
    );
  });

  test('has the amounts of the calculation rules', () => {
    fc.assert(
      fc.property(anyLine, (one) => {
        const [shown] = totalsOf({ lines: [{ ...one, quantity: String(one.quantity) }], precision: 2 }).lines;
        const { gross, vat } = lineAmounts(one, 2);

        expect([formatMoney(gross, 2), formatMoney(vat, 2)]).toEqual([shown?.subtotal, shown?.subtotalVat]);
      }),
    );
  });

  test('sums up to the order’s accounting sums, also for orders in whole euro, whose VAT is declared to the cent', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 5 }), fc.constantFrom(0, 1, 2), (lines, precision) => {
        const cut = (amount: string): string => formatMoney(cents(amount) / 10n ** BigInt(2 - precision), precision);
        const lineItems = lines.map((one) => ({ ...one, price: cut(one.price), discount: cut('0.00') }));
        const declared = accountingLines({ currency: 'EUR', precision, lineItems }, { to: 'EUR', rate: null });
        const amounts = (declared?.lines ?? []).map((one) => lineAmounts(one, precision));

        expect(formatMoney(sum(amounts.map(({ gross }) => gross)), 2)).toBe(declared?.total);
        expect(formatMoney(sum(amounts.map(({ vat }) => vat)), 2)).toBe(declared?.vat);
        for (const { gross, vat, net } of amounts) expect(gross).toBe(net + vat);
      }),
    );
  });

  test('of an order in whole euro has the VAT of what was paid', () => {
    const { articles } = articlesOf(line({ price: '10.00' }), 0);

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
