import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { connectedMerchant } from '../../support/connect/grant-attempts.ts';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { grantToken } from '../../support/servers/shopify-admin/token-endpoint.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('what a merchant approved is kept, though another window of their changes something while their store is asked', async () => {
  await using at = await openAppWorld(world);
  const { it, shop } = at;
  const merchant = await inviteMerchant(it);
  const back = await approves(at, await goesToApprove(merchant, at));
  const pressed: Promise<unknown>[] = [];
  shop.state.intercept = ({ path }) => {
    if (path.endsWith('access_token')) pressed.push(merchant.post('/language', { lang: 'bg' }));
    return undefined;
  };

  const landed = await merchant.browser.get(back);

  await Promise.all(pressed);
  expect(pressed).toHaveLength(1);
  expect([landed.location, landed.location === null ? landed.text : '']).toEqual([`${merchant.base}/company`, '']);
  expect(await merchant.now()).toMatchObject({ lang: 'bg', done: ['store'], progress: { store: { app: 'corner' } } });
});

test('of two windows in which an app is approved at once, the tokens that were granted last are kept, whichever answer comes first', async () => {
  await using at = await openAppWorld(world);
  const { it, shop, atShopify } = at;
  const merchant = await connectedMerchant(at);
  shop.buy().pay();
  const windows = [new EnteringBrowser(it.bridge.app.url), new EnteringBrowser(it.bridge.app.url)];
  const backs: string[] = [];
  for (const window of windows) {
    const { location } = await window.get('/shopify/install?app=corner&shop=corner.myshopify.com');
    backs.push(await approves(at, location ?? ''));
  }
  // The first window is given its tokens, and its answer takes longer than all that the second one does.
  const begun = Promise.withResolvers<void>();
  let codes = 0;
  shop.state.intercept = async ({ path, body }) => {
    if (!path.endsWith('access_token') || body['code'] === undefined) return undefined;
    codes += 1;
    if (codes > 1) return undefined;
    const answer = grantToken(shop, body);
    begun.resolve();
    await delay(1_000);
    return answer;
  };
  const first = windows[0]?.get(backs[0] ?? '');
  await begun.promise;
  const landed = await Promise.all([first, windows[1]?.get(backs[1] ?? '')]);

  expect(landed.map((one) => one?.status)).toEqual([303, 303]);
  // The next call renews: with tokens of the first window the shop would refuse.
  shop.grants.expire(atShopify.clientId);
  expect((await merchant.get('/mapping')).text).toContain('of your last 60 days');
});

test('an approval is told in the audit log once what it gave is kept: not where the store then shows no orders', async () => {
  await using at = await openAppWorld(world);
  const { it, shop } = at;
  const merchant = await inviteMerchant(it);
  const granted = async () => (await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'store.granted');
  const asked = await goesToApprove(merchant, at);
  shop.state.intercept = ({ body }) => (String(body['query']).includes('orders(') ? { status: 402, body: 'frozen' } : undefined);

  const refused = await merchant.browser.get(await approves(at, asked));
  expect([refused.status, (await merchant.now()).done, await granted()]).toEqual([422, [], []]);

  shop.state.intercept = () => undefined;
  const landed = await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)));
  expect([landed.location, await granted()]).toMatchObject([`${merchant.base}/company`, [{ who: `merchant:${merchant.id}`, subject: 'corner' }]]);
});
