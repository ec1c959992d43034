import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Desired, desired } from '../../../../src/bridge/order/decisions/desired.ts';
import type { DraftLine, Refund } from '../../../../src/bridge/order/facts/facts.ts';
import type { FiscalSettings } from '../../../../src/bridge/order/facts/settings.ts';
import { convertFixed, divideHalfUp, formatMoney, parseMoney, sum } from '../../../../src/contract/money.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';
import { runs } from '../../../support/run-size.ts';
import { facts, refund, settings, snapshot } from '../../../support/samples/order-facts.ts';

/** A generated line in cents: `paid` is what the customer pays for it. */
type Sold = { line: DraftLine; paid: bigint; units: bigint };
type Given = { refund: Refund; amount: bigint };

const money = (minor: bigint) => formatMoney(minor, 2);
const cents = (text: string) => parseMoney(text, 2) ?? failed(text);
const amount = (max: bigint) => fc.bigInt({ min: 0n, max });

const priced = fc.record({
  units: fc.bigInt({ min: 1n, max: 12n }),
  price: amount(20_000n),
  off: fc.bigInt({ min: 0n, max: 100n }),
  rate: fc.constantFrom('20', '9'),
});

// Prices with VAT in them: gross and discount are whole multiples or any cents.
const inclusive = priced.map(({ units, price, off, rate }) => ({ units, gross: price * units, discount: (price * units * off) / 100n, rate }));

// Prices without VAT: net and tax are each rounded for the line, so gross is rarely a multiple of the quantity.
const exclusive = priced.map(({ units, price, off, rate }) => {
  const withTax = (net: bigint) => net + divideHalfUp(net * BigInt(rate), 100n);
  const net = price * units;
  const gross = withTax(net);
  return { units, gross, discount: gross - withTax(net - (net * off) / 100n), rate };
});

const baskets = fc.constantFrom(inclusive, exclusive).chain((lines) =>
  fc
    .record({ lines: fc.array(lines, { minLength: 1, maxLength: 6 }), fee: fc.option(amount(3_000n)), oneRate: fc.boolean() })
    .map(({ lines: chosen, fee, oneRate }) => {
      const sold = chosen.map(({ units, gross, discount, rate }, index): Sold => {
        const values = { quantity: `${units}`, gross: money(gross), discount: money(discount), vatRate: oneRate ? '20' : rate };
        return { line: { id: `${index}`, kind: 'item', name: `Item ${index}`, ...values }, paid: gross - discount, units };
      });
      const room = sum(sold.filter(({ line }) => line.vatRate === '20').map(({ paid }) => paid));
      const off = fee !== null && fee <= room ? fee : 0n;
      const line: DraftLine = { id: 'fee', kind: 'fee', name: 'Voucher', quantity: '1', gross: money(-off), discount: '0.00', vatRate: '20' };
      return off > 0n ? [...sold, { line, paid: -off, units: 1n }] : sold;
    }),
);

/** A refund of some lines (units for their share, or any money), of an amount only, or of both. */
function refundsOf(sold: Sold[], total: bigint): fc.Arbitrary<Given[]> {
  const part = fc.record({ of: fc.nat(sold.length - 1), units: fc.bigInt({ min: 0n, max: 3n }), percent: fc.option(fc.bigInt({ min: 0n, max: 130n })) });
  const one = fc.record({ parts: fc.array(part, { maxLength: 3 }), extra: fc.bigInt({ min: -500n, max: total }), exact: fc.boolean() });
  return fc
    .array(one, { minLength: 1, maxLength: 3 })
    .map((all) => all.map(({ parts, extra, exact }, index) => given({ sold, parts, index, extra: exact ? 0n : extra })));
}

type Part = { of: number; units: bigint; percent: bigint | null };

function given({ sold, parts, index, extra }: { sold: Sold[]; parts: Part[]; index: number; extra: bigint }): Given {
  const lines = parts.map(({ of, units, percent }) => {
    const { line, paid, units: all } = sold[of] ?? failed('no line');
    const back = percent === null ? divideHalfUp(paid * units, all) : (paid * percent) / 100n;
    return { lineId: line.id, quantity: `${units}`, amount: money(back) };
  });
  const stated = sum(lines.map((line) => cents(line.amount)));
  const whole = stated + extra > 0n ? stated + extra : 0n;
  return { refund: refund({ id: `r${index}`, amount: money(whole), lines }), amount: whole };
}

type Case = { sold: Sold[]; total: bigint; given: Given[] };
const cases: fc.Arbitrary<Case> = baskets.chain((sold) => {
  const total = sum(sold.map(({ paid }) => paid));
  return fc.record({ sold: fc.constant(sold), total: fc.constant(total), given: fc.oneof(fc.constant<Given[]>([]), refundsOf(sold, total)) });
});

