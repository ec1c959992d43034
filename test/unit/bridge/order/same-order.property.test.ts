import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CustomerFact, type Facts, noFacts } from '../../../../src/bridge/order/facts/facts.ts';
import { factsOf } from '../../../../src/bridge/order/facts/merge.ts';
import { isAnother, routeOf } from '../../../../src/bridge/order/facts/same-order.ts';
import { runs } from '../../../support/run-size.ts';
import { at, line, news, snapshot, transaction } from '../../../support/samples/order-facts.ts';

type Side = {
  createdAt: string;
  identity: string | null;
  reference: string | null;
  transactionIds: string[];
  lineId: string;
  paid: boolean;
  customer: CustomerFact;
};

const buyer = (email: string): CustomerFact => ({ kind: 'known', customer: { email } });
const sides: fc.Arbitrary<Side> = fc.record({
  createdAt: fc.constantFrom('2026-07-01T10:00:00Z', '2026-07-01T10:00:00.400Z', '2026-08-01T10:00:00Z'),
  identity: fc.constantFrom(null, null, 'k1', 'k2'),
  reference: fc.constantFrom(null, 'pi_1', 'pi_2'),
  transactionIds: fc.subarray(['t1', 't2']),
  lineId: fc.constantFrom('1', '2'),
  paid: fc.boolean(),
  customer: fc.constantFrom<CustomerFact>(
    { kind: 'none' },
    { kind: 'unopened' },
    { kind: 'erased' },
    buyer('maria@example.invalid'),
    buyer('ivan@example.invalid'),
  ),
});

function factsOfSide({ createdAt, identity, reference, transactionIds, lineId, paid, customer }: Side, arrivedAt: string): Facts {
  const order = snapshot({
    ...{ createdAt, transactionId: reference, lines: [line({ id: lineId })], payment: paid ? 'paid' : 'unpaid' },
    ...(identity === null ? {} : { identity }),
  });
  const transactions = transactionIds.map((id) => transaction({ id, reference: null }));
  return { ...noFacts, ...factsOf(news({ snapshot: order, transactions }), arrivedAt), customer };
}

const pairs = fc.record({ known: sides, news: sides, isRecorded: fc.boolean(), isIdle: fc.boolean() });
const some = { numRuns: runs(500, 5_000) };

/** What an order keeps for good says that both are one; null: it says nothing. */
function keptForGood({ known, news: other }: { known: Side; news: Side }): boolean | null {
  if (known.identity !== null && other.identity !== null) return known.identity === other.identity;
  const isSameMoment = known.createdAt.slice(0, 10) === other.createdAt.slice(0, 10);
  const isSamePayment =
    (known.reference !== null && known.reference === other.reference) || known.transactionIds.some((id) => other.transactionIds.includes(id));
  return isSameMoment || isSamePayment ? true : null;
}

test('core 5: without identity, moment or payment in common a sale is never replaced, whatever its lines and its buyers', () => {
  const seen = { asked: 0, same: 0 };
  fc.assert(
    fc.property(pairs, (pair) => {
      const { known, isRecorded, isIdle } = pair;
      const facts = factsOfSide(known, at('10:00'));
      const other = factsOfSide(pair.news, at('18:00'));
      const route = routeOf([{ facts, isRecorded, isIdle }], other);

      const isOne = keptForGood(pair);
      const hasPayment = (side: Side) => side.reference !== null || side.transactionIds.length > 0;
      if (isOne === true) expect(route).toEqual({ to: 0, anew: false });
      else if (isRecorded || known.paid) expect([route, isAnother({ facts, isRecorded }, other)]).toEqual(['another', true]);
      else if (isOne === false || (hasPayment(known) && hasPayment(pair.news))) expect(route).not.toEqual({ to: 0, anew: false });
      if (route === 'another') seen.asked += 1;
      else if (isOne === true) seen.same += 1;
    }),
    some,
  );
  expect(Math.min(seen.asked, seen.same)).toBeGreaterThan(some.numRuns / 10);
});

test('core 5: an edit of one sale is never taken for another: its moment stays, whatever else of it changes', () => {
  fc.assert(
    fc.property(pairs, ({ known, news: other, isRecorded, isIdle }) => {
      const edited = { ...other, createdAt: known.createdAt, identity: known.identity };
      const candidate = { facts: factsOfSide(known, at('10:00')), isRecorded, isIdle };

      expect(routeOf([candidate], factsOfSide(edited, at('18:00')))).toEqual({ to: 0, anew: false });
    }),
    some,
  );
});
