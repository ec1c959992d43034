import { expect, test } from 'vitest';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';

test.each([
  [{ name: 'Corner.myshopify.com', url: null }, 'corner.myshopify.com'],
  [{ name: 'Corner', url: 'https://corner.myshopify.com/admin' }, 'corner.myshopify.com'],
  [{ name: 'Corner', url: null }, null],
  [{ name: 'corner.example', url: null }, null],
  // No delivery names a domain of the merchant's own.
  [{ name: 'Corner', url: 'https://shop.example/' }, null],
  [{ name: 'corner.myshopify.com', url: 'https://shop.example/' }, 'corner.myshopify.com'],
  [{ name: 'Corner', url: 'https://myshopify.com.evil.example' }, null],
])('a store connected as %j is called %s before its first delivery', (given, name) => {
  expect(shopify.storeNameOf?.(given)).toBe(name);
});
