import fc from 'fast-check';
import { expect, test } from 'vitest';
import { divideHalfUp } from '../../../../../src/contract/money.ts';
import { itemBody, moneySet, refundBody, refundLineBody, shippingBody, snapshotOf, taxBody, transactionBody } from './bodies.ts';

type Fields = Record<string, unknown>;

const withoutVat = { taxes_included: false };

function linesOf(fields: Fields) {
  return snapshotOf(fields).lines.map(({ kind, quantity, gross, discount, vatRate }) => [kind, quantity, gross, discount, vatRate]);
}

test('prices with VAT are taken as they are: price × quantity, and what was taken off', () => {
  const discounted = itemBody({ discount_allocations: [{ amount: '2.00' }, { amount: '0.58' }] });

  expect(linesOf({ line_items: [discounted], total_price: '23.22' })).toEqual([['item', '2', '25.80', '2.58', '20']]);
});

test('prices without VAT get the platform’s own tax of the line', () => {
  const tea = itemBody({ quantity: 3, price: '4.18', tax_lines: [taxBody('2.51', 0.2)] });

  expect(linesOf({ ...withoutVat, line_items: [tea], total_price: '15.05' })).toEqual([['item', '3', '15.05', '0.00', '20']]);
});

test('a discount off prices without VAT is given with VAT, and the line still comes to what was paid', () => {
  const honey = itemBody({ price: '9.99', tax_lines: [taxBody('3.60', 0.2)], discount_allocations: [{ amount: '2.00' }] });
  const odd = itemBody({ id: 2, quantity: 1, price: '1.00', tax_lines: [taxBody('0.09', 0.09)], discount_allocations: [{ amount: '0.05' }] });

  expect(linesOf({ ...withoutVat, line_items: [honey, odd], total_price: '22.62' })).toEqual([
    ['item', '2', '23.98', '2.40', '20'],
    ['item', '1', '1.09', '0.05', '9'],
  ]);
});

test('lines come to what was paid, on any tax basis', () => {
  const sale = fc.record({
    unit: fc.integer({ min: 1, max: 100_000 }),
    quantity: fc.integer({ min: 1, max: 20 }),
    part: fc.double({ min: 0, max: 1, noNaN: true }),
    permille: fc.constantFrom(0n, 90n, 200n, 255n),
    included: fc.boolean(),
  });
  fc.assert(
    fc.property(sale, ({ unit, quantity, part, permille, included }) => {
      const off = Math.floor(unit * quantity * part);
      const base = unit * quantity - off;
      const tax = Number(divideHalfUp(BigInt(base) * permille, included ? 1000n + permille : 1000n));
      const paid = included ? base : base + tax;
      const item = itemBody({
        quantity,
        price: text(unit),
        tax_lines: [taxBody(text(tax), Number(permille) / 1000)],
        discount_allocations: off > 0 ? [{ amount: text(off) }] : [],
      });

      const [line] = snapshotOf({ taxes_included: included, line_items: [item], total_price: text(paid) }).lines;

      expect(cent(line?.gross) - cent(line?.discount)).toBe(paid);
      expect(cent(line?.discount)).toBe(included ? off : Number(divideHalfUp(BigInt(off) * (1000n + permille), 1000n)));
    }),
  );
});

test('rates are percent without noise', () => {
  const rates = [0.2, 0.09, 0, 0.255, 0.07250000000000001, 0.1, 1].map((rate) => {
    const [line] = snapshotOf({ line_items: [itemBody({ tax_lines: [taxBody('0.00', rate)] })] }).lines;
    return line?.vatRate;
  });

  expect(rates).toEqual(['20', '9', '0', '25.5', '7.25', '10', '100']);
});

test('a gift card, like all that bears no tax, has rate 0', () => {
  expect(linesOf({ line_items: [itemBody({ gift_card: true, tax_lines: [] })] })).toEqual([['item', '2', '25.80', '0.00', '0']]);
});

test('shipping is a line by either tax basis, with its discount; removed shipping is none', () => {
  const free = shippingBody({ id: 2, title: '', discount_allocations: [{ amount: '4.90' }], tax_lines: [taxBody('0.00', 0.2)] });
  const removed = shippingBody({ id: 3, is_removed: true });
  const net = shippingBody({ price: '3.33', tax_lines: [taxBody('0.67', 0.2)] });

  expect(linesOf({ line_items: [], shipping_lines: [shippingBody(), free, removed], total_price: '4.90' })).toEqual([
    ['shipping', '1', '4.90', '0.00', '20'],
    ['shipping', '1', '4.90', '4.90', '20'],
  ]);
  expect(linesOf({ ...withoutVat, line_items: [], shipping_lines: [net], total_price: '4.00' })).toEqual([['shipping', '1', '4.00', '0.00', '20']]);
  expect(snapshotOf({ shipping_lines: [shippingBody({ title: '' })], total_price: '30.70' }).lines[1]?.name).toBe('Shipping');
});

