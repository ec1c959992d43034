import { expect, test } from 'vitest';
import { inviteMerchant, reachable, withKeys } from '../../support/connect/store-merchant.ts';
import { longTest } from '../../support/long-test.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { startWooServer } from '../../support/servers/woo/start-woo-server.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

longTest('saving the newest order unchanged is in the audit log, also where it is not known whether it was saved; without an order nothing is', async () => {
  await using store = await startWooServer({ now: Date.now });
  await using it = await world({ config: await reachable() });
  const merchant = await inviteMerchant(it);
  await withKeys(merchant, store.url);
  const told = async () => (await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'store.resaved');

  const without = await merchant.post('/webhooks', { act: 'make', agree: 'yes' });
  expect([without.location, await told()]).toEqual([`${merchant.base}/webhooks?saved=0`, []]);

  const { number } = store.floor.buy();
  await merchant.post('/webhooks', { act: 'resave' });
  const { connectionId } = await merchant.now();
  const act = { who: `merchant:${merchant.id}`, connectionId, subject: connectionId };
  expect(await told()).toMatchObject([{ ...act, after: { order: number } }]);

  store.host.intercept = ({ method }) => (method === 'PUT' ? { status: 500, body: '<h1>Error</h1>' } : undefined);
  expect((await merchant.post('/webhooks', { act: 'resave' })).text).toContain('The store does not answer over https.');
  expect((await told()).map(({ after }) => after)).toEqual(expect.arrayContaining([{ order: number }, { failed: 'storefront.unreachable' }]));
});

test('what neither they nor their key is to blame for is not said of their key', async () => {
  await using store = await startWooServer({ now: Date.now });
  await using it = await world({ config: await reachable() });
  const merchant = await inviteMerchant(it);
  await withKeys(merchant, store.url);
  await merchant.post('/webhooks', { act: 'make', agree: 'yes' });
  const { connectionId } = await merchant.now();
  const unchanged = {
    ...{ name: null, secrets: null, storeIdentity: null, destinationId: null, settings: null },
    ...{ recordFrom: null, host: null, cures: [] },
  };
  await it.bridge.app.core.connections.replace(connectionId ?? '', { ...unchanged, access: { url: store.url } });

  const { text } = await merchant.post('/webhooks', { act: 'resave' });
  expect(text).toContain('the store did not save its newest order: storefront.refused: the connection has no');
  expect(text).not.toContain('The store refuses the key.');
});
