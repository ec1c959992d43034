import { describe, expect, test } from 'vitest';
import { hasReceipt, receiptDue } from '../../../../src/bridge/order/decisions/claim.ts';

describe('a receipt is requested', () => {
  test.each<[string, boolean, boolean]>([
    ['PAYMENT_PROCESSOR', true, true],
    ['VIRTUAL_POS', true, true],
    ['BANK_TRANSFER', true, false],
    ['FISCAL_RECEIPT', true, false],
    ['OTHER', true, false],
    ['A_TYPE_OF_ANOTHER_SERVICE', true, false],
    ['POSTAL_PAYMENT', true, false],
    ['PAYMENT_PROCESSOR', false, false],
    ['POSTAL_PAYMENT', false, false],
  ])('of a record paid by %s, the setting being %s: %s', (paymentType, isWanted, expected) => {
    expect(hasReceipt({ paymentType }, isWanted)).toBe(expected);
  });
});

test('a receipt that is due names its record and since when', () => {
  expect(receiptDue('c-1', Date.parse('2026-11-21T10:00:00Z'))).toEqual({ state: 'due', complianceId: 'c-1', since: '2026-11-21T10:00:00.000Z', seq: null });
});