test('shipping that an edit removed after it was charged is still part of what was ordered', () => {
  expect(linesOf({ shipping_lines: [shippingBody({ is_removed: true })], total_price: '30.70' })).toEqual([
    ['item', '2', '25.80', '0.00', '20'],
    ['shipping', '1', '4.90', '0.00', '20'],
  ]);
});

test('a tip is a line, unless the checkout already made it one', () => {
  const tipItem = itemBody({ id: 2, name: 'Tip', quantity: 1, price: '3.00', tax_lines: [] });

  expect(linesOf({ total_tip_received: '3.00', total_price: '28.80' })[1]).toEqual(['tip', '1', '3.00', '0.00', '0']);
  expect(linesOf({ total_tip_received: '3.00', total_price: '28.80', line_items: [itemBody(), tipItem] })).toEqual([
    ['item', '2', '25.80', '0.00', '20'],
    ['item', '1', '3.00', '0.00', '0'],
  ]);
});

test('duties and additional fees on top of the prices are lines', () => {
  const lumps = { original_total_duties_set: moneySet('2.00'), original_total_additional_fees_set: moneySet('1.00'), total_price: '28.80' };

  expect(linesOf(lumps).slice(1)).toEqual([
    ['duty', '1', '2.00', '0.00', '0'],
    ['fee', '1', '1.00', '0.00', '0'],
  ]);
});

test('duties that are listed by line bear their own taxes; those inside of prices are no lines', () => {
  const duty = { id: '7', shop_money: { amount: '2.00', currency_code: 'EUR' }, tax_lines: [taxBody('0.40', 0.2)] };
  const dutiable = { line_items: [itemBody({ duties: [duty] })], original_total_duties_set: moneySet('2.00') };

  expect(linesOf({ ...dutiable, total_price: '27.80' })[1]).toEqual(['duty', '1', '2.00', '0.00', '20']);
  expect(linesOf({ ...dutiable, ...withoutVat, total_price: '32.50' })[1]).toEqual(['duty', '1', '2.40', '0.00', '20']);
  expect(snapshotOf({ ...dutiable, duties_included: true }).lines).toHaveLength(1);
});

test('items that an edit took off are left out, where the total says so', () => {
  const [edited, gone] = [itemBody({ quantity: 3, current_quantity: 2, discount_allocations: [{ amount: '3.00' }] }), itemBody({ id: 2, current_quantity: 0 })];

  expect(linesOf({ line_items: [edited, gone], total_price: '23.80' })).toEqual([['item', '2', '25.80', '2.00', '20']]);
});

test('an edited item that was paid stays as ordered: what was given back is in refunds', () => {
  const edited = itemBody({ quantity: 3, current_quantity: 2 });

  expect(linesOf({ line_items: [edited], total_price: '38.70' })).toEqual([['item', '3', '38.70', '0.00', '20']]);
});

test('of what is gone, only units whose money did not go back were taken off by an edit', () => {
  const edited = itemBody({ quantity: 4, current_quantity: 1 });
  const other = refundLineBody({ line_item_id: 5, quantity: 9 });
  const refunds = [
    refundBody({ refund_line_items: [refundLineBody(), other] }),
    refundBody({ id: 2, transactions: [] }),
    refundBody({ id: 3, transactions: [transactionBody({ id: 9, status: 'failure' })] }),
  ];

  expect(linesOf({ line_items: [edited], refunds, total_price: '25.80' })).toEqual([['item', '2', '25.80', '0.00', '20']]);
});

test('lines that fit the total in no reading stay as ordered, for a person to compare', () => {
  const edited = itemBody({ quantity: 3, current_quantity: 2 });
  const silent = itemBody({ id: 2, quantity: 1, current_quantity: null });

  expect(linesOf({ line_items: [edited, silent], total_tip_received: '1.00', total_price: '99.00' })).toEqual([
    ['item', '3', '38.70', '0.00', '20'],
    ['item', '1', '12.90', '0.00', '20'],
    ['tip', '1', '1.00', '0.00', '0'],
  ]);
});

test('a line of no pieces is no line', () => {
  expect(linesOf({ line_items: [itemBody(), itemBody({ id: 2, quantity: 0, current_quantity: 0 })] })).toHaveLength(1);
});

test('amounts keep the decimals of their currency, and those beyond them', () => {
  const dinar = itemBody({ quantity: 1, price: '1.234', tax_lines: [] });
  const yen = itemBody({ quantity: 1, price: '1000', tax_lines: [taxBody('91', 0.1)], discount_allocations: [{ amount: '95' }] });

  expect(linesOf({ currency: 'KWD', line_items: [dinar], total_price: '1.234' })[0]?.[2]).toBe('1.234');
  expect(linesOf({ ...withoutVat, currency: 'JPY', line_items: [yen], total_price: '996' })).toEqual([['item', '1', '1101.00', '105.00', '10']]);
});

function text(cents: number): string {
  return (cents / 100).toFixed(2);
}

function cent(amount = 'NaN'): number {
  return Math.round(Number(amount) * 100);
}

test('an item without a name is still named something: a tax record must say what was sold', () => {
  expect(snapshotOf({ line_items: [itemBody({ name: '' })] }).lines[0]?.name).toBe('Item');
});
