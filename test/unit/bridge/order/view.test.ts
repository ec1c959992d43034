import { describe, expect, test } from 'vitest';
import type { Facts } from '../../../../src/bridge/order/facts/facts.ts';
import { fingerprint, type OrderView, viewOf } from '../../../../src/bridge/order/facts/view.ts';
import { at, facts, line, refund, snapshot, transaction } from '../../../support/samples/order-facts.ts';

function view(known: Facts): OrderView {
  const seen = viewOf(known);
  if (seen === null) throw new Error('the facts hold no snapshot');
  return seen;
}

test('an order of which only a refund is known is not known yet', () => {
  const known = facts({ snapshot: null, refunds: [refund({ lines: null })], deletedAt: at('12:00') });

  expect(viewOf(known)).toBeNull();
});

describe('deletion, which has no time', () => {
  test.each<[string, Facts, string]>([
    ['after the newest state: the order is gone', facts({ deletedAt: at('12:00') }), 'trashed'],
    ['before the newest state: the order is there', facts({ deletedAt: at('10:00') }), 'live'],
    ['at the same instant: the order is there', facts({ deletedAt: at('10:01') }), 'live'],
    ['before a restoration: the order is there', facts({ deletedAt: at('12:00'), restoredAt: at('12:01') }), 'live'],
    ['after a restoration: the order is gone', facts({ deletedAt: at('12:00'), restoredAt: at('11:00') }), 'trashed'],
    ['never: the order is there', facts({ restoredAt: at('12:00') }), 'live'],
    ['of a cancelled order: it is gone', facts({ snapshot: snapshot({ lifecycle: 'cancelled' }), deletedAt: at('12:00') }), 'trashed'],
    ['of a basket: it stays a draft', facts({ snapshot: snapshot({ lifecycle: 'draft', payment: 'unpaid' }), deletedAt: at('12:00') }), 'draft'],
    ['of a paid draft: it is gone', facts({ snapshot: snapshot({ lifecycle: 'draft' }), deletedAt: at('12:00') }), 'trashed'],
    ['that the state itself contains', facts({ snapshot: snapshot({ lifecycle: 'trashed' }) }), 'trashed'],
  ])('%s', (_when, known, seen) => {
    expect(view(known).lifecycle).toBe(seen);
  });
});

describe('the moment of payment', () => {
  const charges = [transaction({ id: 't2', at: at('10:20') }), transaction({ id: 't1', at: at('10:10') })];
  const failed = transaction({ id: 't0', at: at('09:00'), status: 'failure' });
  const undated = snapshot({ paidAt: null });
  test.each<[string, Facts, string]>([
    ['the state’s own', facts({ paidAt: at('08:00'), transactions: charges }), at('10:00')],
    ['else the announced one', facts({ snapshot: undated, paidAt: at('08:00'), transactions: charges }), at('08:00')],
    ['else that of the first successful charge', facts({ snapshot: undated, transactions: [failed, ...charges] }), at('10:10')],
    ['else when it was placed', facts({ snapshot: undated, transactions: [failed] }), at('09:55')],
  ])('is %s', (_which, known, paidAt) => {
    expect(view(known).paidAt).toBe(paidAt);
  });
});

