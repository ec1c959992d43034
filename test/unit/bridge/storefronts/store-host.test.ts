import { expect, test } from 'vitest';
import { calledStore, storeHost } from '../../../../src/bridge/storefronts/store-host.ts';

test.each([
  ['https://shop.example', 'shop.example'],
  ['http://shop.example/', 'shop.example'],
  ['https://WWW.Shop.Example/bg/?lang=en', 'shop.example'],
  ['https://shop.example:8443', 'shop.example'],
  ['//shop.example/x', 'shop.example'],
  ['shop.example', 'shop.example'],
  [' www.shop.example. ', 'shop.example'],
  ['https://магазин.бг/поръчки', 'xn--80aairftm.xn--90ae'],
  ['xn--80aairftm.xn--90ae', 'xn--80aairftm.xn--90ae'],
  ['https://user:word@shop.example/', 'shop.example'],
  ['https://staging.shop.example', 'staging.shop.example'],
  ['https://shop.example.evil.example', 'shop.example.evil.example'],
  ['localhost:8080', 'localhost'],
  ['', null],
  ['https://', null],
  ['not a host', null],
])('the host of %j is %j', (text, host) => {
  expect(storeHost(text)).toBe(host);
});

test('a store is called by its host; an address that has none is named as it is', () => {
  expect(calledStore('c_1', { url: 'https://www.shop.example/api' })).toEqual({ host: 'shop.example', connectionId: 'c_1' });
  expect(calledStore('c_1', { url: 'https://' })).toEqual({ host: 'https://', connectionId: 'c_1' });
});
