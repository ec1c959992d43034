import { expect, test } from 'vitest';
import { shopUrl, typedShopUrl } from '../../../../../src/bridge/storefronts/shopify/shop-url.ts';
import { shopHost, shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';

const LONGEST = 'a'.repeat(63);

test.each([
  'corner-1',
  ' Corner-1 ',
  'corner-1.myshopify.com',
  ' Corner-1.MyShopify.com ',
  'HTTPS://Corner-1.MyShopify.com/',
  'https://corner-1.myshopify.com/admin/orders?x=1',
  'http://corner-1.myshopify.com/admin/orders?x=a@b',
  'http://corner-1.myshopify.com',
  'https://admin.shopify.com/store/corner-1',
  'https://admin.shopify.com/store/corner-1/settings',
  'admin.shopify.com/store/corner-1/settings/domains',
])('%j, typed by a person, is the shop corner-1', (typed) => {
  expect(typedShopUrl(typed)).toBe('https://corner-1.myshopify.com');
  expect(shopify.appGrant?.storeUrl(typed)).toBe('https://corner-1.myshopify.com');
});

test.each([
  '',
  '-corner',
  'a b',
  'corner_1',
  'user@corner',
  'corner.example',
  'corner.myshopify.com.evil.example',
  'evil.example/corner.myshopify.com',
  'https://evil.example/corner.myshopify.com',
  'https://evil.example/store/corner',
  'evil.example#corner.myshopify.com',
  'a.b.myshopify.com',
  'www.corner.myshopify.com',
  '-a.myshopify.com',
  '.myshopify.com',
  'myshopify.com',
  'corner.myshopify.com:8443',
  'https://corner.myshopify.com:8443/',
  'user@corner.myshopify.com',
  ':pass@corner.myshopify.com',
  'https://user:pass@corner.myshopify.com',
  'corner.myshopify.com@evil.example',
  'corner.myshopify.com.',
  'corner_1.myshopify.com',
  'corner.myshopify.com\nevil',
  'corner.my\nshopify.com',
  'https://admin.shopify.com/store/a.b',
  'https://admin.shopify.com/store/-corner',
  'https://admin.shopify.com/stores',
  'https://admin.shopify.com/settings',
  'ftp://corner.myshopify.com',
  'соrner.myshopify.com',
  'https://соrner.myshopify.com/',
  'ｃorner.myshopify.com',
  'corner。myshopify.com',
  'corner%2emyshopify.com',
  'https://admin.shopify.com/store/соrner',
  'https:///corner.myshopify.com',
  'https://',
  'https://[',
  `a${LONGEST}`,
  `a${LONGEST}.myshopify.com`,
  `https://admin.shopify.com/store/a${LONGEST}`,
  `https://corner.myshopify.com/${'x'.repeat(300)}`,
])('%j, typed by a person, is no shop', (typed) => {
  expect(typedShopUrl(typed)).toBeNull();
  expect(shopify.appGrant?.storeUrl(typed)).toBeNull();
});

test('the domain that a query or a delivery names is a shop’s in full, and nothing else', () => {
  expect(shopUrl('Corner-1.myshopify.com')).toBe('https://corner-1.myshopify.com');
  expect(shopUrl(`${LONGEST}.myshopify.com`)).toBe(`https://${LONGEST}.myshopify.com`);
  for (const domain of ['corner-1', ' corner.myshopify.com', 'corner.MyShopify.com', 'corner.myshopify.com\n', 'https://corner.myshopify.com'])
    expect(shopUrl(domain), domain).toBeNull();
});

test('a store is known by its domain, however its address is written', () => {
  for (const store of ['corner.myshopify.com', 'https://Corner.MyShopify.com/admin', 'www.corner.myshopify.com'])
    expect(shopHost(store)).toBe('corner.myshopify.com');
  for (const store of ['Corner', 'corner.example', '', `a${LONGEST}.myshopify.com`]) expect(shopHost(store)).toBeNull();
});