describe('gateway and transaction id', () => {
  const bare = snapshot({ gateways: [], transactionId: null });
  test('are the order’s own where it has them', () => {
    const seen = view(facts({ transactions: [transaction({ gateway: 'paypal', reference: 'other', amount: '5.00' })] }));

    expect(seen).toMatchObject({ gateways: ['stripe'], transactionId: 'pi_1' });
  });

  test('are else those of the charges that succeeded, the earliest first, then the smaller id', () => {
    const transactions = [
      transaction({ id: 't3', at: at('10:05'), gateway: 'paypal', reference: 'third' }),
      transaction({ id: 't2', at: at('10:00'), reference: 'second' }),
      transaction({ id: 't1', at: at('10:00'), reference: 'first' }),
      transaction({ id: 't0', at: at('09:00'), kind: 'other', gateway: 'klarna', reference: 'authorization' }),
      transaction({ id: 't00', at: at('09:00'), status: 'pending', gateway: 'klarna', reference: 'pending' }),
    ];

    expect(view(facts({ snapshot: bare, transactions }))).toMatchObject({ gateways: ['paypal', 'stripe'], transactionId: 'first' });
  });

  describe('B12: the charges decide where they cover the order', () => {
    const split = snapshot({ gateways: ['cod', 'stripe'] });
    const card = transaction({ gateway: 'gift_card', kind: 'other', giftCard: 'charge', id: 't2', amount: '4.00', reference: null });
    const change = transaction({ kind: 'other', change: true, id: 't3', amount: '6.00', reference: null });
    test.each<[string, Facts['transactions'][string][], string[]]>([
      ['one pays all', [transaction()], ['stripe']],
      ['one pays what a gift card left', [transaction({ amount: '20.00' }), card], ['stripe']],
      ['cash with change', [transaction({ gateway: 'cash', amount: '30.00' }), change], ['cash']],
      ['two pay a part each', [transaction({ amount: '20.00' }), transaction({ id: 't2', gateway: 'paypal', amount: '4.00' })], ['paypal', 'stripe']],
      ['one pays too little', [transaction({ amount: '23.99' })], ['cod', 'stripe']],
      ['one failed', [transaction({ status: 'failure' })], ['cod', 'stripe']],
      ['a gift card pays all', [{ ...card, amount: '24.00' }], ['cod', 'stripe']],
      ['one does not say its gateway', [transaction({ gateway: '' })], ['cod', 'stripe']],
      ['one came in another currency', [transaction({ currency: 'RON' })], ['cod', 'stripe']],
      ['one can’t be read', [transaction({ amount: '24.001' })], ['cod', 'stripe']],
    ])('%s', (_what, transactions, gateways) => {
      expect(view(facts({ snapshot: split, transactions })).gateways).toEqual(gateways);
    });

    test('not where the order’s own amount can’t be read', () => {
      expect(view(facts({ snapshot: { ...split, total: '24.001' }, transactions: [transaction()] })).gateways).toEqual(['cod', 'stripe']);
    });
  });

  test('a gift card’s reference counts only if nothing else has one', () => {
    const card = transaction({ id: 't1', gateway: 'gift_card', reference: 'card' });
    const silent = transaction({ id: 't2', reference: null });

    expect(view(facts({ snapshot: bare, transactions: [card, transaction({ id: 't2' })] })).transactionId).toBe('pi_1');
    expect(view(facts({ snapshot: bare, transactions: [card, silent] })).transactionId).toBe('card');
    expect(view(facts({ snapshot: bare, transactions: [silent] })).transactionId).toBeNull();
  });
});