function decide({ sold, total, given: all }: Case, { currency = 'EUR', convertTo = null as FiscalSettings['convertTo'] } = {}): Desired {
  const order = snapshot({ lines: sold.map(({ line }) => line), total: money(total), refunds: null, currency });
  return desired({ orderId: '1', facts: facts({ snapshot: order, refunds: all.map((each) => each.refund) }), settings: { ...settings, convertTo } });
}

function worth({ lineItems }: TaxRecord): bigint {
  return sum(lineItems.map(({ price, quantity, discount }) => cents(price) * BigInt(quantity) - cents(discount)));
}

const some = { numRuns: runs(300, 3_000) };

describe('for any order and any refunds', () => {
  test('the lines add up to what was paid and not refunded, to the cent', () => {
    const seen = { record: 0, nothing: 0, problems: 0 };
    fc.assert(
      fc.property(cases, (each) => {
        const result = decide(each);

        seen[result.kind] += 1;
        const owed = each.total - sum(each.given.map((one) => one.amount));
        if (result.kind === 'record') expect(worth(result.record)).toBe(owed);
        if (result.kind === 'nothing') expect(each.total === 0n ? result.why === 'free' : owed <= 0n).toBe(true);
      }),
      some,
    );
    expect(Math.min(seen.record, seen.nothing, seen.problems)).toBeGreaterThan(some.numRuns / 100);
  });

  test('no line is below zero, without price, or of broken quantity', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const result = decide(each);
        const lines = result.kind === 'record' ? result.record.lineItems : [];

        for (const { price, quantity, discount } of lines) {
          expect(Number.isInteger(quantity) && quantity > 0 && cents(price) > 0n && cents(discount) >= 0n).toBe(true);
          expect(cents(discount) <= cents(price) * BigInt(quantity)).toBe(true);
        }
      }),
      some,
    );
  });

  test('a person is asked only about refunds that can’t be assigned to lines, and fees without lines', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const result = decide(each);
        const asked = result.kind === 'problems' ? result.problems.map(({ code }) => code) : [];

        expect(asked.filter((code) => code !== 'refund.unattributed' && code !== 'order.inexpressible')).toEqual([]);
        if (each.given.length === 0) expect(asked).toEqual([]);
      }),
      some,
    );
  });

  test('an order of one VAT rate needs no person', () => {
    const oneRate = cases.filter(({ sold }) => sold.every(({ line }) => line.vatRate === '20' && line.id !== 'fee'));
    fc.assert(
      fc.property(oneRate, (each) => {
        expect(decide(each).kind).not.toBe('problems');
      }),
      { numRuns: runs(200, 1_000) },
    );
  });

  test('the order of refunds does not matter', () => {
    fc.assert(
      fc.property(cases, (each) => {
        const renamed = each.given.toReversed().map((one, index) => ({ ...one, refund: { ...one.refund, id: `r${index}` } }));

        expect(decide({ ...each, given: renamed }).kind).toBe(decide(each).kind);
        const [a, b] = [decide(each), decide({ ...each, given: renamed })];
        if (a.kind === 'record') expect(b).toEqual(a);
      }),
      { numRuns: runs(200, 1_000) },
    );
  });
});

describe('for any order without refunds', () => {
  test('each line is worth what the customer paid for it, with its own gross and discount', () => {
    const plain = cases.filter(({ sold, total }) => total > 0n && sold.every(({ line }) => line.id !== 'fee'));
    fc.assert(
      fc.property(plain, (each) => {
        const result = decide({ ...each, given: [] });
        if (result.kind !== 'record') return failed(result.kind);
        for (const { line, units } of each.sold) {
          const own = result.record.lineItems.filter(({ name }) => name === line.name);
          const gross = sum(own.map(({ price, quantity }) => cents(price) * BigInt(quantity)));
          const discount = sum(own.map((one) => cents(one.discount)));

          expect([gross, discount]).toEqual([cents(line.gross), cents(line.discount)]);
          if (cents(line.gross) >= units) expect(sum(own.map(({ quantity }) => BigInt(quantity)))).toBe(units);
        }
      }),
      { numRuns: runs(200, 1_000) },
    );
  });

  test('conversion turns each line once, and keeps their sum', () => {
    const plain = cases.filter(({ sold, total }) => total > 0n && sold.every(({ line }) => line.id !== 'fee'));
    fc.assert(
      fc.property(plain, (each) => {
        const result = decide({ ...each, given: [] }, { currency: 'BGN', convertTo: 'EUR' });
        const inEuro = (text: string) => convertFixed(cents(text), 'BGN', 'EUR');

        if (result.kind === 'record') expect(worth(result.record)).toBe(sum(each.sold.map(({ line }) => inEuro(line.gross) - inEuro(line.discount))));
        else failed(result.kind);
      }),
      { numRuns: runs(200, 1_000) },
    );
  });
});

function failed(what: string): never {
  throw new Error(`unexpected: ${what}`);
}
