import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalText } from '../../../../src/bridge/order/facts/canonical-text.ts';
import {
  type DraftLine,
  type Facts,
  noFacts,
  type OrderNews,
  type Refund,
  type RefundLine,
  type Snapshot,
  type Transaction,
} from '../../../../src/bridge/order/facts/facts.ts';
import { factsOf, listLengths, merge } from '../../../../src/bridge/order/facts/merge.ts';
import { fingerprint } from '../../../../src/bridge/order/facts/view.ts';
import { runs } from '../../../support/run-size.ts';
import { at, erase, line, news, refund, snapshot, transaction } from '../../../support/samples/order-facts.ts';

// Few values each, so that ties and clashes are the rule rather than the exception.
const moment = fc.constantFrom(at('10:00'), at('10:01'), at('10:02'));
const arrival = fc.constantFrom(...['10:00', '10:01', '10:02', '10:03'].map(at));
const amount = fc.constantFrom('0.00', '1.00', '24.00');
const refundId = fc.constantFrom('r1', 'r2', '7');

const snapshots: fc.Arbitrary<Snapshot> = fc
  .record({
    updatedAt: moment,
    rank: fc.nat(3),
    lifecycle: fc.constantFrom('draft', 'live', 'cancelled', 'trashed'),
    payment: fc.constantFrom('unpaid', 'on-delivery', 'outstanding', 'paid'),
    lines: fc.constantFrom<DraftLine[]>([line()], [line({ quantity: '2' })]),
    refunds: fc.option(fc.uniqueArray(fc.record({ id: refundId, amount }), { selector: ({ id }) => id, maxLength: 2 })),
  })
  .chain((values) =>
    fc
      .record({ read: fc.constantFrom({}, {}, { readAt: at('10:03') }, { readAt: at('10:04') }, { exact: true as const }) })
      .map(({ read }) => ({ ...values, ...read })),
  )
  .map((values) => snapshot({ ...values, digest: '' }));

const customer = fc.option(fc.record({ firstName: fc.constantFrom('Anna', 'Boris') }), { nil: undefined });

// The digest covers the snapshot and its customer, as the contract says.
const states: fc.Arbitrary<Partial<OrderNews>> = fc.tuple(snapshots, customer).map(([state, buyer]) => {
  const digest = canonicalText([state, buyer ?? null]);
  return { snapshot: { ...state, digest }, ...(buyer === undefined ? {} : { customer: buyer }) };
});

const refunds: fc.Arbitrary<Refund> = fc
  .record({
    id: refundId,
    at: moment,
    amount: fc.option(amount),
    transactions: fc.constantFrom<string[]>([], ['t1'], ['t1', 't2']),
    lines: fc.constantFrom<RefundLine[] | null>(null, [], [{ lineId: '1', quantity: '1', amount: '1.00' }]),
  })
  .chain((values) =>
    fc
      .oneof(
        fc.constant({}),
        fc.constant({ listed: '' }),
        moment.map((version) => ({ version, listed: version })),
      )
      .map((how) => refund({ ...values, ...how })),
  );

const transactions: fc.Arbitrary<Transaction> = fc
  .record({
    id: fc.constantFrom('t1', 't2'),
    kind: fc.constantFrom('charge', 'refund', 'other'),
    status: fc.constantFrom('pending', 'success', 'failure', 'error'),
    reference: fc.constantFrom(null, 'a', 'b'),
    at: moment,
  })
  .map(transaction);

const deliveries: fc.Arbitrary<OrderNews> = fc
  .oneof(
    states,
    fc.record({ refunds: fc.array(refunds, { maxLength: 3 }) }),
    fc.record({ transactions: fc.array(transactions, { maxLength: 3 }) }),
    fc.record({ deleted: fc.constant<true>(true) }),
    fc.record({ deleted: fc.constant<true>(true), deletedOn: moment }),
    fc.record({ changed: fc.constant<true>(true) }),
    fc.record({ withdrawn: fc.uniqueArray(refundId, { maxLength: 2 }) }),
    fc.tuple(states, fc.boolean()).map(([state, restored]) => ({ ...state, ...(restored ? { restored } : { paidAt: at('10:01') }) })),
    fc.tuple(states, fc.array(refunds, { maxLength: 2 })).map(([state, given]) => ({ ...state, refunds: given })),
  )
  .map(news);

