import { describe, expect, test } from 'vitest';
import { desired } from '../../../../src/bridge/order/decisions/desired.ts';
import { transactionDueAt } from '../../../../src/bridge/order/decisions/next-action.ts';
import { at, facts, settings, snapshot } from '../../../support/samples/order-facts.ts';

describe('waiting for a transaction id', () => {
  const dueAt = (known: ReturnType<typeof facts>, paymentType = 'PAYMENT_PROCESSOR') => {
    const payments = { stripe: { paymentType } };
    return transactionDueAt({ facts: known, desired: desired({ orderId: '1', facts: known, settings: { ...settings, payments } }), waitSeconds: 60 });
  };
  const without = facts({ snapshot: snapshot({ transactionId: null }) });

  test.each(['PAYMENT_PROCESSOR', 'VIRTUAL_POS'])('counts from the first paid state, for %s', (paymentType) => {
    expect(dueAt(without, paymentType)).toBe(Date.parse(at('10:02')));
  });

  test('ends where the id is known', () => {
    expect(dueAt(facts())).toBeNull();
  });

  test('is not for payments without a processor', () => {
    expect(dueAt(without, 'POSTAL_PAYMENT')).toBeNull();
  });

  test('is not for orders of which nothing is to be recorded', () => {
    expect(dueAt(facts({ snapshot: snapshot({ transactionId: null, test: true }) }))).toBeNull();
  });

  test('is not for orders that were never seen paid', () => {
    expect(dueAt({ ...without, paidSeenAt: null })).toBeNull();
  });
});
