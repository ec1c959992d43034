import { expect, test } from 'vitest';
import { type AppWorld, approves, goesToApprove } from '../../support/connect/app-merchant.ts';
import {
  approved,
  approvedMerchant,
  connectedMerchant,
  connectionsOf,
  cutAt,
  exchanges,
  INSTALL,
  isRenewable,
  newBrowser,
  openAttempts,
  SHOP,
  seen,
} from '../../support/connect/grant-attempts.ts';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { denials } from '../../support/servers/shopify-admin/serve-shop.ts';
import { connectByApp } from '../../support/worlds/app-shop.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const NEW_LINK = [303, expect.stringMatching(/^\/connect\/[\w-]{43}$/)];

/** The store’s tokens are renewed, and it is read. */
async function isRead(at: AppWorld, get: (path: string) => Promise<{ text: string }>): Promise<boolean> {
  at.shop.grants.expire(at.atShopify.clientId);
  return (await get('/mapping')).text.includes('of your last 60 days');
}

test('a connected store whose app is granted again has the new tokens at once, and its webhooks go on', async () => {
  await using at = await openAttempts(world);
  const { shop, atShopify, it } = at;
  const merchant = await connectedMerchant(at);
  const [before] = await connectionsOf(at);
  const topics = shop.webhooks.map(({ topic }) => topic).toSorted();

  const { browser, back } = await approved(at);
  const landed = await browser.get(back);
  expect(seen(landed)).toEqual(NEW_LINK);
  const [after, ...others] = await connectionsOf(at);
  expect([after?.id, after?.closedAt, others, exchanges(shop)]).toEqual([before?.id, null, [], 2]);
  if (after === undefined) throw new Error('there is no connection');
  expect(await isRenewable(at, after)).toBe(true);
  shop.state.clientSecret = atShopify.secret;
  const order = shop.buy().pay();
  expect(new Set(await shop.send())).toEqual(new Set([200]));
  await it.bridge.settled({ connection: after }, order.id, 'ignored');
  expect(await isRead(at, (path) => browser.get(`${landed.location}${path}`))).toBe(true);
  expect(shop.webhooks.map(({ topic }) => topic).toSorted()).toEqual(topics);
  expect((await merchant.get('/mapping')).status).toBe(200);
});

test('new tokens of a connected store are kept even if the store can’t be used a moment later', async () => {
  await using at = await openAttempts(world);
  const merchant = await connectedMerchant(at);
  at.shop.buy().pay();
  const { browser, back } = await approved(at);
  at.shop.state.intercept = ({ path }) => (path.endsWith('graphql.json') ? denials.frozen : undefined);

  expect(seen(await browser.get(back))).toEqual([422, 'We could not use corner.myshopify.com']);
  at.shop.state.intercept = () => undefined;
  const [connection] = await connectionsOf(at);
  if (connection === undefined) throw new Error('there is no connection');
  expect(await isRenewable(at, connection)).toBe(true);
  expect(await isRead(at, merchant.get)).toBe(true);
});

test('a store that is connected by another way than that of a merchant’s link is not theirs, and loses nothing by their approval', async () => {
  await using at = await openAttempts(world);
  const first = await connectedMerchant(at);
  at.shop.buy().pay();
  const second = await inviteMerchant(at.it);
  const answer = await second.browser.get(await approves(at, await goesToApprove(second, at)));

  expect(seen(answer)).toEqual([409, `${SHOP} is connected already`]);
  expect(await second.now()).toMatchObject({ done: [], sealed: null, connectionId: null });
  const all = await connectionsOf(at);
  expect(all.map(({ closedAt }) => closedAt)).toEqual([null]);
  expect(await isRead(at, first.get)).toBe(true);
});

test('a store that a person connected by the app has no pages of a merchant: opened at Shopify, it says that it is connected', async () => {
  await using at = await openAttempts(world, { app: { managed: true } });
  const { connection } = await connectByApp(at.it.bridge, at.app);
  const browser = newBrowser(at);
  const install = `${at.shopify.urlOf(at.shop)}/admin/oauth/install?client_id=${at.atShopify.clientId}`;
  const { location } = await browser.get(await approves(at, install));
  const answer = await browser.get(await approves(at, location ?? ''));

  expect(seen(answer)).toEqual([200, `${SHOP} is connected`]);
  expect(await isRenewable(at, connection)).toBe(true);
  await until(async () => at.shop.webhooks.some(({ topic }) => topic === 'orders/paid'), { what: 'webhooks to be made' });
});

