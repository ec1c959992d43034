import { describe, expect, test } from 'vitest';
import { goesOnWithout, toFetch, waitedTooLong } from '../../../../src/bridge/order/decisions/next-action.ts';
import type { Facts, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import type { Terms } from '../../../../src/bridge/order/facts/settings.ts';
import { at, facts, line, refund, snapshot } from '../../../support/samples/order-facts.ts';
import { sampleClaim, sampleTerms } from '../../../support/samples/sample-claim.ts';

const noLines = { refundIds: ['r1'], deleted: false };
const gone = at('12:30');

function fetched(known: Facts, settings: Partial<Terms['settings']> = {}) {
  return toFetch(sampleClaim({ facts: known }), sampleTerms({ settings }));
}

function given(state: Partial<Snapshot>, amount = '12.00', values: Partial<Omit<Facts, 'refunds' | 'transactions'>> = {}): Facts {
  return facts({ snapshot: snapshot(state), refunds: [refund({ amount, lines: null })], ...values });
}

const twoRates = { lines: [line({ gross: '12.00' }), line({ id: '2', gross: '12.00', vatRate: '9' })] };

describe('B3: the lines of a refund are fetched only where they can change the record', () => {
  test.each<[string, Facts]>([
    ['what is left can be recorded', given({})],
    ['the rates of what is left depend on them', given(twoRates)],
    ['what they take back has a rate that is not mapped', given({ lines: [line({ gross: '12.00' }), line({ id: '2', gross: '12.00', vatRate: '7' })] })],
  ])('they are where %s', (_where, known) => {
    expect(fetched(known)).toEqual(noLines);
  });

  test.each<[string, Facts]>([
    ['of a full refund', given({}, '24.00')],
    ['of a full refund over two rates', given(twoRates, '24.00')],
    ['of an order that is not paid', given({ payment: 'unpaid' })],
    ['of a test', given({ test: true })],
    ['of an order that was paid before its time', given({ paidAt: '2026-10-01T00:00:00.000Z' })],
    ['of an order whose payment a person must map', given({ gateways: ['unknownpay'] })],
    ['of one whose payment and whose refund a person must look at', given({ gateways: ['unknownpay'], ...twoRates })],
    ['of an order that no tax record can express', given({ problems: [{ code: 'order.inexpressible', detail: 'half a line' }] })],
    ['of an order that is outstanding', given({ payment: 'outstanding' })],
  ])('they are not %s', (_whose, known) => {
    expect(fetched(known)).toBeNull();
  });
});

describe('a deletion is looked up only where the record depends on it', () => {
  test('it is of a paid order', () => {
    expect(fetched(facts({ deletedAt: gone }))).toEqual({ refundIds: [], deleted: true });
    expect(fetched(facts({ deletedAt: gone }), { removeWithoutRefund: 'remove' })).toEqual({ refundIds: [], deleted: true });
  });

  test('with the lines of its refunds, which count if it is back', () => {
    expect(fetched(given({}, '12.00', { deletedAt: gone }))).toEqual({ refundIds: ['r1'], deleted: true });
  });

  test('it is not of an order without a record, of one that was refunded, or where the record stays anyway', () => {
    expect(fetched(facts({ snapshot: snapshot({ payment: 'unpaid' }), deletedAt: gone }))).toBeNull();
    expect(fetched(given({}, '24.00', { deletedAt: gone }))).toBeNull();
    expect(fetched(facts({ deletedAt: gone }), { removeWithoutRefund: 'keep' })).toBeNull();
  });
});

describe('exact amounts', () => {
  const rounded = { lines: [line({ gross: '24.01' })], mayBeOff: '0.01' };

  test('are fetched for a record, and for lines that do not add up', () => {
    expect(fetched(facts({ snapshot: snapshot(rounded) }))).toEqual({ refundIds: [], deleted: false, exact: true });
  });

  test('are not for an order without a record', () => {
    expect(fetched(facts({ snapshot: snapshot({ ...rounded, payment: 'unpaid' }) }))).toBeNull();
  });
});

test('an order that may be back from the trash is fetched whatever would be recorded: its state is not known', () => {
  const trashed = facts({ snapshot: snapshot({ payment: 'unpaid', lifecycle: 'trashed' }), changedAt: gone });
  expect(fetched(trashed)).toEqual({ refundIds: [], deleted: false, order: true });
});

test('nothing is fetched where nothing is missing, nor because an order is said to have changed', () => {
  expect(fetched(facts())).toBeNull();
  expect(fetched(facts({ changedAt: gone }))).toBeNull();
});

test('a person is asked after six hours', () => {
  const now = Date.parse('2026-11-20T10:30:00Z');

  expect(waitedTooLong({ dirtySince: '2026-11-20T04:30:00.001Z' }, now)).toBe(false);
  expect(waitedTooLong({ dirtySince: '2026-11-20T04:30:00.000Z' }, now)).toBe(true);
  expect(waitedTooLong({ dirtySince: null }, now)).toBe(false);
});

describe('a word that the order changed is not waited for', () => {
  const missing = { refundIds: ['r1'], deleted: false, order: true as const };
  const without = (known: Facts) => goesOnWithout(sampleClaim({ facts: known }), sampleTerms(), missing);
  const changedAt = at('12:30');

  test('once all of its money is known to have gone back', () => {
    expect(without(given({}, '24.00', { changedAt }))).toBe(true);
  });

  test('but it is where a part went back, or where a deleted refund is in doubt', () => {
    expect(without(given({}, '12.00', { changedAt }))).toBe(false);
    const uncertain = facts({ snapshot: snapshot({ refunds: [{ id: 'r1', amount: '24.00' }] }), withdrawn: { r1: at('12:30') } });
    expect(goesOnWithout(sampleClaim({ facts: uncertain }), sampleTerms({ refundsVanish: true }), missing)).toBe(false);
  });
});
