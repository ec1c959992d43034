import { expect, test } from 'vitest';
import { pathAndValue, settingKeys, settingPath } from '../../../../src/bridge/connections/setting-path.ts';

test.each([
  ['recordFrom', ['recordFrom']],
  ['vatGroups.9', ['vatGroups', '9']],
  ['vatGroups.25.5', ['vatGroups', '25.5']],
  ['payments.cod', ['payments', 'cod']],
  ['payments.cod.paymentType', ['payments', 'cod', 'paymentType']],
  ['payments.my.bank.paymentProcessorName', ['payments', 'my.bank', 'paymentProcessorName']],
  ['payments.my.bank', ['payments', 'my.bank']],
  ['payments."a.paymentType"', ['payments', 'a.paymentType']],
  ['payments."a=b".paymentType', ['payments', 'a=b', 'paymentType']],
  ['payments."a \\"b\\"".paymentType', ['payments', 'a "b"', 'paymentType']],
  ['payments."".paymentType', ['payments', '', 'paymentType']],
])('%s has its keys, and is written so', (path, keys) => {
  expect(settingKeys(path)).toEqual(keys);
  expect(settingPath(keys)).toBe(path);
});

test('a gateway may be in quotes although it needs none, and a quote must end', () => {
  expect(settingKeys('payments."a.b".paymentType')).toEqual(['payments', 'a.b', 'paymentType']);
  expect(settingKeys('payments."a.b')).toBeNull();
});

test('a value begins after the first = outside of quotes', () => {
  expect(pathAndValue('vatGroups.9=GROUP_D')).toEqual({ path: 'vatGroups.9', value: 'GROUP_D' });
  expect(pathAndValue('payments."a=b".paymentType=OTHER')).toEqual({ path: 'payments."a=b".paymentType', value: 'OTHER' });
  expect(pathAndValue('payments.x.paymentProcessorName=a=b')).toEqual({ path: 'payments.x.paymentProcessorName', value: 'a=b' });
  expect(pathAndValue('freeOrders=')).toEqual({ path: 'freeOrders', value: '' });
  expect(pathAndValue('freeOrders')).toBeNull();
  expect(pathAndValue('=x')).toBeNull();
});
