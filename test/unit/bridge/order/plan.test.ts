import { describe, expect, test } from 'vitest';
import type { Desired } from '../../../../src/bridge/order/desired.ts';
import { type Plan, plan, type Standing, sameContent } from '../../../../src/bridge/order/plan.ts';
import type { TaxRecord } from '../../../../src/contract/record.ts';

const record: TaxRecord = {
  internalId: '5001',
  internalNumber: '#1042',
  internalCreatedAt: '2026-11-20T11:55:00+02:00',
  lineItems: [
    { name: 'Mug', quantity: 2, price: '12.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' },
    { name: 'Book', quantity: 1, price: '9.00', discount: '1.00', vatRate: '9', vatGroup: 'GROUP_D' },
  ],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: 'Stripe',
  currency: 'EUR',
  precision: 2,
  transactionId: null,
};
const other: TaxRecord = { ...record, internalNumber: '#1043' };

const wanted: Desired = { kind: 'record', record: { ...record, transactionId: 'pi_1' } };
const nothing: Desired = { kind: 'nothing', why: 'refunded' };
const unmapped: Desired = { kind: 'problems', problems: [{ code: 'vat.unmapped', detail: '7 %' }] };

const standings = {
  none: { kind: 'none' },
  'the same record': { kind: 'record', record },
  'another record': { kind: 'record', record: other },
  'the same, unconfirmed': { kind: 'unconfirmed', record },
  'another, unconfirmed': { kind: 'unconfirmed', record: other },
} as const satisfies Record<string, Standing>;

const create: Plan = { kind: 'steps', steps: ['create'] };
const remove: Plan = { kind: 'steps', steps: ['delete'] };
const replace: Plan = { kind: 'steps', steps: ['delete', 'create'] };
const park: Plan = { kind: 'park', problems: [{ code: 'vat.unmapped', detail: '7 %' }] };
const rest: Plan = { kind: 'rest' };
const ask: Plan = { kind: 'ask' };

describe('the plan, over all that may be desired and all that may stand', () => {
  test.each<[Desired, keyof typeof standings, Plan]>([
    [wanted, 'none', create],
    [wanted, 'the same record', rest],
    [wanted, 'another record', replace],
    [wanted, 'the same, unconfirmed', { kind: 'resend-or-ask' }],
    [wanted, 'another, unconfirmed', ask],
    [nothing, 'none', rest],
    [nothing, 'the same record', remove],
    [nothing, 'another record', remove],
    [nothing, 'the same, unconfirmed', ask],
    [nothing, 'another, unconfirmed', ask],
    [unmapped, 'none', park],
    [unmapped, 'the same record', park],
    [unmapped, 'another record', park],
    [unmapped, 'the same, unconfirmed', park],
    [unmapped, 'another, unconfirmed', park],
  ])('$0.kind desired, standing: $1', (desired, standing, planned) => {
    expect(plan(desired, standings[standing])).toEqual(planned);
  });
});

describe('the same fiscal content', () => {
  const [mug, book] = record.lineItems;
  test.each<[string, Partial<TaxRecord>]>([
    ['a late transaction id', { transactionId: 'pi_1' }],
    ['lines in another order', { lineItems: record.lineItems.toReversed() }],
    ['the same moment in another time zone', { internalCreatedAt: '2026-11-20T09:55:00Z' }],
  ])('is not changed by %s', (_what, values) => {
    expect(sameContent(record, { ...record, ...values })).toBe(true);
  });

  test.each<[string, Partial<TaxRecord>]>([
    ['a quantity', { lineItems: [{ ...mug, quantity: 1 }, book] as TaxRecord['lineItems'] }],
    ['a price', { lineItems: [{ ...mug, price: '12.01' }, book] as TaxRecord['lineItems'] }],
    ['a line twice', { lineItems: [mug, book, book] as TaxRecord['lineItems'] }],
    ['a payment type', { paymentType: 'POSTAL_PAYMENT' }],
    ['a processor', { paymentProcessorName: null }],
    ['a currency', { currency: 'BGN' }],
    ['a precision', { precision: 3 }],
    ['a number', { internalNumber: '#1' }],
    ['an order', { internalId: '5002' }],
    ['a moment', { internalCreatedAt: '2026-11-20T11:56:00+02:00' }],
    ['a moment without an offset', { internalCreatedAt: '2026-11-20T11:55:00' }],
  ])('is changed by %s', (_what, values) => {
    expect(sameContent(record, { ...record, ...values })).toBe(false);
  });

  test('moments without an offset are compared as they are written', () => {
    const local = { ...record, internalCreatedAt: '2026-11-20T11:55:00' };

    expect(sameContent(local, { ...local })).toBe(true);
  });
});
