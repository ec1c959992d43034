import { expect, test } from 'vitest';
import { wordsIn } from '../../../src/console/messages/messages.ts';
import { checkResult } from '../../../src/console/pages/review/check-result.ts';
import type { Person } from '../../../src/operations/people/sessions.ts';
import type { ShownBulkAction } from '../../../src/operations/review/show-bulk-action.ts';

const recorded = { total: '42.00 EUR', paymentType: 'POSTAL_PAYMENT', paymentProcessorName: null, document: '0000000031' };
const about = { of: 'check', group: 'g', store: 'Corner', connectionId: 'c', code: 'payment.unmapped', pattern: 'The payment method “econt” has no type.' };

function shown(changes: Partial<NonNullable<ShownBulkAction['one']>>): string {
  const one = { id: 1, number: '2020', state: 'recorded', detail: null, recorded, ...changes };
  const bulkAction = { one, about, left: 0, underWay: 0, issues: [] } as unknown as ShownBulkAction;
  return checkResult(bulkAction, wordsIn('en'), { role: 'owner' } as Person).markup;
}

test('of the first order it is said what was recorded, not an id, and what to do if that is wrong', () => {
  const markup = shown({});

  expect(markup).toContain('Order 2020 is recorded: €42.00, Postal money order (cash on delivery), document 0000000031.');
  expect(markup).toContain('record the order anew on its page');
});

test('at another service it has no document of ours, and a processor is named', () => {
  const paypal = { ...recorded, paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'LU22046007 PayPal', document: null };

  expect(shown({ recorded: paypal })).toContain('Payment service (PayPal, Stripe, ePay…), LU22046007 PayPal.');
  expect(shown({ recorded: null })).toContain('Order 2020 is recorded.');
});
