import { describe, expect, test } from 'vitest';
import { type Facts, noFacts, type OrderNews } from '../../../../src/bridge/order/facts/facts.ts';
import { factsOf, listLengths, merge } from '../../../../src/bridge/order/facts/merge.ts';
import { at, erase, line, news, refund, snapshot, transaction } from '../../../support/samples/order-facts.ts';

/** Merges in both orders, which must not matter. */
function both(first: [OrderNews, string], second: [OrderNews, string]): Facts {
  const [a, b] = [factsOf(...first), factsOf(...second)];
  expect(merge(b, a)).toEqual(merge(a, b));
  return merge(a, b);
}

const anna = { firstName: 'Anna' };
const older = snapshot({ updatedAt: at('10:00'), digest: 'z' });

describe('snapshots', () => {
  test.each([
    ['the later change', snapshot({ updatedAt: at('10:01'), rank: 1, digest: 'a' })],
    ['in the same second, what was read from the store, whatever its rank', snapshot({ readAt: at('10:30'), rank: 1, digest: 'a' })],
    ['else the higher rank', snapshot({ rank: 6, digest: 'a' })],
    ['at the same rank, the one with more refunds', snapshot({ refunds: [{ id: 'r1', amount: '1.00' }], digest: 'a' })],
    ['of two with the same refunds, the one with exact amounts', snapshot({ exact: true, digest: 'a' })],
    ['at last, the larger digest', snapshot({ digest: 'zz' })],
  ])('%s wins, and brings its arrival and its customer', (_why, newer) => {
    const merged = both([news({ snapshot: older, customer: { firstName: 'Old' } }), at('12:00')], [news({ snapshot: newer, customer: anna }), at('11:00')]);

    expect(merged).toMatchObject({ snapshot: newer, snapshotSeenAt: at('11:00'), customer: { kind: 'known', customer: anna } });
  });

  test('of two that were read in the same second the later reading wins, with fewer refunds, too', () => {
    const [first, then] = [snapshot({ readAt: at('10:30'), refunds: [{ id: 'r1', amount: '1.00' }] }), snapshot({ readAt: at('10:31'), rank: 1 })];

    expect(both([news({ snapshot: first }), at('12:00')], [news({ snapshot: then }), at('11:00')]).snapshot).toEqual(then);
  });

  test('a repeat of the same state does not make it newer', () => {
    const merged = both([news({ snapshot: older }), at('12:00')], [news({ snapshot: older }), at('11:00')]);

    expect(merged.snapshotSeenAt).toBe(at('11:00'));
  });

  test('a list of refunds that is not given counts as none', () => {
    const silent = snapshot({ refunds: null, digest: 'zz' });

    expect(both([news({ snapshot: older }), at('11:00')], [news({ snapshot: silent }), at('11:00')]).snapshot).toEqual(silent);
  });

  test('news without a state keeps the one that is known', () => {
    const merged = both([news({ snapshot: older, customer: anna }), at('11:00')], [news({ refunds: [refund()] }), at('12:00')]);

    expect(merged).toMatchObject({ snapshot: older, snapshotSeenAt: at('11:00'), customer: { kind: 'known' }, refunds: { r1: refund() } });
  });

  test('a basket leaves neither lines nor customer behind; a draft that is paid keeps both', () => {
    const draft = factsOf(news({ snapshot: snapshot({ lifecycle: 'draft', payment: 'unpaid' }), customer: anna }), at('11:00'));
    const paid = factsOf(news({ snapshot: snapshot({ lifecycle: 'draft' }), customer: anna }), at('11:00'));

    expect(draft).toMatchObject({ snapshot: { lifecycle: 'draft', lines: [] }, customer: { kind: 'none' } });
    expect(paid).toMatchObject({ snapshot: { lines: [{}] }, customer: { kind: 'known' } });
  });

  test('of one state the known buyer is taken, on whichever side they are not known', () => {
    const known = factsOf(news({ snapshot: older, customer: anna }), at('11:00'));
    for (const kind of ['none', 'unopened'] as const) {
      const lost: Facts = { ...known, customer: { kind } };

      expect([merge(lost, known), merge(known, lost)]).toEqual([known, known]);
      expect(merge(lost, { ...lost, customer: { kind: 'unopened' } }).customer.kind).toBe('unopened');
    }
  });

  test('a state without a customer has none, and so has news without a state', () => {
    expect(factsOf(news({ snapshot: older }), at('11:00')).customer).toEqual({ kind: 'none' });
    expect(factsOf(news({ customer: anna }), at('11:00')).customer).toEqual({ kind: 'none' });
  });
});

