import { expect, test } from 'vitest';
import { identify } from '../../../../../src/bridge/storefronts/woocommerce/rest.ts';
import { fetchJson, startStoreApi } from '../../../../support/servers/store-api.ts';

const PATH = '/wp-json/wc/v3/system_status?_fields=environment';
const storeId = '7a3f0c1e-2f0b-4a57-9b0e-3d6f1c2b4a59';

test.each([
  ['its own id', { status: 200, body: { environment: { store_id: storeId, home_url: 'https://shop.example' } } }, storeId],
  ['no id', { status: 200, body: { environment: { home_url: 'https://shop.example' } } }, null],
  ['an empty id', { status: 200, body: { environment: { store_id: '' } } }, null],
  ['that the key is refused', { status: 401, body: { code: 'woocommerce_rest_cannot_view', environment: { store_id: storeId } } }, null],
  ['with the pages of a shop', { status: 200, body: null }, null],
])('a store that answers %s', async (_what, answer, wanted) => {
  await using store = await startStoreApi((path) => (path === PATH ? answer : undefined));

  expect(await identify({ url: `${store.url}/`, consumerKey: 'ck', consumerSecret: 'cs' }, { fetchJson, now: Date.now() })).toBe(wanted);
  expect(store.asked[0]).toEqual({ path: PATH, authorization: `Basic ${Buffer.from('ck:cs').toString('base64')}` });
});
