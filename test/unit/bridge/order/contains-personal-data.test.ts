import { expect, test } from 'vitest';
import { containsPersonalData } from '../../../../src/bridge/order/facts/failure.ts';

test.each(['compliance.refused', 'replacement.refused', 'storefront.changed'])('the words of %s repeat what somebody else said', (code) => {
  expect(containsPersonalData(code)).toBe(true);
});

test.each(['mapping.missing', 'money.mismatch', 'record.doubled', 'not.compliance.refused'])('the words of %s are our own', (code) => {
  expect(containsPersonalData(code)).toBe(false);
});