describe('stamps', () => {
  test('the first paid state, the first announced payment, the last deletion and the last restoration count', () => {
    const unpaid = snapshot({ payment: 'unpaid', updatedAt: at('09:00') });
    const merged = [
      factsOf(news({ snapshot: unpaid }), at('09:01')),
      factsOf(news({ snapshot: older, paidAt: at('10:30') }), at('10:02')),
      factsOf(news({ snapshot: older, paidAt: at('10:00') }), at('10:03')),
      factsOf(news({ deleted: true }), at('11:00')),
      factsOf(news({ deleted: true }), at('12:00')),
      factsOf(news({ restored: true }), at('13:00')),
      factsOf(news({ restored: true }), at('11:30')),
    ].reduce(merge, noFacts);

    expect(merged).toMatchObject({ paidSeenAt: at('10:02'), paidAt: at('10:00'), deletedAt: at('12:00'), restoredAt: at('13:00') });
  });
});

describe('lengths of the list of refunds', () => {
  const listing = (count: number, values: Parameters<typeof snapshot>[0] = {}) =>
    news({ snapshot: snapshot({ refunds: Array.from({ length: count }, (_, i) => ({ id: `r${i}`, amount: '1.00' })), digest: `d${count}`, ...values }) });

  test('are kept where the list changed while the time of change stood still, each as it first came', () => {
    const merged = [factsOf(listing(1), at('11:00')), factsOf(listing(0), at('11:05')), factsOf(listing(0), at('11:09'))].reduce(merge);

    expect(merged).toMatchObject({ snapshot: { digest: 'd1' }, listLengths: { 0: at('11:05') } });
    expect(listLengths(merged)).toEqual({ 0: at('11:05'), 1: at('11:00') });
  });

  test('say nothing that the state itself does not say', () => {
    const [before, after] = [listing(1), listing(0, { updatedAt: at('10:30') })];

    expect(both([before, at('11:00')], [after, at('11:05')])).not.toHaveProperty('listLengths');
    expect(both([before, at('11:00')], [before, at('11:05')])).not.toHaveProperty('listLengths');
    expect(listLengths(factsOf(listing(0, { refunds: null }), at('11:00')))).toEqual({});
    expect(listLengths(noFacts)).toEqual({});
  });

  test('have the first arrival of each, also where another state of that length counts', () => {
    const [first, then] = [listing(1, { digest: 'a' }), listing(1, { digest: 'b' })];

    expect(both([first, at('11:00')], [then, at('11:05')])).toMatchObject({ snapshotSeenAt: at('11:05'), listLengths: { 1: at('11:00') } });
  });
});

describe('words that do not say what the order is now', () => {
  test('count by their last arrival, each refund by itself', () => {
    const merged = [
      factsOf(news({ changed: true }), at('12:00')),
      factsOf(news({ changed: true }), at('11:00')),
      factsOf(news({ withdrawn: ['r2', 'r1'] }), at('11:00')),
      factsOf(news({ withdrawn: ['r1'] }), at('12:00')),
    ].reduce(merge);

    expect(merged).toMatchObject({ changedAt: at('12:00'), withdrawn: { r1: at('12:00'), r2: at('11:00') } });
    expect(Object.keys(merged.withdrawn ?? {})).toEqual(['r1', 'r2']);
  });

  test('leave no trace in facts that have none', () => {
    expect(Object.keys(merge(factsOf(news(), at('11:00')), noFacts)).sort()).toEqual(Object.keys(noFacts).sort());
  });
});

test('identities that a person declared to be one order are all kept, sorted', () => {
  const a: Facts = { ...noFacts, identities: ['x', 'b'] };
  const b: Facts = { ...noFacts, identities: ['a', 'x'] };

  expect([merge(a, b).identities, merge(b, a).identities, merge(a, noFacts).identities]).toEqual([
    ['a', 'b', 'x'],
    ['a', 'b', 'x'],
    ['b', 'x'],
  ]);
});

