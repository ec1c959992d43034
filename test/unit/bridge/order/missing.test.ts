import { describe, expect, test } from 'vitest';
import type { Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { canDoWithout, type Missing, missingOf } from '../../../../src/bridge/order/facts/missing.ts';
import { at, facts, line, refund, snapshot } from '../../../support/samples/order-facts.ts';

const reference = { id: 'r1', amount: '5.00' };
const nothing: Missing = { refundIds: [], deleted: false };

test('nothing is missing of an order of which only a refund is known', () => {
  expect(missingOf(facts({ snapshot: null, refunds: [refund({ lines: null })], deletedAt: at('12:00') }))).toBeNull();
});

test('a deletion is, unless the state itself says so', () => {
  const trashed = facts({ snapshot: snapshot({ lifecycle: 'trashed' }), deletedAt: at('12:00') });

  expect(missingOf(facts({ deletedAt: at('12:00') }))).toEqual({ refundIds: [], deleted: true });
  expect([missingOf(trashed), missingOf(facts())]).toEqual([null, null]);
});

test('refunds are while their lines are not known', () => {
  const known = facts({
    snapshot: snapshot({ refunds: [reference, { id: 'r2', amount: '1.00' }, { id: 'r3', amount: '0.00' }] }),
    refunds: [refund({ id: 'r2' })],
  });

  expect(missingOf(known)).toEqual({ refundIds: ['r1'], deleted: false });
});

describe('the order itself is', () => {
  test('when it is said to have changed since it was thrown away, and not otherwise', () => {
    expect(missingOf(facts({ snapshot: snapshot({ lifecycle: 'trashed' }), changedAt: at('12:00') }))).toEqual({ ...nothing, order: true });
    expect(missingOf(facts({ deletedAt: at('11:00'), changedAt: at('12:00') }))).toEqual({ ...nothing, deleted: true, order: true });
    expect(missingOf(facts({ changedAt: at('12:00') }))).toBeNull();
    expect(missingOf(facts({ snapshot: null, snapshotSeenAt: null, changedAt: at('12:00') }))).toBeNull();
  });

  test('when its refunds are in doubt, where a refund can vanish', () => {
    const known = facts({ snapshot: snapshot({ refunds: [reference] }), refunds: [refund()], withdrawn: { r1: at('12:00') } });

    expect(missingOf(known, { refundsVanish: true })).toEqual({ ...nothing, order: true });
    expect(missingOf(known)).toBeNull();
  });
});

describe('exact amounts are', () => {
  const rounded = (values: Partial<Snapshot> = {}) => facts({ snapshot: snapshot({ lines: [line({ gross: '24.01' })], mayBeOff: '0.01', ...values }) });

  test('where the lines miss the total, and rounding explains it', () => {
    expect(missingOf(rounded())).toEqual({ ...nothing, exact: true });
  });

  test('not where the lines add up, where nothing is rounded, or where they are exact', () => {
    expect(missingOf(rounded({ lines: [line({ gross: '24.01', discount: '0.01' })] }))).toBeNull();
    expect(missingOf(facts({ snapshot: snapshot({ lines: [line({ gross: '24.01' })] }) }))).toBeNull();
    expect(missingOf(rounded({ exact: true }))).toBeNull();
  });

  test('where an amount can’t be read', () => {
    expect(missingOf(rounded({ lines: [line({ gross: '?' })] }))).toEqual({ ...nothing, exact: true });
  });
});

test('only exactness can be done without', () => {
  const all: Missing[] = [
    { ...nothing, exact: true },
    { ...nothing, order: true },
    { ...nothing, deleted: true },
    { refundIds: ['r1'], deleted: false },
  ];

  expect(all.map(canDoWithout)).toEqual([true, false, false, false]);
});
