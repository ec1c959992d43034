import { expect, test } from 'vitest';
import { approveAt, comeBack, goToStore, inviteMerchant, reachable } from '../../support/connect/store-merchant.ts';
import { startWooServer } from '../../support/servers/woo/start-woo-server.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('a store that is too old is named with a remedy; once it is updated, the keys that came are used, and its version is shown', async () => {
  await using store = await startWooServer({ now: Date.now, version: '5.7.1' });
  await using it = await world({ config: await reachable() });
  const merchant = await inviteMerchant(it);

  const back = await comeBack(merchant, await approveAt(await goToStore(merchant, store.url)));

  expect(back.text).toContain('The keys came, but the store can’t be used yet');
  expect(back.text).toContain('Update WooCommerce under Plugins, after a backup: version 5.8 or later is needed, and yours is 5.7.1. Then try again.');
  expect((await merchant.now()).done).toEqual([]);
  const pasted = await merchant.post('/store/keys', { consumerKey: 'ck_write', consumerSecret: 'cs_write' });
  expect([pasted.status, pasted.text.includes('The version of the store is too old.')]).toEqual([422, true]);
  expect((await merchant.get('/store/found')).text).not.toContain('It runs on');

  store.host.version = '10.5.0';
  const again = await merchant.get('/store/back');

  expect(again.location).toBe(`${merchant.base}/company`);
  expect(store.host.handedOver).toHaveLength(1);
  expect((await merchant.get('/store/found')).text).toContain('It runs on WooCommerce 10.5.0, WordPress 6.9.1.');
  // Also where the store is connected, and can get new keys.
  await merchant.chooseCompany();
  await merchant.post('/webhooks', { act: 'make' });
  expect((await merchant.get('/store')).text).toContain('It runs on WooCommerce 10.5.0, WordPress 6.9.1.');
});
