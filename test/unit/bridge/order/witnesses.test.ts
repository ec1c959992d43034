import { describe, expect, test } from 'vitest';
import type { Snapshot, Transaction } from '../../../../src/bridge/order/facts/facts.ts';
import { readWitnesses } from '../../../../src/bridge/order/facts/view.ts';
import { at, facts, line, snapshot, transaction } from '../../../support/samples/order-facts.ts';

const charge = (values: Partial<Transaction> = {}) => transaction({ at: at('09:58'), ...values });
const given = { id: 'r1', amount: '4.00', deducted: '4.00' };

/** 20.00 kept of 24.00. */
const agreeing = snapshot({ kept: '20.00', total: '24.00', lines: [line({ gross: '20.00' })], refunds: [given] });

function read(order: Snapshot, transactions: Transaction[]) {
  const { reading, problems } = readWitnesses(facts({ snapshot: order, transactions }), order);
  return problems.length > 0 ? problems.map(({ code, detail }) => `${code}: ${detail}`) : reading.total;
}

describe('payments that are known', () => {
  test.each<[string, Transaction[]]>([
    ['none', []],
    ['all of them', [charge()]],
    ['fewer than the order says', [charge({ amount: '20.00' })]],
    ['more, since the order said so', [charge(), charge({ id: 't2', at: at('10:00') })]],
    ['more, in another currency', [charge({ currency: 'RON', amount: '120.00' })]],
    ['more, but they failed', [charge(), charge({ id: 't2', status: 'failure' })]],
    ['an authorization and its capture', [charge({ id: 't0', kind: 'other' }), charge()]],
    ['cash, and its change', [charge({ amount: '50.00' }), charge({ id: 't2', kind: 'other', change: true, amount: '26.00' })]],
    ['a gift card and a card', [charge({ amount: '20.00' }), charge({ id: 't2', kind: 'other', giftCard: 'charge', amount: '4.00' })]],
    ['a gift card that was credited again', [charge(), charge({ id: 't2', kind: 'refund', giftCard: 'refund', amount: '4.00' })]],
  ])('%s: the order is as it says', (_what, transactions) => {
    expect(read(agreeing, transactions)).toBe('24.00');
  });

  test('more than the order says: a person is asked, with both figures', () => {
    expect(read(agreeing, [charge({ amount: '30.00' })])).toEqual([
      'total.mismatch: Payments of 30.00 EUR are known, less refunds 26.00 EUR, but by the order 24.00 EUR were paid, and 20.00 EUR of them kept.',
    ]);
  });

  test('are not compared where the platform gives no second total, or the order is not paid', () => {
    const { kept: _, ...single } = agreeing;

    expect(read(single, [charge({ amount: '30.00' })])).toBe('24.00');
    expect(read({ ...agreeing, payment: 'outstanding' }, [charge({ amount: '30.00' })])).toBe('24.00');
    expect(read({ ...agreeing, total: '24.001' }, [charge({ amount: '30.00' })])).toBe('24.001');
    expect(read({ ...agreeing, kept: '20.001' }, [charge({ amount: '30.00' })])).toBe('24.00');
  });
});

describe('totals and pieces that differ', () => {
  const byPieces = { lines: [line({ gross: '24.00' })], total: '24.00', refunds: [{ id: 'r1', amount: '4.00' }] };
  /** By its totals 24.00 were kept although 4.00 went back, by its pieces 20.00. */
  const uncertain = snapshot({ kept: '24.00', total: '28.00', refunds: [{ ...given }], otherwise: [byPieces] });

  test('the payments decide', () => {
    expect(read(uncertain, [charge()])).toBe('24.00');
    expect(read(uncertain, [charge({ amount: '28.00' })])).toBe('28.00');
    expect(readWitnesses(facts({ snapshot: uncertain, transactions: [charge()] }), uncertain).reading).toEqual(byPieces);
  });

  test('a payment of the order’s own second counts, or does not, whichever fits', () => {
    expect(read(uncertain, [charge({ at: at('10:00') })])).toBe('24.00');
    expect(read(uncertain, [charge(), charge({ id: 't2', at: at('10:00'), amount: '7.00' })])).toBe('24.00');
    expect(read(uncertain, [charge({ at: at('10:01') })])).toMatchObject([expect.stringContaining('total.mismatch')]);
  });

  test.each<[string, Transaction[], string]>([
    ['without payments', [], '.'],
    ['with payments of another currency', [charge({ currency: 'RON' })], '.'],
    ['with a payment that can’t be read', [charge({ amount: '24.001' })], '.'],
    ['with other payments', [charge({ amount: '26.00' })], ', and the known payments less refunds are 22.00 EUR.'],
  ])('%s a person is asked, with every figure', (_what, transactions, end) => {
    expect(read(uncertain, transactions)).toEqual([`total.mismatch: The lines that are left come to 20.00 EUR, paid and kept are 24.00 EUR${end}`]);
  });

  test('one reading that differs from the totals is not believed without the payments either', () => {
    const single = { ...agreeing, kept: '24.00' };

    expect(read(single, [])).toEqual(['total.mismatch: The lines that are left come to 20.00 EUR, paid and kept are 24.00 EUR.']);
    expect(read(single, [charge()])).toBe('24.00');
  });

  test('readings of one amount are told apart by no payment but theirs', () => {
    const twice = snapshot({ kept: '24.00', refunds: [], otherwise: [{ ...byPieces, refunds: [] }] });

    expect(read(twice, [])).toEqual(['total.mismatch: The lines that are left come to 24.00 EUR, paid and kept are 24.00 EUR.']);
  });

  test('a refund whose amount can’t be read counts as nothing here: it is reported with the lines', () => {
    expect(read(snapshot({ kept: '24.00', refunds: [{ id: 'r1', amount: '1.005' }] }), [])).toBe('24.00');
    expect(read(snapshot({ kept: '24.00', refunds: null }), [])).toBe('24.00');
  });
});
