import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import { type Desired, desired } from '../../../../src/bridge/order/decisions/desired.ts';
import { nextAction } from '../../../../src/bridge/order/decisions/next-action.ts';
import { wantedOf } from '../../../../src/bridge/order/decisions/wanted.ts';
import type { DraftLine, Refund } from '../../../../src/bridge/order/facts/facts.ts';
import { exactMoney, formatMoney, sum } from '../../../../src/contract/money.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';
import { totalsOf } from '../../../../src/contract/totals.ts';
import { NOW } from '../../../support/attempts/situations.ts';
import { runs } from '../../../support/run-size.ts';
import { at, facts, line, refund, settings, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

const cents = (text: string) => exactMoney(text, 2);
const money = (minor: bigint) => formatMoney(minor, 2);
const pen = line({ id: 'a', name: 'Pen', gross: '9.99' });
const book = line({ id: 'b', name: 'Book', gross: '22.35', vatRate: '9' });
const courier = line({ id: 's', name: 'Courier', kind: 'shipping', gross: '4.90' });

function factsOf(lines: DraftLine[], refunds: Refund[]) {
  const total = sum(lines.map(({ gross, discount }) => cents(gross) - cents(discount)));
  return facts({ snapshot: snapshot({ lines, total: money(total), refunds: null }), refunds });
}

function decide(lines: DraftLine[], refunds: Refund[]): Desired {
  return desired({ orderId: '1', facts: factsOf(lines, refunds), settings });
}

/** A refund of a line: quantity and amount. */
const back = (lineId: string, quantity: string, amount: string): Refund => refund({ id: `r-${lineId}`, amount, lines: [{ lineId, quantity, amount }] });
const unnamed = (amount: string): Refund => refund({ id: 'later', at: at('13:00'), amount });

/** "Pen 9.99" of each line, or the codes of what a person is asked. */
function told(wanted: Desired): string[] {
  if (wanted.kind === 'problems') return wanted.problems.map(({ code }) => code);
  if (wanted.kind === 'nothing') return [wanted.why];
  return wanted.record.lineItems.map(({ name, price, quantity, discount }) => `${name} ${money(cents(price) * BigInt(quantity) - cents(discount))}`);
}

const worth = ({ lineItems }: TaxRecord) => cents(totalsOf({ lines: lineItems, precision: 2 }).total);

describe('live L8: a refund of a whole line that exceeds it by what rounding of net and VAT explains', () => {
  test.each<[string, Refund, string[]]>([
    ['0.01 more comes off another line of its rate', back('a', '1', '10.00'), ['Book 22.35', 'Courier 4.89']],
    ['0.02 more, too', back('a', '1', '10.01'), ['Book 22.35', 'Courier 4.88']],
    ['0.03 more is no rounding', back('a', '1', '10.02'), ['refund.unattributed']],
    ['less is not the line', back('a', '1', '9.98'), ['Pen 0.01', 'Book 22.35', 'Courier 4.90']],
    ['no piece of it came back', back('a', '0', '10.00'), ['refund.unattributed']],
  ])('%s', (_what, given, expected) => {
    expect(told(decide([pen, book, courier], [given]))).toEqual(expected);
  });

  test('asks if no other line of its rate is left, also where all that is left has one other rate', () => {
    expect(told(decide([pen, book], [back('a', '1', '10.00')]))).toEqual(['refund.unattributed']);
  });

  test('counts what all refunds of the line exceed it by', () => {
    const two = { ...pen, quantity: '2', gross: '19.98' };
    const each = (id: string, amount: string) => ({ ...back('a', '1', amount), id });

    expect(told(decide([two, book, courier], [each('r1', '10.00'), each('r2', '10.00')]))).toEqual(['Book 22.35', 'Courier 4.88']);
    expect(told(decide([two, book, courier], [each('r1', '10.01'), each('r2', '10.00')]))).toEqual(['refund.unattributed']);
  });

  test('1000 × 0.01 of which 5.00 went back is 5.00, however many pieces came back with it', () => {
    const bulk = line({ id: 'a', name: 'Nail', quantity: '1000', gross: '10.00' });
    for (const quantity of ['0', '400', '500', '600', '1000']) {
      const wanted = decide([bulk, book], [back('a', quantity, '5.00')]);

      expect(wanted.kind === 'record' && worth(wanted.record), quantity).toBe(2735n);
    }
  });

  type Sold = { gross: bigint; quantity: string; vatRate: string };
  type Given = { of: number; amount: bigint; quantity: string };

  const sold: fc.Arbitrary<Sold> = fc.record({
    gross: fc.bigInt({ min: 1n, max: 3_000n }),
    quantity: fc.constantFrom('1', '2', '3', '1000'),
    vatRate: fc.constantFrom('20', '9'),
  });
  const cases = fc.array(sold, { minLength: 1, maxLength: 4 }).chain((basket) => {
    const returned = fc.record({ of: fc.nat(basket.length - 1), more: fc.bigInt({ min: -3n, max: 4n }), isWhole: fc.boolean() });
    const refunds = fc.uniqueArray(returned, { minLength: 1, maxLength: 3, selector: ({ of }) => of });
    return fc.record({ basket: fc.constant(basket), given: refunds.map((all) => all.flatMap((one) => givenOf(basket, one))) });
  });

  function givenOf(basket: Sold[], { of, more, isWhole }: { of: number; more: bigint; isWhole: boolean }): Given[] {
    const { gross, quantity } = basket[of] ?? failed();
    return gross + more > 0n ? [{ of, amount: gross + more, quantity: isWhole ? quantity : '0' }] : [];
  }

  test('property: the record is the money kept, to the cent, and each rate keeps its own', () => {
    const seen = { record: 0, problems: 0, nothing: 0 };
    fc.assert(
      fc.property(cases, ({ basket, given }) => {
        const lines = basket.map(({ gross, ...values }, n) => line({ ...values, id: `${n}`, name: `${n}`, gross: money(gross) }));
        const refunds = given.map(({ of, quantity, amount }) => back(`${of}`, quantity, money(amount)));
        const wanted = decide(lines, refunds);
        const keptOf = (rate: (vatRate: string) => boolean) =>
          sum(basket.map(({ gross, vatRate }) => (rate(vatRate) ? gross : 0n))) -
          sum(given.map(({ of, amount }) => (rate(basket[of]?.vatRate ?? '') ? amount : 0n)));
        const kept = keptOf(() => true);

        seen[wanted.kind] += 1;
        if (wanted.kind === 'nothing') expect(kept <= 0n).toBe(true);
        if (wanted.kind !== 'record') return;
        expect(worth(wanted.record)).toBe(kept);
        const isRounding = given.every(({ of, amount, quantity }) => quantity !== '0' && amount <= (basket[of]?.gross ?? 0n) + 2n);
        const { lineItems } = wanted.record;
        const ofRate = (rate: string) => worth({ ...wanted.record, lineItems: lineItems.filter(({ vatRate }) => vatRate === rate) });
        if (isRounding) expect([ofRate('20'), ofRate('9')]).toEqual(['20', '9'].map((rate) => keptOf((vatRate) => vatRate === rate)));
      }),
      { numRuns: runs(300, 3_000) },
    );
    expect(Math.min(seen.record, seen.problems, seen.nothing)).toBeGreaterThan(10);
  });
});

describe('live L8: a refund that is known by its lines comes off, although a later one without lines waits', () => {
  const lines = [pen, book, courier];
  const before = decide(lines, []);
  const current = { record: before.kind === 'record' ? before.record : failed(), complianceId: 'c-1', destinationId: 'd1' };
  const claimOf = (refunds: Refund[], values: Partial<Claim> = {}) => sampleClaim({ facts: factsOf(lines, refunds), current, ...values });
  const terms = sampleTerms({ settings: { vatGroups: settings.vatGroups } });
  const known = back('a', '1', '9.99');

  test('the record is replaced by what is certain, and a person is asked about the rest', () => {
    const claim = claimOf([known, unnamed('1.00')]);
    const wanted = wantedOf(claim, terms);
    const certain = wanted.kind === 'record' ? wanted.record : failed();

    expect(told(wanted)).toEqual(['Book 22.35', 'Courier 4.90']);
    expect(nextAction({ claim, terms, mayFetch: false, mayResend: false, now: NOW })).toMatchObject({ do: 'send', step: { kind: 'delete' } });
    const done = { ...claim, current: { ...current, record: certain } };
    expect(nextAction({ claim: done, terms, mayFetch: false, mayResend: false, now: NOW })).toMatchObject({
      do: 'review',
      problems: [{ code: 'refund.unattributed' }],
    });
    const deleted = { ...claim, current: null, previous: current.record };
    expect(nextAction({ claim: deleted, terms, mayFetch: false, mayResend: false, now: NOW })).toMatchObject({
      do: 'send',
      step: { kind: 'create', record: certain },
    });
  });

  test.each<[string, Refund[], Partial<Claim>]>([
    ['nothing is recorded: a record of more than was kept is not made', [known, unnamed('1.00')], { current: null }],
    ['no refund is known by its lines', [unnamed('1.00')], {}],
    ['the refund with lines gave back more than they cost: which of the money is whose is not known', [{ ...known, amount: '10.50' }, unnamed('1.00')], {}],
    [
      'a person made the record',
      [known, unnamed('1.00')],
      { revision: 2, resolution: { how: 'recorded', revision: 1, complianceId: 'c-1', code: 'refund.unattributed', who: 'cli', why: '', at: at('10:00') } },
    ],
  ])('it waits with the other one if %s', (_why, refunds, values) => {
    expect(wantedOf(claimOf(refunds, values), terms)).toMatchObject({ kind: 'problems', problems: [{ code: 'refund.unattributed' }] });
  });

  test('a surplus without a line of its rate is asked about, too, and its line comes off', () => {
    const claim = sampleClaim({ facts: factsOf([pen, book], [back('a', '1', '10.00')]), current });

    expect(wantedOf(claim, terms)).toMatchObject({ kind: 'record', record: { lineItems: [{ name: 'Book' }] }, question: { code: 'refund.unattributed' } });
  });
});

function failed(): never {
  throw new Error('there is no record');
}
