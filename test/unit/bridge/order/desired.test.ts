import { describe, expect, test } from 'vitest';
import { type Desired, desired, type NothingReason } from '../../../../src/bridge/order/decisions/desired.ts';
import type { Facts, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import type { StoredCode } from '../../../../src/bridge/order/facts/failure.ts';
import type { FiscalSettings } from '../../../../src/bridge/order/facts/settings.ts';
import { at, facts, line, refund, settings, snapshot, transaction } from '../../../support/samples/order-facts.ts';

function decide(known: Facts, changed: Partial<FiscalSettings> = {}): Desired {
  return desired({ orderId: '5001', facts: known, settings: { ...settings, ...changed } });
}

/** The decision over one mug, with this much of it changed. */
function decideOn(values: Partial<Snapshot>, changed: Partial<FiscalSettings> = {}): Desired {
  return decide(facts({ snapshot: snapshot(values) }), changed);
}

function codes(result: Desired): StoredCode[] {
  return result.kind === 'problems' ? result.problems.map(({ code }) => code) : [];
}

const refunded = { refunds: [{ id: 'r1', amount: '24.00' }] };
const free: Partial<Snapshot> = { lines: [line({ discount: '24.00' })], total: '0.00', gateways: [] };

test('a paid order is recorded, with everything the record needs', () => {
  expect(decide(facts())).toEqual({
    kind: 'record',
    record: {
      internalId: '5001',
      internalNumber: '#1042',
      internalCreatedAt: '2026-11-20T11:55:00+02:00',
      lineItems: [{ name: 'Mug', quantity: 1, price: '24.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
      paymentType: 'PAYMENT_PROCESSOR',
      paymentProcessorName: 'Stripe',
      currency: 'EUR',
      precision: 2,
      transactionId: 'pi_1',
    },
  });
});

describe('nothing is recorded', () => {
  test.each<[string, NothingReason, Desired]>([
    ['while the order itself has not come', 'unknown', decide(facts({ snapshot: null, refunds: [refund()] }))],
    ['of a test order', 'test', decideOn({ test: true, lifecycle: 'draft' })],
    ['of a draft that was never paid', 'draft', decide(facts({ snapshot: snapshot({ lifecycle: 'draft', payment: 'unpaid' }), paidSeenAt: null }))],
    ['of an unpaid order', 'unpaid', decideOn({ payment: 'unpaid' })],
    ['of an unpaid order that was thrown away', 'unpaid', decideOn({ payment: 'unpaid', lifecycle: 'trashed' })],
    ['of an order to be paid on delivery', 'unpaid', decideOn({ payment: 'on-delivery' })],
    ['of a paid order while its store is on trial', 'trial', decideOn({ paidAt: '2026-10-31T23:59:59.000Z' }, { onTrial: true })],
    ['of an order paid before the connection records', 'before-record-from', decideOn({ paidAt: '2026-10-31T23:59:59.000Z' })],
    ['of a fully refunded order', 'refunded', decideOn(refunded)],
    ['of an order refunded beyond its total', 'refunded', decideOn({ refunds: [{ id: 'r1', amount: '30.00' }] })],
    ['of an order refunded in parts', 'refunded', decideOn({ refunds: ['a', 'b'].map((id) => ({ id, amount: '12.00' })) })],
    ['of a cancelled order that was refunded', 'refunded', decideOn({ ...refunded, lifecycle: 'cancelled' })],
    ['of a free order', 'free', decideOn(free)],
    ['of a free order without a priced line', 'free', decideOn({ ...free, lines: [line({ gross: '0.00' })] }, { freeOrders: 'record' })],
    ['of a cancelled free order', 'free', decideOn({ ...free, lifecycle: 'cancelled' })],
    ['of a cancelled free order that was recorded', 'removed', decideOn({ ...free, lifecycle: 'cancelled' }, { freeOrders: 'record' })],
    ['of a cancelled order, where that is enough', 'removed', decideOn({ lifecycle: 'cancelled' }, { removeWithoutRefund: 'remove' })],
    ['of a deleted order, where that is enough', 'removed', decide(facts({ deletedAt: at('12:00') }), { removeWithoutRefund: 'remove' })],
  ])('%s', (_what, why, decision) => {
    expect(decision).toEqual({ kind: 'nothing', why });
  });
});

describe('an order is recorded', () => {
  test.each<[string, Desired]>([
    ['that was paid at the very moment recording starts', decideOn({ paidAt: '2026-11-01T00:00:00.000Z' })],
    ['whose start is written with an offset', decideOn({ paidAt: '2026-10-31T23:00:00.000Z' }, { recordFrom: '2026-11-01T01:00:00+02:00' })],
    ['that will be paid on delivery, where the merchant counts it as paid', decideOn({ payment: 'on-delivery' }, { codPaidWhen: 'processing' })],
    ['that was cancelled without a refund, where it is to be kept', decideOn({ lifecycle: 'cancelled' }, { removeWithoutRefund: 'keep' })],
    ['that was deleted without a refund, where it is to be kept', decide(facts({ deletedAt: at('12:00') }), { removeWithoutRefund: 'keep' })],
    ['whose refund is still pending', decide(facts({ refunds: [refund({ transactions: ['t1'] })] }))],
  ])('%s', (_what, decision) => {
    expect(decision).toMatchObject({ kind: 'record', record: { lineItems: [{ price: '24.00', discount: '0.00' }] } });
  });

  test('that is free, where the merchant wants that, with its discounted lines', () => {
    const payments = { free: { paymentType: 'OTHER' } };
    const gift = line({ id: '2', name: 'Gift', gross: '0.00' });

    expect(decideOn({ ...free, lines: [line({ discount: '24.00' }), gift] }, { freeOrders: 'record', payments })).toMatchObject({
      kind: 'record',
      record: { paymentType: 'OTHER', lineItems: [{ name: 'Mug', price: '24.00', discount: '24.00' }] },
    });
  });
});

describe('a person is asked', () => {
  test.each<[string, StoredCode[], Desired]>([
    ['of everything the storefront could not say', ['vat.unclear', 'seller.other'], decideOn(unclear())],
    ['even if it was refunded', ['vat.unclear', 'seller.other'], decideOn({ ...unclear(), ...refunded })],
    ['when something of a paid order is open again', ['payment.outstanding'], decideOn({ payment: 'outstanding' })],
    ['when a paid order is cancelled and no refund is seen', ['removal.unproven'], decideOn({ lifecycle: 'cancelled' })],
    ['when a paid order becomes a draft', ['removal.unproven'], decideOn({ lifecycle: 'draft' })],
    ['when a paid order is deleted', ['removal.unproven'], decide(facts({ deletedAt: at('12:00') }))],
    ['when a VAT rate has no group', ['vat.unmapped'], decideOn({ lines: [line({ vatRate: '7' })] })],
    ['when no gateway is named', ['payment.unmapped'], decideOn({ gateways: [] })],
    ['when a free order has no payment type', ['payment.unmapped'], decideOn(free, { freeOrders: 'record' })],
    ['when the gateway has no type', ['payment.unmapped'], decideOn({ gateways: ['constructor'] })],
    ['when two gateways took money', ['payment.split'], decideOn({ gateways: ['stripe', 'cod', 'gift_card'] })],
    ['when only a gift card paid and has no type', ['payment.unmapped'], decideOn({ gateways: ['gift_card'] })],
    ['when the lines are not the total', ['total.mismatch'], decideOn({ total: '24.01' })],
    ['when the total has too many decimals', ['amount.inexact'], decideOn({ total: '24.005' })],
    ['when a refund has too many decimals', ['amount.inexact'], decideOn({ refunds: [{ id: 'r1', amount: '1.005' }] })],
  ])('%s', (_when, expected, decision) => {
    expect(codes(decision)).toEqual(expected);
  });

  test('of all problems at once', () => {
    const lines = [line(), line({ id: '2', vatRate: '7' }), line({ id: '3', vatRate: '5' }), line({ id: '4', vatRate: '6', gross: '0.00' })];
    const odd = { lines, total: '72.00', gateways: ['mystery'], refunds: [{ id: 'r1', amount: '10.00' }] };

    expect(codes(decideOn(odd))).toEqual(['payment.unmapped', 'vat.unmapped', 'vat.unmapped', 'refund.unattributed']);
  });

  test('in words that name the sums, the rate and the gateway', () => {
    const decision = decideOn({ total: '25.00', gateways: ['mystery'], lines: [line({ vatRate: '7' })] });

    expect(decision).toMatchObject({
      problems: [
        { detail: 'The payment method “mystery” has no type.' },
        { detail: 'The VAT rate 7 % has no group.' },
        { detail: 'The lines add up to 24.00 EUR, the order to 25.00 EUR.' },
      ],
    });
  });

  test('in words that say what happened to the order', () => {
    expect(decideOn({ lifecycle: 'cancelled' })).toMatchObject({
      problems: [{ detail: 'It was cancelled, but the refunds seen do not cover its 24.00 EUR.' }],
    });
    expect(decide(facts({ deletedAt: at('12:00') }))).toMatchObject({ problems: [{ detail: expect.stringContaining('It was trashed or deleted') }] });
    expect(decideOn({ payment: 'outstanding' })).toMatchObject({ problems: [{ detail: 'It comes to 24.00 EUR, and not all of that is paid.' }] });
  });
});

describe('payment', () => {
  test('is read from the one gateway other than gift cards', () => {
    expect(decideOn({ gateways: ['gift_card', 'cod', 'cod'] })).toMatchObject({ record: { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: null } });
  });

  test('by gift card alone has its own mapping', () => {
    expect(decideOn({ gateways: ['gift_card'] }, { payments: { gift_card: { paymentType: 'OTHER' } } })).toMatchObject({ record: { paymentType: 'OTHER' } });
  });

  test('is read from the charges where the order names no gateway', () => {
    const known = facts({ snapshot: snapshot({ gateways: [], transactionId: null }), transactions: [transaction({ reference: 'pi_9' })] });

    expect(decide(known)).toMatchObject({ record: { paymentProcessorName: 'Stripe', transactionId: 'pi_9' } });
  });
});

function unclear(): Partial<Snapshot> {
  return {
    problems: [
      { code: 'vat.unclear', detail: 'line 1' },
      { code: 'seller.other', detail: 'a marketplace' },
    ],
  };
}

describe('an order in a currency that had ended when it was made', () => {
  const inLeva = (createdAt: string, changed: Partial<FiscalSettings> = { refuseEndedCurrencies: true }) => decideOn({ currency: 'BGN', createdAt }, changed);

  test.each([
    ['2026-02-01T00:00:00+02:00', ['currency.ended']],
    ['2026-01-31T22:00:00Z', ['currency.ended']],
    ['2026-02-01T00:00:00', ['currency.ended']],
    ['2026-01-31T21:59:59Z', []],
    ['2026-01-31T23:59:59', []],
    ['2025-12-10T09:30:00+02:00', []],
  ])('waits for a person by its own time alone, where the settings refuse it: %s', (createdAt, problems) => {
    expect(codes(inLeva(createdAt))).toEqual(problems);
  });

  test('names currency and day', () => {
    expect(inLeva('2026-11-20T11:55:00+02:00')).toMatchObject({ problems: [{ detail: 'BGN ended on 2026-01-31, before the order was made.' }] });
  });

  test.each<[string, Desired]>([
    ['where the settings say nothing of it', inLeva('2026-11-20T11:55:00+02:00', {})],
    ['where it is converted to euro', inLeva('2026-11-20T11:55:00+02:00', { refuseEndedCurrencies: true, convertTo: 'EUR' })],
    ['in a currency that is in use', decideOn({ currency: 'USD' }, { refuseEndedCurrencies: true })],
  ])('is recorded %s', (_where, decision) => {
    expect(decision.kind).toBe('record');
  });

  test('of which nothing is left needs nobody', () => {
    expect(decideOn({ currency: 'BGN', ...refunded }, { refuseEndedCurrencies: true })).toEqual({ kind: 'nothing', why: 'refunded' });
  });
});

describe('text without a visible character is never sent', () => {
  const blank = '\u200b\u2060\u3164';

  test('a line is named by its kind', () => {
    const decision = decideOn({ lines: [line({ id: 'a', name: blank, gross: '12.00' }), line({ id: 'b', kind: 'shipping', name: ' ', gross: '12.00' })] });

    expect(decision).toMatchObject({ record: { lineItems: [{ name: 'item' }, { name: 'shipping' }] } });
  });

  test('an order’s number is its id, and a reference is none', () => {
    expect(decideOn({ number: blank, transactionId: blank })).toMatchObject({ record: { internalNumber: '5001', transactionId: null } });
  });

  test('a number is recorded as a service takes it', () => {
    expect(decideOn({ number: `#1\u000b${'2'.repeat(300)}` })).toMatchObject({ record: { internalNumber: `#1 ${'2'.repeat(252)}` } });
  });

  test('so is a reference', () => {
    expect(decideOn({ transactionId: `pi\u000b${'2'.repeat(200)}` })).toMatchObject({ record: { transactionId: `pi ${'2'.repeat(197)}` } });
    expect(decideOn({ transactionId: 'p'.repeat(200) })).toMatchObject({ record: { transactionId: 'p'.repeat(200) } });
  });
});
