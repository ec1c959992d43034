import { expect, test } from 'vitest';
import { nearestName } from '../../../src/platform/nearest-name.ts';

const names = ['PUBLIC_URL', 'SMTP_URL', 'REDIS_URL', 'recordFrom', 'cod'];

test.each([
  ['PUBIC_URL', 'PUBLIC_URL'],
  ['PUBLIC_ULR', 'PUBLIC_URL'],
  ['smtp_url', 'SMTP_URL'],
  ['REDIS_URI', 'REDIS_URL'],
  ['recordFrm', 'recordFrom'],
  ['recrodFrmo', 'recordFrom'],
  ['codd', 'cod'],
])('%s is meant to be %s', (typed, meant) => {
  expect(nearestName(typed, names)).toBe(meant);
});

test.each(['HOME', 'SMTP_PORT', 'x', '', 'cash', 'PUBLIC_ADDRESS'])('%j is near to none', (typed) => {
  expect(nearestName(typed, names)).toBeNull();
});

test('of several the nearest is taken', () => {
  expect(nearestName('paymentTypes', ['payment', 'paymentTypos', 'paymentType'])).toBe('paymentTypos');
});
