import { expect, test } from 'vitest';
import { createStoreFetch } from '../../../src/app/store-access.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { startStoreApi } from '../../../src/demo/store-api.ts';

const { api } = storefronts.woocommerce;
const fetchJson = createStoreFetch({ allowPrivateAddresses: true, trustedHttpHosts: ['127.0.0.1'] });

test('the store of the demo says who it is, and that it has no such order: it can be read by itself', async () => {
  await using store = await startStoreApi([{ stories: [], store: 'https://sova.example' }]);
  const means = { fetchJson, now: Date.now() };

  const name = await api?.storeName?.(store.access, means);
  const found = await api?.ordersById?.(store.access, [{ orderId: '7', placedAt: null }], means);

  expect({ name, found }).toEqual({ name: 'https://sova.example', found: { news: [], gone: ['7'], unknown: [] } });
});
