import { expect, test } from 'vitest';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';

const { shopify, woocommerce } = storefronts;

test.each([
  [shopify, { store: 'corner.myshopify.com', url: null, orderId: '5001' }, 'https://corner.myshopify.com/admin/orders/5001'],
  [shopify, { store: 'corner.example', url: null, orderId: '5001' }, null],
  [shopify, { store: 'corner.myshopify.com', url: null, orderId: '5001/../x' }, null],
  [woocommerce, { store: 'https://corner.example/shop', url: null, orderId: '17' }, 'https://corner.example/shop/wp-admin/post.php?post=17&action=edit'],
  [woocommerce, { store: 'corner', url: 'https://corner.example/', orderId: '17' }, 'https://corner.example/wp-admin/post.php?post=17&action=edit'],
  [woocommerce, { store: 'corner', url: null, orderId: '17' }, null],
  [woocommerce, { store: 'javascript://corner.example/', url: null, orderId: '17' }, null],
  [woocommerce, { store: 'https://corner.example', url: null, orderId: 'x' }, null],
] as const)('where %o shows an order: %o', ({ orderPage }, order, address) => {
  expect(orderPage?.(order)).toBe(address);
});
