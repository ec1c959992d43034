import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextAction } from '../../../../src/bridge/order/decisions/next-action.ts';
import { wantedOf } from '../../../../src/bridge/order/decisions/wanted.ts';
import { sameButRounding } from '../../../../src/bridge/order/money/same-content.ts';
import { formatMoney } from '../../../../src/contract/money.ts';
import type { RecordLine, TaxRecord } from '../../../../src/contract/record.ts';
import { facts, line, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

const [mug, plate, book] = [
  { name: 'Mug', quantity: 3, price: '7.77', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' },
  { name: 'Plate', quantity: 1, price: '12.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' },
  { name: 'Book', quantity: 1, price: '9.00', discount: '1.00', vatRate: '9', vatGroup: 'GROUP_D' },
] as const satisfies RecordLine[];

function record(lineItems: RecordLine[] = [mug, plate, book]): TaxRecord {
  const payment = { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe', transactionId: null };
  return { internalId: '7', internalNumber: '7', internalCreatedAt: '2026-11-21T01:00:00Z', currency: 'EUR', precision: 2, ...payment, lineItems };
}

describe('a current record is still right', () => {
  test.each<[string, RecordLine[]]>([
    ['in another order', [book, plate, mug]],
    [
      'where a line of three costs a cent more, and is discounted by it',
      [{ ...mug, quantity: 1, price: '7.78', discount: '0.01' }, { ...mug, quantity: 2 }, plate, book],
    ],
    ['where a cent moved between lines', [{ ...mug, quantity: 1, price: '7.78' }, { ...mug, quantity: 2 }, { ...plate, price: '11.99' }, book]],
    ['where a cent moved between rates', [mug, { ...plate, price: '11.99' }, { ...book, price: '9.01' }]],
    [
      'where one line took the gap of the others',
      [
        { ...mug, discount: '0.02' },
        { ...plate, price: '12.01' },
        { ...book, price: '9.01' },
      ],
    ],
  ])('%s', (_what, lines) => {
    expect(sameButRounding(record(), record(lines), '0.01')).toBe(true);
    expect(sameButRounding(record(lines), record(), '0.01')).toBe(true);
  });

  test('in a shop that rounds to whole amounts, where a whole amount moved', () => {
    const moved = record([mug, { ...plate, price: '11.00' }, { ...book, price: '10.00' }]);

    expect(sameButRounding(record(), moved, '1')).toBe(true);
    expect(sameButRounding(record(), moved, '0.01')).toBe(false);
  });

  test('in a shop of more decimals than money has, within a cent a line', () => {
    expect(sameButRounding(record(), record([mug, { ...plate, price: '11.99' }, { ...book, price: '9.01' }]), '0.0001')).toBe(true);
  });
});

describe('it is to be replaced', () => {
  const moved = [
    { ...plate, price: '11.99' },
    { ...book, price: '9.01' },
  ];
  test.each<[string, Partial<TaxRecord>]>([
    ['another total', { lineItems: [mug, plate, { ...book, price: '9.01' }] }],
    ['another price, and another discount', { lineItems: [mug, { ...plate, price: '13.00', discount: '1.00' }, book] }],
    ['money that moved further than rounding moves it', { lineItems: [mug, { ...plate, price: '12.50' }, { ...book, price: '8.50' }] }],
    ['two lines that moved further', { lineItems: [mug, { ...plate, price: '12.02' }, { ...book, price: '8.98' }] }],
    ['another quantity', { lineItems: [{ ...mug, quantity: 1, price: '23.31' }, plate, book] }],
    ['another rate', { lineItems: [mug, plate, { ...book, vatRate: '20', vatGroup: 'GROUP_B' }] }],
    ['another name', { lineItems: [mug, plate, { ...book, name: 'Novel' }] }],
    ['a line more', { lineItems: [mug, { ...plate, price: '11.99' }, book, { ...book, name: 'Card', price: '0.01', discount: '0.00' }] }],
    ['another payment beside a cent that moved', { lineItems: [mug, ...moved], paymentProcessorName: 'PayPal' }],
    ['another number beside a cent that moved', { lineItems: [mug, ...moved], internalNumber: '8' }],
  ])('with %s', (_what, values) => {
    expect(sameButRounding(record(), { ...record(), ...values }, '0.01')).toBe(false);
  });

  test('with any difference at all, where the storefront does not round', () => {
    expect(sameButRounding(record(), record([mug, ...moved]), undefined)).toBe(false);
    expect(sameButRounding(record(), record([plate, mug, book]), undefined)).toBe(true);
  });
});

const cents = fc.integer({ min: 100, max: 100_000 });
const quantity = fc.integer({ min: 1, max: 5 });
const basket = fc.array(fc.record({ cents, quantity, rate: fc.constantFrom('20', '9') }), { minLength: 2, maxLength: 8 });
type Basket = { cents: number; quantity: number; rate: string }[];

/** Each line in one unit, so that a cent more or less is one more or less of its price. */
function recordOf(lines: Basket, moves: readonly number[] = []): TaxRecord {
  return record(
    lines.map(({ cents, rate }, index) => ({
      ...{ name: `Product ${index}`, quantity: 1, price: formatMoney(BigInt(cents + (moves[index] ?? 0)), 2), discount: '0.00' },
      ...{ vatRate: rate, vatGroup: rate === '20' ? 'GROUP_B' : 'GROUP_D' },
    })),
  );
}

test('whatever cent rounding moves from line to line, the record is still right, in both directions; what moves more is not', () => {
  fc.assert(
    fc.property(basket, fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 8, maxLength: 8 }), (lines, cents) => {
      const others = cents.slice(1, lines.length);
      const balance = -others.reduce((a, b) => a + b, 0);
      const rounded = recordOf(lines, [balance, ...others]);

      expect(sameButRounding(recordOf(lines), rounded, '0.01')).toBe(true);
      expect(sameButRounding(rounded, recordOf(lines), '0.01')).toBe(true);
      const more = lines.length + 1;
      expect(sameButRounding(recordOf(lines), recordOf(lines, [more, -more]), '0.01')).toBe(false);
    }),
  );
});

test('live 2: an order whose storefront rounds otherwise by now is not recorded anew', () => {
  const asOrdered = [line(), line({ id: '2', name: 'Bowl', gross: '9.99' })];
  const now = [line({ gross: '23.99' }), line({ id: '2', name: 'Bowl', gross: '10.00' })];
  const claimOf = (lines: typeof now, roundedTo?: string) => {
    const values = { lines, total: '33.99', ...(roundedTo === undefined ? {} : { roundedTo }) };
    return sampleClaim({ facts: facts({ snapshot: snapshot(values) }) });
  };
  const terms = sampleTerms({ settings: { vatGroups: { '20': 'GROUP_B' } } });
  const wanted = wantedOf(claimOf(asOrdered), terms);
  if (wanted.kind !== 'record') throw new Error('no record is desired');
  const current = { record: wanted.record, complianceId: 'c-1', destinationId: 'd1' };
  const move = (claim: ReturnType<typeof claimOf>) => nextAction({ claim: { ...claim, current }, terms, mayFetch: false, mayResend: false, now: 0 });

  expect(move(claimOf(now, '0.01'))).toEqual({ do: 'end', state: 'recorded' });
  expect(move(claimOf(now))).toMatchObject({ do: 'send', step: { kind: 'delete' } });
  expect(move(claimOf([line({ gross: '22.99' }), line({ id: '2', name: 'Bowl', gross: '11.00' })], '0.01'))).toMatchObject({
    do: 'send',
    step: { kind: 'delete' },
  });
});
