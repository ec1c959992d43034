import { describe, expect, test } from 'vitest';
import { type Facts, noFacts } from '../../../../src/bridge/order/facts/facts.ts';
import type { CreateOrderDto } from '../../../../src/contract/order-dto.ts';
import { orderSources } from '../../../../src/operations/order-detail/order-sources.ts';
import { line, snapshot } from '../../../support/samples/order-facts.ts';

type Sold = { name: string; quantity: number; price: number; discount?: number };

const record = (lines: readonly Sold[], currency = 'EUR'): CreateOrderDto => ({
  ...{ internalId: '1', internalNumber: '1', internalCreatedAt: '2026-11-01T10:00:00Z', paymentType: 'CARD', precision: 2, currency, shopId: 'shop' },
  lineItems: lines.map((one) => ({ ...one, vatRate: 20, vatGroup: 'GROUP_B' })),
});

const facts = (changes: Partial<Facts> = {}): Facts => ({
  ...noFacts,
  snapshot: snapshot({
    currency: 'EUR',
    total: '48.00',
    lines: [line({ id: 'a', name: 'Shirt', quantity: '2', gross: '48.00', discount: '0.00', vatRate: '20' })],
  }),
  ...changes,
});

const shirts = [{ name: 'Shirt', quantity: 2, price: 24 }];

describe('store, settings and service', () => {
  test('agree, also if a record had to split a line', () => {
    const split = record([
      { name: 'Shirt', quantity: 1, price: 24.01 },
      { name: 'Shirt', quantity: 1, price: 23.99 },
    ]);

    const { rows, totals } = orderSources({ facts: facts() }, { desired: { kind: 'record', record: record(shirts) }, record: split, state: 'review' });

    expect(rows).toMatchObject([
      { name: 'Shirt', rate: '20', store: { quantity: '2', amount: '48.00' }, recorded: { quantity: '2', amount: '48.00' }, differs: false },
    ]);
    expect(totals).toMatchObject({ differs: false, recorded: { amount: '48.00', currency: 'EUR' } });
  });

  test('differ by a cent, a missing line, and a line too many', () => {
    const should = record([...shirts, { name: 'Cup', quantity: 1, price: 5 }]);
    const recorded = record([{ name: 'Shirt', quantity: 2, price: 24, discount: 0.01 }]);

    const { rows, totals } = orderSources({ facts: facts() }, { desired: { kind: 'record', record: should }, record: recorded, state: 'review' });

    expect(rows.map(({ name, differs }) => [name, differs])).toEqual([
      ['Shirt', true],
      ['Cup', true],
    ]);
    expect(totals.differs).toBe(true);
  });

  test('as long as it can’t be said what should stand, what recorded is held against the store', () => {
    const open = { kind: 'problems', problems: [{ code: 'payment.unmapped', detail: 'x' }] } as const;
    const problems = { kind: open.kind, problems: [...open.problems] };

    expect(orderSources({ facts: facts() }, { desired: problems, record: null, state: 'review' })).toMatchObject({
      isOpen: true,
      totals: { differs: false, recorded: null },
    });
    expect(orderSources({ facts: facts() }, { desired: problems, record: record(shirts), state: 'review' }).totals.differs).toBe(false);
    expect(
      orderSources({ facts: facts() }, { desired: problems, record: record([{ name: 'Shirt', quantity: 1, price: 24 }]), state: 'review' }).totals.differs,
    ).toBe(true);
  });

  test('of an unconfirmed order nothing is said of what recorded', () => {
    const should = { kind: 'record', record: record(shirts) } as const;

    expect(orderSources({ facts: facts() }, { desired: should, record: null, state: 'unconfirmed' })).toMatchObject({
      isUncertain: true,
      totals: { differs: false },
    });
    expect(orderSources({ facts: facts() }, { desired: should, record: null, state: 'queued' }).totals.differs).toBe(true);
  });

  test('what should not stand and does is a difference', () => {
    const nothing = { kind: 'nothing', why: 'refunded' } as const;

    expect(orderSources({ facts: facts() }, { desired: nothing, record: record(shirts), state: 'review' })).toMatchObject({
      rows: [{ differs: true }],
      totals: { differs: true },
    });
    expect(orderSources({ facts: facts() }, { desired: nothing, record: null, state: 'review' })).toMatchObject({
      rows: [{ differs: false }],
      totals: { differs: false },
    });
  });

  test('a refund comes off the line that it names, and else is a line of its own', () => {
    const refund = { id: 'r', at: '2026-11-02T10:00:00.000Z', amount: '24.00', transactions: [] };
    const mentioned = { ...facts().snapshot, refunds: [{ id: 'r', amount: '24.00' }] } as NonNullable<Facts['snapshot']>;
    const named = facts({ snapshot: mentioned, refunds: { r: { ...refund, lines: [{ lineId: 'a', quantity: '1', amount: '24.00' }] } } });
    const unnamed = facts({ snapshot: mentioned, refunds: { r: { ...refund, lines: [] } } });
    const one = { kind: 'record', record: record([{ name: 'Shirt', quantity: 1, price: 24 }]) } as const;

    expect(orderSources({ facts: named }, { desired: one, record: one.record, state: 'review' })).toMatchObject({
      rows: [{ store: { quantity: '1', amount: '24.00' }, differs: false }],
      refunded: { all: '24.00', unnamed: null },
      totals: { store: { amount: '24.00' }, differs: false },
    });
    expect(orderSources({ facts: unnamed }, { desired: one, record: one.record, state: 'review' })).toMatchObject({
      refunded: { all: '24.00', unnamed: '24.00' },
      totals: { store: { amount: '24.00' } },
    });
  });

  test('amounts of another currency are not compared, and nothing is known of an order without a snapshot', () => {
    const leva = { kind: 'record', record: record([{ name: 'Shirt', quantity: 2, price: 46.94 }], 'BGN') } as const;

    expect(orderSources({ facts: facts() }, { desired: leva, record: leva.record, state: 'review' })).toMatchObject({
      rows: [{ differs: false }],
      totals: { differs: false },
    });
    expect(orderSources({ facts: noFacts }, { desired: { kind: 'nothing', why: 'unknown' }, record: null, state: 'review' })).toMatchObject({
      rows: [],
      totals: { store: null, differs: false },
    });
  });
});
