import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { grantKeeper } from '../../src/app/grant-keeper.ts';
import { STORE_API_WARNING } from '../../src/bridge/connections/connection.ts';
import { storefronts } from '../../src/bridge/storefronts/registry.ts';
import { wordsIn } from '../../src/connect/messages/messages.ts';
import { type AppWorld, openAppWorld } from '../support/connect/app-merchant.ts';
import { mailMerchants } from '../support/connect/mail-merchants.ts';
import { invited } from '../support/connect/merchant.ts';
import { useShopifyBrowser } from '../support/connect/shopify-browser.ts';
import { isAtShopify, ShopifyWalker } from '../support/connect/shopify-walker.ts';
import { formOf } from '../support/console/form-of.ts';
import { openAs, type Way } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { plainTextOf } from '../support/samples/mail-parts.ts';
import type { ShopifyApp } from '../support/servers/shopify-admin/shopify-app.ts';
import { startSmtp } from '../support/servers/smtp-server.ts';
import { ownShop, standingIn } from '../support/worlds/own-service.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const en = wordsIn('en');
const bg = wordsIn('bg');

const world = useSharedWorlds();
const inBrowser = useShopifyBrowser();
/** The pages that are the same for every store are judged in each language once, at a phone. */
const judged = new Set<string>();
const UIC = '206770508';
const DAY_MS = 24 * 3_600_000;

type Opened = AppWorld & { page: Page; walker: ShopifyWalker; wrong(): string[]; url: string };

/** The browser of a merchant whose shop is on Shopify, and our server with a compliance service of its own. */
async function opened(how: Omit<Way, 'theme'>, app: Partial<ShopifyApp> = {}): Promise<Opened> {
  await using setup = new AsyncDisposableStack();
  const { shopify, browser } = inBrowser();
  const at = setup.use(await openAppWorld(world, { shopify, app, embeddedService: true }));
  const { url } = at.it.bridge.app;
  at.atShopify.subscriptions.push({ topics: ['app/uninstalled', 'app/scopes_update'], uri: `${url}/webhooks/shopify/app/${at.app.id}` });
  const { page, problems } = setup.use(await openAs({ url, cookie: '', browser }, { theme: 'light', ...how }));
  const walker = new ShopifyWalker({ page, link: '', double: false, judged, ...how });
  const wrong = () => [...walker.wrong, ...problems.filter((said) => !said.includes('myshopify.com') && !said.includes('favicon'))];
  const owned = setup.move();
  return { ...at, page, walker, wrong, url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function isInvited({ it, url, walker, page }: Opened, given: Parameters<typeof invited>[1] = {}): Promise<void> {
  walker.link = `${url}/connect/${(await invited(it.bridge, { lang: null, ...given })).token}`;
  await page.goto(walker.link);
}

async function connectionsOf({ it, shop }: Opened) {
  return it.bridge.app.core.connections.findByStore('shopify', shop.state.domain);
}

/** Somebody buys, and the shop tells of it. */
async function buys(at: Opened): Promise<{ name: string; becomes(state: 'ignored' | 'recorded'): Promise<void> }> {
  const order = at.shop.buy().pay('Bank Deposit');
  expect(new Set(await at.shop.send())).toEqual(new Set([200]));
  const [connection] = await connectionsOf(at);
  if (connection === undefined) throw new Error('no store is connected');
  return { name: order.name, becomes: async (state) => void (await at.it.bridge.settled({ connection }, order.id, state)) };
}

async function fromCompanyToStart(at: Opened): Promise<void> {
  await at.walker.giveCompany('cups.example');
  await fromWebhooksToStart(at);
}

async function fromWebhooksToStart(at: Opened): Promise<void> {
  const { walker, page } = at;
  await walker.makeWebhooks();
  const tried = await buys(at);
  await page.locator('#first .tag.ok').waitFor();
  await walker.answerAndStart(() => tried.becomes('ignored'));
}

async function isRecording(at: Opened): Promise<void> {
  const next = await buys(at);
  await next.becomes('recorded');
  await at.page.reload();
  await at.page.locator('section.banner.ok').waitFor();
  expect(await at.page.locator('main').innerText()).toContain(next.name);
  const [connection, ...others] = await connectionsOf(at);
  if (connection === undefined) throw new Error('no store is connected');
  expect([await standingIn(at.it, connection), others]).toEqual([[expect.stringMatching(/: 64.90$/)], []]);
}

const ways = [
  { lang: 'bg', width: 360, script: true },
  { lang: 'en', width: 1280, script: false },
] as const;

test.each(ways)(
  'anyone who was invited types the name of their shop, approves there, and comes to the page that they keep: %j',
  { timeout: 180_000 },
  async (how) => {
    await using at = await opened(how);
    const { walker, shop } = at;
    shop.buy({ createdAt: Date.now() - 40 * 86_400_000 }).pay('Bank Deposit');
    shop.outbox.length = 0;
    await isInvited(at);
    await walker.approvesApp('corner');
    await fromCompanyToStart(at);
    await isRecording(at);

    expect(at.wrong()).toEqual([]);
    // Shopify learns neither the link of the merchant nor where they came from.
    expect(walker.left.length).toBeGreaterThan(0);
    expect(walker.left.filter((told) => told.includes('/connect/') || (told !== '' && !isAtShopify(told)))).toEqual([]);
  },
);

test('an install link asks for the name of the shop; uninstalled and installed again, it goes on as the same store', async () => {
  await using at = await opened({ lang: 'en', width: 360, script: true });
  const { page, walker, shop, atShopify } = at;
  const link = `${at.url}/shopify/install?app=corner`;
  await page.goto(link);
  await walker.look('install');
  await page.locator('input[name="name"]').fill('corner');
  await page.locator('form[action="/shopify/install"] button').click();
  await walker.look('install found');
  await page.locator('a.verb[href*="shop=corner.myshopify.com"]').click();
  await walker.answersAtShopify('Install');
  await walker.landsOn('company');
  await walker.giveCompany('cups.example');
  await waitsForOperator(at, en);
  await walker.makeWebhooks();
  const [before] = await connectionsOf(at);

  shop.uninstall(atShopify);
  await shop.send();
  await until(async () => expect((await connectionsOf(at))[0]?.closedAt).not.toBeNull(), { what: 'the store to be disconnected' });
  await page.goto(`${link}&shop=corner.myshopify.com`);
  await walker.answersAtShopify('Install');
  await walker.landsOn('mapping');
  await walker.look('mapping');
  // The shop has no order yet: nothing is asked.
  expect(await page.locator('main').innerText()).toContain(en.mapping.nothing);
  expect(await page.getByRole('heading', { name: en.mapping.payments }).count()).toBe(0);

  const [after, ...others] = await connectionsOf(at);
  expect([after?.id, after?.closedAt, others]).toEqual([before?.id, null, []]);
  await until(() => shop.webhooks.length > 0, { what: 'webhooks to be made anew' });
  expect(at.wrong()).toEqual([]);
});

test('anyone who begins at Shopify types no name; the app opened there again leads to where they were, and in the end to the page of their store', {
  timeout: 180_000,
}, async () => {
  await using at = await opened({ lang: 'bg', width: 1280, script: false }, { managed: true });
  const { page, walker, shop, shopify, atShopify } = at;
  const opensAgain = () => page.goto(`${shopify.urlOf(shop)}/admin/apps/${atShopify.clientId}`);
  await page.goto(`${shopify.urlOf(shop)}/admin/oauth/install?client_id=${atShopify.clientId}`);
  await walker.answersAtShopify('Install');
  const first = await walker.landsOn('company');

  await opensAgain();
  expect(await walker.landsOn('company')).not.toBe(first);
  await walker.giveCompany('cups.example');
  await page.getByText(bg.company.waits.words(UIC)).waitFor();
  await opensAgain();
  await walker.landsOn('company');
  await waitsForOperator(at, bg);
  await fromWebhooksToStart(at);
  await isRecording(at);
  await opensAgain();
  await walker.landsOn('status');
  await walker.look('status of anyone who opens the app');
  const [ofThis = ''] = bg.status.keepUntil('|').split('|');
  expect(await page.locator('p.notice').innerText()).toContain(ofThis);
  expect(at.wrong()).toEqual([]);
});

/** Anyone who came without an invitation waits for the operator, who says in the console that the company is theirs. */
async function waitsForOperator({ it, page, walker }: Opened, { company: say }: typeof en): Promise<void> {
  await page.getByText(say.waits.words(UIC)).waitFor();
  await walker.look('company that waits');
  const list = '/console/stores/invitations';
  const owner = await signIn(it.bridge);
  const { text } = await owner.get(list);
  const [, action = ''] = /action="([^"]+\/confirm)"/.exec(text) ?? [];
  expect(await owner.post(action, formOf(text, action))).toMatchObject({ location: `${list}?done=company-confirmed` });
  await page.getByRole('link', { name: say.waits.look }).click();
  await page.getByText(say.confirmed).waitFor();
  await walker.press('company');
}

