import { expect, test } from 'vitest';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';

const left = (platform: 'woocommerce' | 'shopify', access: Record<string, string> = {}) => {
  const { remains } = storefronts[platform] ?? {};
  return [remains?.webhooks('/webhooks/x/c_1'), remains?.key({ url: 'https://store.example', ...access })];
};

test('what remains in a disconnected store is named in both languages, and of its key no more than the store shows', () => {
  const woocommerce = left('woocommerce', { consumerKey: 'ck_0123456789abcdef', consumerSecret: 'cs_secret' });
  expect(JSON.stringify(woocommerce)).not.toMatch(/012345678|cs_secret/);
  for (const lang of ['en', 'bg'] as const) {
    expect(woocommerce.map((one) => one?.[lang])).toEqual([expect.stringContaining('/webhooks/x/c_1'), expect.stringContaining('…9abcdef')]);
    expect(left('shopify').map((one) => one?.[lang])).toEqual([expect.stringContaining('/webhooks/x/c_1'), expect.stringContaining('Settings → Apps')]);
  }
  // Of a key that is not known the sentence has no end.
  expect(left('woocommerce')[1]?.en).toContain('ends in …');
});
