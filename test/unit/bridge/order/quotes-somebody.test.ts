import { expect, test } from 'vitest';
import { quotesSomebody } from '../../../../src/bridge/order/quotes-somebody.ts';

test.each(['compliance.refused', 'replacement.refused', 'storefront.changed'])('the words of %s repeat what somebody else said', (code) => {
  expect(quotesSomebody(code)).toBe(true);
});

test.each(['mapping.missing', 'money.mismatch', 'record.doubled', 'not.compliance.refused'])('the words of %s are our own', (code) => {
  expect(quotesSomebody(code)).toBe(false);
});
