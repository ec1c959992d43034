import { expect, test } from 'vitest';
import { saveOnboarding } from '../../../src/bridge/ledger/invitations/onboarding-store.ts';
import { rotateAppSecret } from '../../../src/operations/apps/apps.ts';
import { listInvitations } from '../../../src/operations/onboarding/invitations.ts';
import { approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { connectedMerchant } from '../../support/connect/grant-attempts.ts';
import { connectionsOf } from '../../support/connect/recording-merchant.ts';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { BY } from '../../support/samples/by.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('a merchant with a link types the name of their shop, approves, and has webhooks that the app signs', async () => {
  await using at = await openAppWorld(world);
  const { it, shop, atShopify } = at;
  const merchant = await inviteMerchant(it);
  const back = await approves(at, await goesToApprove(merchant, at));
  expect(back).toMatch(/^\/shopify\/callback\?/);

  const landed = await merchant.browser.get(back);

  expect([landed.location, landed.location === null ? landed.text : '']).toEqual([`${merchant.base}/company`, '']);
  const kept = await merchant.now();
  expect(kept).toMatchObject({ done: ['store'], progress: { store: { app: 'corner', mayWrite: true, url: 'https://corner.myshopify.com' } } });
  expect(kept.sealed).not.toContain('shp');
  await merchant.chooseCompany();
  expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
  const [connection] = await connectionsOf(at);
  expect(connection).toMatchObject({
    access: { url: 'https://corner.myshopify.com', app: 'corner' },
    app: 'corner',
    closedAt: null,
    storeIdentity: expect.any(String),
  });
  expect(shop.webhooks.map(({ topic }) => topic)).toContain('orders/paid');
  shop.state.clientSecret = atShopify.secret;
  const order = shop.buy().pay();
  expect(new Set(await shop.send())).toEqual(new Set([200]));
  if (connection === undefined) throw new Error('no store is connected');
  await it.bridge.settled({ connection }, order.id, 'ignored');
  // The token lives an hour: what comes later is read by one that was refreshed.
  shop.grants.expire(atShopify.clientId);
  expect((await merchant.get('/mapping')).text).toContain('of your last 60 days');
  expect((await readBridgeActs(it.bridge.app.core.pool)).find(({ act }) => act === 'store.granted')).toMatchObject({
    who: `merchant:${merchant.id}`,
    subject: 'corner',
  });
});

test('an install that begins at Shopify types nothing; opened again there, it goes on where they were, and later leads to the page of their store', async () => {
  await using at = await openAppWorld(world, { app: { managed: true } });
  const { it, shopify, shop, atShopify } = at;
  const browser = new EnteringBrowser(it.bridge.app.url);
  const install = `${shopify.urlOf(shop)}/admin/oauth/install?client_id=${atShopify.clientId}`;
  const open = async () => {
    const { location } = await browser.get(await approves(at, install));
    return (await browser.get(await approves(at, location ?? ''))).location ?? '';
  };

  const first = await open();
  expect(first).toMatch(/^\/connect\/[\w-]+$/);
  expect((await browser.get(first)).location).toBe(`${first}/company`);
  const again = await open();
  expect(again).not.toBe(first);
  expect(await listInvitations({ pool: it.bridge.app.core.pool })).toHaveLength(1);
});

test('a shop whose app was uninstalled and installed again goes on as the same connection, with its webhooks and its merchant’s links', async () => {
  await using at = await openAppWorld(world);
  const { it, shop, atShopify } = at;
  const merchant = await connectedMerchant(at);
  const [before] = await connectionsOf(at);
  shop.grants.uninstall(atShopify.clientId);
  shop.webhooks.length = 0;
  await it.bridge.app.core.connections.close(before?.id ?? '');

  const browser = new EnteringBrowser(it.bridge.app.url);
  const { location } = await browser.get('/shopify/install?app=corner&shop=corner.myshopify.com');
  const landed = await browser.get(await approves(at, location ?? ''));

  expect([landed.location === null ? landed.text : '', landed.location]).toEqual(['', expect.stringMatching(/^\/connect\//)]);
  const [after, ...others] = await connectionsOf(at);
  expect([after?.id, after?.closedAt, others]).toEqual([before?.id, null, []]);
  expect((await merchant.get('')).status).toBe(303);
  await until(async () => shop.webhooks.length > 0, { what: 'webhooks to be made anew' });
});

test('an app whose secret is wrong is not the merchant’s to mend, and they read nothing of commands and dashboards', async () => {
  await using at = await openAppWorld(world);
  const { apps } = at.it.bridge.app.core;
  const merchant = await inviteMerchant(at.it);
  const back = await approves(at, await goesToApprove(merchant, at));
  // A secret that is kept here and not yet at Shopify: the one before still signs.
  await rotateAppSecret({ apps }, { platform: 'shopify', id: 'corner', secret: 'shpss_mistyped', revokeNow: false }, { by: BY });

  const landed = await merchant.browser.get(back);

  expect(landed.text).toContain('The app is not set up right on our side');
  expect(landed.text).toContain('The person who runs this service must fix it');
  expect(landed.text).not.toMatch(/Dev Dashboard|orderbridge |client id/);
});

test('a merchant who comes back on a way of their own is mailed where they were before', async () => {
  await using at = await openAppWorld(world);
  const { it } = at;
  const { pool } = it.bridge.app.core;
  const merchant = await inviteMerchant(it);
  await saveOnboarding(pool, await merchant.now(), { email: 'maria@shop.example' });
  await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  await merchant.chooseCompany();
  await merchant.post('/webhooks', { act: 'make' });
  const [before] = await connectionsOf(at);
  await it.bridge.app.core.connections.close(before?.id ?? '');
  await pool.query(`update connections set closed_at = now() - interval '3 days' where id = $1`, [before?.id]);

  const { location } = await merchant.get(`/store/go?app=${at.app.id}`);
  const landed = await merchant.browser.get(await approves(at, location ?? ''));

  expect(landed.location).toMatch(/^\/connect\//);
  const [newest] = await listInvitations({ pool });
  expect([newest?.id === merchant.id, newest?.email, newest?.mailTo]).toEqual([false, null, 'maria@shop.example']);
});
