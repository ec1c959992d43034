import { expect, test } from 'vitest';
import type { Storefront } from '../../../../src/bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { loadConfig } from '../../../../src/config/load-config.ts';

test('platforms that stores were connected under stay known by their names', () => {
  expect(Object.keys(storefronts)).toEqual(expect.arrayContaining(['shopify', 'woocommerce', 'standard']));
});

test('a storefront is found by its name', () => {
  expect(storefrontOf(storefronts, 'standard')).toBe(storefronts.standard);
});

test.each(['magento', 'constructor', ''])('there is none of the name %j', (platform) => {
  expect(() => storefrontOf(storefronts, platform)).toThrow(`no storefront is registered as ${platform}`);
});

test('a storefront whose stores share one address reads its app’s secret from a variable that the configuration knows', () => {
  const wanted = Object.values<Storefront>(storefronts).flatMap(({ appWide }) => appWide?.secretVariable ?? []);
  const loaded = loadConfig(Object.fromEntries(wanted.map((name) => [name, `of ${name}`])), { role: 'all', cwd: '.' });

  expect(wanted).not.toEqual([]);
  expect(loaded.ok && wanted.map((name) => loaded.config.appSecrets[name]?.reveal())).toEqual(wanted.map((name) => `of ${name}`));
});