describe('refunds of one id', () => {
  const lines = [{ lineId: '1', quantity: '1', amount: '24.00' }];
  test.each([
    ['known lines beat unknown ones', refund({ lines: null, amount: '9.00', at: at('13:00') }), refund({ lines: [], amount: null })],
    ['a known amount beats none', refund({ amount: null, at: at('13:00') }), refund({ amount: '1.00' })],
    ['a later one beats an earlier', refund({ at: at('12:00'), amount: '99.00' }), refund({ at: at('12:01') })],
    ['more transactions beat fewer', refund({ amount: '99.00' }), refund({ transactions: ['t1'] })],
    ['more lines beat fewer', refund({ amount: '99.00' }), refund({ lines })],
    ['then their text decides', refund({ amount: '1.00' }), refund({ amount: '2.00' })],
  ])('%s', (_why, loser, winner) => {
    expect(both([news({ refunds: [loser] }), at('14:00')], [news({ refunds: [winner] }), at('13:00')]).refunds).toEqual({ r1: winner });
  });

  test('are one also within one delivery', () => {
    const given = factsOf(news({ refunds: [refund(), refund({ at: at('13:00') }), refund({ id: 'r0' })] }), at('14:00'));

    expect(given.refunds).toEqual({ r0: refund({ id: 'r0' }), r1: refund({ at: at('13:00') }) });
  });
});

describe('transactions of one id', () => {
  const outcomes = ['pending', 'error', 'failure', 'success'] as const;
  test.each(outcomes.flatMap((weaker, index) => outcomes.slice(index + 1).map((stronger) => [stronger, weaker] as const)))(
    '%s beats %s',
    (stronger, weaker) => {
      const [loser, winner] = [transaction({ status: weaker, reference: 'z' }), transaction({ status: stronger, reference: null })];

      expect(both([news({ transactions: [loser] }), at('14:00')], [news({ transactions: [winner] }), at('13:00')]).transactions).toEqual({ t1: winner });
    },
  );

  test('a known reference beats none; then their text decides', () => {
    const [bare, first, second] = [transaction({ reference: null, amount: '99.00' }), transaction({ reference: 'a' }), transaction({ reference: 'b' })];

    expect(both([news({ transactions: [bare] }), at('14:00')], [news({ transactions: [first] }), at('13:00')]).transactions).toEqual({ t1: first });
    expect(both([news({ transactions: [first] }), at('14:00')], [news({ transactions: [second] }), at('13:00')]).transactions).toEqual({ t1: second });
  });
});

describe('ids', () => {
  test('facts are kept under any id, even one that means something to JavaScript', () => {
    const given = factsOf(news({ refunds: [refund({ id: '__proto__' }), refund({ id: 'constructor' })] }), at('14:00'));
    const merged = merge(given, JSON.parse(JSON.stringify(given)));

    expect(Object.keys(merged.refunds)).toEqual(['__proto__', 'constructor']);
  });

  test('equal facts are equal as text too', () => {
    const [a, b] = [news({ refunds: [refund({ id: 'b' })] }), news({ refunds: [refund({ id: 'a' })] })].map((each) => factsOf(each, at('14:00'))) as [
      Facts,
      Facts,
    ];

    expect(JSON.stringify(merge(a, b))).toBe(JSON.stringify(merge(b, a)));
  });
});

describe('erasure', () => {
  test('holds against replays and newer states, and keeps everything fiscal', () => {
    const known = factsOf(news({ snapshot: older, customer: anna }), at('11:00'));
    const newer = factsOf(news({ snapshot: snapshot({ updatedAt: at('11:00'), lines: [line()] }), customer: anna }), at('12:00'));

    const merged = merge(merge(erase(known), known), newer);

    expect(merged).toEqual({ ...merge(known, newer), customer: { kind: 'erased' } });
    expect(merge(newer, erase(known)).customer).toEqual({ kind: 'erased' });
  });

  test('holds where nothing was known yet', () => {
    const known = factsOf(news({ snapshot: older, customer: anna }), at('11:00'));

    expect([merge(erase(noFacts), known), merge(known, erase(noFacts))].map(({ customer }) => customer.kind)).toEqual(['erased', 'erased']);
  });
});