const everything: fc.Arbitrary<Facts> = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(deliveries, arrival).map(([given, seenAt]) => factsOf(given, seenAt)) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(states, arrival, fc.constantFrom('none', 'unopened'))
      .map(([given, seenAt, kind]) => ({ ...factsOf(news(given), seenAt), customer: { kind } })),
  },
  { weight: 1, arbitrary: fc.constant(erase(noFacts)) },
  { weight: 1, arbitrary: fc.subarray(['identity-1', 'identity-2'], { minLength: 1 }).map((identities): Facts => ({ ...noFacts, identities })) },
);

/** Merges a list in random groups of groups, not just one after the other. */
function mergeInGroups(parts: Facts[], cuts: number[]): Facts {
  const [cut = 0, ...others] = cuts;
  if (parts.length <= 2) return parts.reduce(merge, noFacts);
  const middle = 1 + (cut % (parts.length - 1));
  return merge(mergeInGroups(parts.slice(0, middle), others), mergeInGroups(parts.slice(middle), others));
}

const some = { numRuns: runs(300, 2_000) };

test('any permutation, with any repeats, in any grouping ends in the same facts', () => {
  const shuffled = fc.array(everything, { minLength: 1, maxLength: 8 }).chain((parts) =>
    fc.record({
      parts: fc.constant(parts),
      repeats: fc.shuffledSubarray(parts),
      order: fc.infiniteStream(fc.nat(1000)).map((stream) => [...stream.take(20)]),
      cuts: fc.array(fc.nat(1000), { maxLength: 8 }),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ parts, repeats, order, cuts }) => {
      const all = [...parts, ...repeats].map((part, index) => ({ part, rank: order[index] ?? 0 })).sort((a, b) => a.rank - b.rank);

      const given = parts.reduce(merge, noFacts);
      const otherwise = mergeInGroups(
        all.map(({ part }) => part),
        cuts,
      );

      expect(otherwise).toEqual(given);
      expect(JSON.stringify(otherwise)).toBe(JSON.stringify(given));
      expect(fingerprint(otherwise)).toBe(fingerprint(given));
    }),
    some,
  );
});

test('merging is commutative, associative and idempotent, and knowing nothing adds nothing', () => {
  const merged = fc.array(everything, { minLength: 1, maxLength: 4 }).map((parts) => parts.reduce(merge));
  fc.assert(
    fc.property(merged, merged, merged, (a, b, c) => {
      expect(merge(a, b)).toEqual(merge(b, a));
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
      expect(merge(a, a)).toEqual(a);
      expect(merge(noFacts, a)).toEqual(a);
    }),
    some,
  );
});

test('erasing before or after merging is the same', () => {
  fc.assert(
    fc.property(everything, everything, (a, b) => {
      expect(merge(erase(a), b)).toEqual(erase(merge(a, b)));
    }),
    some,
  );
});

test('the lengths of a list are those of every state of the newest second, each as it first came', () => {
  const arrivals = fc.array(fc.tuple(deliveries, arrival), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(arrivals, (all) => {
      const states = all.flatMap(([{ snapshot: state }, seenAt]) => (state === undefined ? [] : [{ state, seenAt }]));
      const newest = states
        .map(({ state }) => state.updatedAt)
        .sort()
        .at(-1);
      const lengths: Record<string, string> = {};
      for (const { state, seenAt } of states) {
        const length = state.refunds?.length;
        if (state.updatedAt !== newest || length === undefined) continue;
        lengths[length] = [lengths[length] ?? seenAt, seenAt].sort()[0] ?? seenAt;
      }

      expect(listLengths(all.map(([given, seenAt]) => factsOf(given, seenAt)).reduce(merge, noFacts))).toEqual(lengths);
    }),
    some,
  );
});

test('facts survive being stored as JSON', () => {
  fc.assert(
    fc.property(everything, (known) => {
      expect(JSON.parse(JSON.stringify(known))).toEqual(known);
    }),
    { numRuns: runs(100, 300) },
  );
});
