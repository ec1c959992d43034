import { expect, test } from 'vitest';
import { shopify } from '../../../../../src/bridge/storefronts/shopify/shopify.ts';
import { standard } from '../../../../../src/bridge/storefronts/standard/standard.ts';
import { woocommerce } from '../../../../../src/bridge/storefronts/woocommerce/woocommerce.ts';

test('B10: WooCommerce knows its own statuses, and a plugin’s is none of them', () => {
  const own = ['pending', 'on-hold', 'processing', 'completed', 'failed', 'checkout-draft'];

  expect(own.filter((status) => woocommerce.knowsStatus?.(status) !== true)).toEqual([]);
  expect(['delivered', 'lost', 'constructor', ''].filter((status) => woocommerce.knowsStatus?.(status) !== false)).toEqual([]);
});

test('other storefronts have no statuses but their own', () => {
  expect([shopify.knowsStatus, standard.knowsStatus]).toEqual([undefined, undefined]);
});
