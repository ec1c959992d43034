import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startChromium } from '../servers/chromium.ts';
import { StandInShopify } from '../servers/shopify-admin/stand-in-shopify.ts';

export type ShopifyBrowser = { shopify: StandInShopify; browser: Browser };

/** Shopify for one test file, and a browser that finds its shops. */
export function useShopifyBrowser(): () => ShopifyBrowser {
  let at: ShopifyBrowser;
  beforeAll(async () => {
    const shopify = await StandInShopify.start();
    at = { shopify, browser: await startChromium({ args: shopify.chromiumArgs }) };
  });
  afterAll(async () => {
    await at?.browser.close();
    await at?.shopify[Symbol.asyncDispose]();
  });
  return () => at;
}