test.each(['their link', 'Shopify'])(
  'after more than a day without the app a merchant who comes by %s is on a new way, and the old connection is opened with its company alone',
  async (by) => {
    await using at = await openAttempts(world);
    const merchant = await connectedMerchant(at);
    const { shopId } = await merchant.now();
    const [old] = await connectionsOf(at);
    at.shop.uninstall(at.atShopify);
    await at.it.bridge.app.core.connections.close(old?.id ?? '');
    await at.it.bridge.pool.query(`update connections set closed_at = now() - interval '25 h'`);

    const browser = by === 'Shopify' ? newBrowser(at) : merchant.browser;
    const { location } = await browser.get(by === 'Shopify' ? INSTALL : `${merchant.base}/store/go?app=corner`);
    const landed = await browser.get(await approves(at, location ?? ''));
    expect(seen(landed)).toEqual(NEW_LINK);
    expect(landed.location).not.toBe(merchant.base);
    // Whether it is of the same company still, they are asked.
    expect((await browser.get(landed.location ?? '')).location).toBe(`${landed.location}/company`);
    const closed = await connectionsOf(at);
    expect(closed.map(({ id, closedAt }) => [id, closedAt === null])).toEqual([[old?.id, false]]);
    await browser.post(`${landed.location}/company`, { verb: 'choose', shop: shopId ?? '' });
    await browser.post(`${landed.location}/webhooks`, { act: 'make' });
    // Connected anew on trial, without the orders of meanwhile.
    const live = (await connectionsOf(at)).filter(({ closedAt }) => closedAt === null);
    expect(live).toMatchObject([{ id: old?.id, shopId, gaps: [{ from: closed[0]?.closedAt }] }]);
  },
);

const CUTS = [
  // The tokens are stored with the connection, or neither is.
  ['the tokens are kept', { table: 'store_tokens', left: 0 }],
  ['the connection is noted', { table: 'onboardings', when: 'new.connection_id is not null', left: 1 }],
] as const;

test.each(CUTS)('a press that loses the database before %s loses no grant: another one connects the store', async (_what, where) => {
  await using at = await openAttempts(world);
  at.shop.buy().pay();
  const merchant = await approvedMerchant(at);
  const { mend } = await cutAt(at, where);
  expect((await merchant.post('/webhooks', { act: 'make' })).status).toBeGreaterThanOrEqual(500);
  await mend();
  expect((await connectionsOf(at)).length).toBe(where.left);

  expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
  const [connection, ...others] = await connectionsOf(at);
  expect([connection?.closedAt, others, exchanges(at.shop)]).toEqual([null, [], 1]);
  expect(await isRead(at, merchant.get)).toBe(true);
});

test.each(CUTS)(
  'a press that lost the database before %s, and then another approval at Shopify: the newer tokens stay, and their link goes on',
  async (_what, where) => {
    await using at = await openAttempts(world);
    at.shop.buy().pay();
    const merchant = await approvedMerchant(at);
    const { mend } = await cutAt(at, where);
    await merchant.post('/webhooks', { act: 'make' });
    await mend();

    const { browser, back } = await approved(at);
    expect((await browser.get(back)).status).toBeLessThan(400);
    expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
    const [connection, ...others] = await connectionsOf(at);
    if (connection === undefined) throw new Error('there is no connection');
    expect([others, await isRenewable(at, connection)]).toEqual([[], true]);
    expect(await isRead(at, merchant.get)).toBe(true);
  },
);

test('an approval whose tokens can’t be kept, since the database went away, is given again by one button', async () => {
  await using at = await openAttempts(world);
  const merchant = await inviteMerchant(at.it);
  const back = await approves(at, await goesToApprove(merchant, at));
  const { mend } = await cutAt(at, { table: 'onboardings', when: 'new.sealed is not null' });
  expect((await merchant.browser.get(back)).status).toBeGreaterThanOrEqual(500);
  await mend();

  const again = await merchant.browser.get(back);
  expect(seen(again)).toEqual([400, 'This approval can’t be used']);
  expect(again.text).toContain(`href="${merchant.base}/store/found"`);
  expect((await merchant.browser.get(await approves(at, await goesToApprove(merchant, at)))).location).toBe(`${merchant.base}/company`);
});
