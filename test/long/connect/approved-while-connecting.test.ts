import { expect, test } from 'vitest';
import { type AppWorld, approves, goesToApprove, openAppWorld } from '../../support/connect/app-merchant.ts';
import { connectionsOf } from '../../support/connect/recording-merchant.ts';
import { inviteMerchant, type Merchant } from '../../support/connect/store-merchant.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

/** The store says who it is to anyone who approved last, once this merchant has connected it in another window. */
function connectsMeanwhile({ shop }: AppWorld, merchant: Merchant): () => number {
  const answers: number[] = [];
  let isCalled = false;
  shop.state.intercept = async ({ path }) => {
    if (!path.endsWith('graphql.json') || isCalled) return undefined;
    isCalled = true;
    answers.push((await merchant.post('/webhooks', { act: 'make' })).status);
    return undefined;
  };
  return () => answers.length;
}

type Second = { opens(): Promise<unknown>; leadsTo: number };

/** A second approval, begun before the first one is finished. */
const windows: Record<string, (at: AppWorld, merchant: Merchant) => Promise<Second>> = {
  'of their link': async (at, merchant) => {
    const back = await approves(at, await goesToApprove(merchant, at));
    return { opens: () => merchant.browser.get(back), leadsTo: 303 };
  },
  'from Shopify': async (at) => {
    const browser = new EnteringBrowser(at.it.bridge.app.url);
    const back = await approves(at, (await browser.get('/shopify/install?app=corner&shop=corner.myshopify.com')).location ?? '');
    return { opens: () => browser.get(back), leadsTo: 303 };
  },
  'of another’s link': async (at) => {
    const other = await inviteMerchant(at.it);
    const back = await approves(at, await goesToApprove(other, at));
    return { opens: () => other.browser.get(back), leadsTo: 409 };
  },
};

test.each(Object.entries(windows))('a store that is connected while a second approval %s is worked on has the tokens of that one', async (_, second) => {
  await using at = await openAppWorld(world);
  const merchant = await inviteMerchant(at.it);
  const first = await approves(at, await goesToApprove(merchant, at));
  const { opens, leadsTo } = await second(at, merchant);
  await merchant.browser.get(first);
  await merchant.chooseCompany();
  at.shop.buy().pay();
  const pressed = connectsMeanwhile(at, merchant);

  expect(await opens()).toMatchObject({ status: leadsTo });

  expect([pressed(), (await connectionsOf(at)).length]).toEqual([1, 1]);
  at.shop.state.intercept = () => undefined;
  at.shop.grants.expire(at.atShopify.clientId);
  expect((await merchant.get('/mapping')).text).toContain('of your last 60 days');
});