/** A day later this process sees that the shop no longer lets the app in, and the merchant is mailed; the link of that mail. */
async function mailedLink(at: Opened): Promise<string> {
  const { core } = at.it.bridge.app;
  await using smtp = await startSmtp();
  await grantKeeper(core, storefronts, () => Date.now() + DAY_MS)(new AbortController().signal);
  expect(Object.keys((await connectionsOf(at))[0]?.warnings ?? {})).toContain(STORE_API_WARNING);
  for (const minutes of [0, 11]) await mailMerchants(core, { smtp, publicUrl: at.url, now: new Date(Date.now() + minutes * 60_000) });
  // The second one of a mail says that the shop is not theirs.
  const links = smtp.taken.flatMap((sent) => plainTextOf(sent).match(/http:\/\/\S+\/connect\/[\w-]+/) ?? []);
  expect(links).toHaveLength(1);
  return links.join();
}

test('a shop that no longer lets the app in is red on its page, and the one link of a mail mends it', async () => {
  const { store, status } = bg;
  await using at = await opened({ lang: 'bg', width: 1280, script: true });
  const { page, walker, shop, atShopify } = at;
  const { shopId } = await ownShop(at.it);
  await isInvited(at, { shopId, email: 'maria@shop.example', lang: 'bg' });
  await walker.approvesApp('corner');
  await fromWebhooksToStart(at);
  const kept = page.url();

  shop.grants.uninstall(atShopify.clientId);
  const link = await mailedLink(at);
  await page.goto(kept);
  await walker.look('status of a grant that ended');
  expect(await page.locator('section.banner.failing').innerText()).toContain(status.wrongAsk);
  await page.goto(link);
  await walker.look('store of a grant that ended');
  await page.locator('a.verb[href*="/store/go?app="]').click();
  await walker.answersAtShopify('Install');
  await page.waitForURL(/\/store\?keys=new$/);
  await walker.look('store approved again');
  expect(await page.getByRole('status').innerText()).toContain(store.approvedAgain);
  await page.goto(kept);
  await page.locator('section.banner.ok').waitFor();
  expect(at.wrong()).toEqual([]);
});