describe('refunds', () => {
  const reference = { id: 'r1', amount: '5.00' };
  const lines = [{ lineId: '1', quantity: '1', amount: '24.00' }];
  const listing = snapshot({ refunds: [reference] });
  const edited = snapshot({ updatedAt: at('13:00') });
  const withoutList = snapshot({ updatedAt: at('13:00'), refunds: null });
  const plain = [{ id: 'r1', amount: '24.00', lines: [] }];
  test.each<[string, Facts, OrderView['refunds']]>([
    ['listed with known details', facts({ snapshot: listing, refunds: [refund({ lines })] }), [{ id: 'r1', amount: '24.00', lines }]],
    ['listed without details', facts({ snapshot: listing }), [{ ...reference, lines: null }]],
    ['newer than the list', facts({ refunds: [refund()] }), plain],
    ['of the list’s own second', facts({ refunds: [refund({ at: at('10:00') })] }), plain],
    ['no longer listed', facts({ snapshot: edited, refunds: [refund()] }), []],
    ['listed and newer, once', facts({ snapshot: listing, refunds: [refund()] }), plain],
    ['of orders without lists', facts({ snapshot: withoutList, refunds: [refund()] }), plain],
    ['of no money', facts({ snapshot: snapshot({ refunds: [{ id: 'r0', amount: '0.00' }] }), refunds: [refund({ amount: null })] }), []],
    [
      'deducted in part: the rest names no line',
      facts({ snapshot: snapshot({ refunds: [{ ...reference, deducted: '3.00' }] }) }),
      [{ ...reference, deducted: '3.00', lines: [] }],
    ],
    ['that can’t be read', facts({ snapshot: snapshot({ refunds: [{ id: 'r0', amount: '1.005' }] }) }), [{ id: 'r0', amount: '1.005', lines: null }]],
  ])('%s', (_which, known, seen) => {
    expect(view(known).refunds).toEqual(seen);
  });

  test('come in the order of their ids', () => {
    const ids = ['r3', 'r1', 'r2'].map((id) => ({ id, amount: '1.00' }));

    expect(view(facts({ snapshot: snapshot({ refunds: ids }) })).refunds.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3']);
  });

  describe('A6: whose money went back in another currency', () => {
    const abroad = transaction({ id: 't9', kind: 'other', reference: null, amount: '400.00', currency: 'RON' });
    const alone = refund({ amount: null, transactions: ['t9'] });

    test('are never taken for the order’s money: a person is asked until the order says how much it is', () => {
      const seen = view(facts({ refunds: [alone], transactions: [abroad] }));

      expect(seen.refunds).toEqual([]);
      expect(seen.problems).toEqual([
        { code: 'refund.unattributed', detail: 'Refund r1 gave back 400.00 RON; how much of the order that is in EUR is not known yet.' },
      ]);
    });

    test('count as the order says', () => {
      const listed = facts({ snapshot: snapshot({ refunds: [reference] }), refunds: [alone], transactions: [abroad] });

      expect(view(listed)).toMatchObject({ refunds: [{ id: 'r1', amount: '5.00' }], problems: [] });
    });

    test('count as the refund itself says', () => {
      const known = facts({ refunds: [refund({ amount: '80.00', transactions: ['t9'] })], transactions: [{ ...abroad, kind: 'refund' }] });

      expect(view(known)).toMatchObject({ refunds: [{ amount: '80.00' }], problems: [] });
    });

    test('are none while they are on their way', () => {
      expect(view(facts({ refunds: [alone], transactions: [{ ...abroad, status: 'pending' }] }))).toMatchObject({ refunds: [], problems: [] });
    });

    test('in the order’s own currency are summed', () => {
      const own = { ...abroad, kind: 'refund', amount: '5.00', currency: 'EUR' } as const;

      expect(view(facts({ refunds: [alone], transactions: [own] }))).toMatchObject({ refunds: [{ amount: '5.00' }], problems: [] });
    });
  });

  describe('whose money is in its transactions', () => {
    const back = (values: Parameters<typeof transaction>[0]) => transaction({ kind: 'refund', reference: null, ...values });
    const carried = refund({ amount: '99.00', transactions: ['t1', 't2', 't1'] });
    test.each([
      ['both succeeded', [back({ amount: '10.00' }), back({ id: 't2', amount: '5.50' })], ['15.50']],
      ['one is pending', [back({ amount: '10.00' }), back({ id: 't2', status: 'pending' })], ['10.00']],
      ['one is not known yet', [back({ amount: '10.00' })], ['10.00']],
      ['none is known yet', [], []],
      ['both failed', [back({ status: 'failure' }), back({ id: 't2', status: 'error' })], []],
      ['it only voids an authorization', [back({ kind: 'other' })], []],
      ['one can’t be read', [back({ amount: '10.00' }), back({ id: 't2', amount: '1.005' })], ['1.005']],
    ])('%s', (_which, transactions, amounts) => {
      expect(view(facts({ refunds: [carried], transactions })).refunds.map(({ amount }) => amount)).toEqual(amounts);
    });
  });
});

describe('the fingerprint', () => {
  const known = facts();
  test.each<[string, Facts]>([
    ['a new tag', facts({ snapshot: snapshot({ updatedAt: at('11:00'), digest: 'digest-2', rank: 6, status: 'completed' }) })],
    ['a changed name', facts({ customer: { kind: 'known', customer: { firstName: 'Anna' } } })],
    ['a repeated delivery', facts({ snapshotSeenAt: at('10:00'), paidSeenAt: at('10:00') })],
    ['a transaction without anything new', facts({ transactions: [transaction()] })],
    ['keys written in another order', JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(known).reverse())))],
  ])('does not change with %s', (_what, other) => {
    expect(fingerprint(other)).toBe(fingerprint(known));
  });

  test.each<[string, Facts]>([
    ['a line', facts({ snapshot: snapshot({ lines: [line({ quantity: '2' })] }) })],
    ['a refund', facts({ refunds: [refund()] })],
    ['the transaction id', facts({ snapshot: snapshot({ transactionId: 'pi_2' }) })],
    ['the gateway', facts({ snapshot: snapshot({ gateways: ['paypal'] }) })],
    ['the number', facts({ snapshot: snapshot({ number: '#1043' }) })],
    ['a deletion', facts({ deletedAt: at('12:00') })],
    ['the payment', facts({ snapshot: snapshot({ payment: 'outstanding' }) })],
    ['what is owed', facts({ snapshot: snapshot({ owed: '1.00' }) })],
    ['what was kept', facts({ snapshot: snapshot({ kept: '24.00' }) })],
    ['how far it may be off', facts({ snapshot: snapshot({ mayBeOff: '0.01' }) })],
    ['a payment that contradicts', facts({ snapshot: snapshot({ kept: '24.00' }), transactions: [transaction({ at: at('09:00'), amount: '30.00' })] })],
    ['a problem', facts({ snapshot: snapshot({ problems: [{ code: 'vat.unclear', detail: 'line 1' }] }) })],
    ['the order itself', facts({ snapshot: null })],
  ])('changes with %s', (_what, other) => {
    expect(fingerprint(other)).not.toBe(fingerprint(known));
  });

  test('news about an order that is not known changes nothing', () => {
    expect(fingerprint(facts({ snapshot: null, refunds: [refund()] }))).toBe(fingerprint(facts({ snapshot: null })));
  });
});
