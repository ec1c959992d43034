import { expect, test } from 'vitest';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';

test.each([
  [{ name: 'Corner.myshopify.com', url: null }, 'corner.myshopify.com'],
  [{ name: 'Corner', url: 'https://corner.myshopify.com/admin' }, 'corner.myshopify.com'],
  [{ name: 'Corner', url: null }, null],
  [{ name: 'corner.example', url: null }, null],
])('a store connected as %j is called %s before its first delivery', (given, name) => {
  expect(shopify.storeNameOf?.(given)).toBe(name);
});
