import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wordsIn } from '../../src/connect/messages/messages.ts';
import { shopifyProblems } from '../support/connect/shopify-problems.ts';
import { inviteMerchant, reachable } from '../support/connect/store-merchant.ts';
import { breaches, openAs, overflow } from '../support/console/look-at.ts';
import { startChromium } from '../support/servers/chromium.ts';
import { denials } from '../support/servers/shopify-admin/serve-shop.ts';
import type { ShopifyAdmin, ShopState } from '../support/servers/shopify-admin/shopify-admin.ts';
import { StandInShopify } from '../support/servers/shopify-admin/stand-in-shopify.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const en = wordsIn('en');
const bg = wordsIn('bg');

const world = useSharedWorlds();
const words = { en, bg } as const;
let browser: Browser;
let it: World;
let shopify: StandInShopify;
let shop: ShopifyAdmin;
beforeAll(async () => {
  shopify = await StandInShopify.start();
  shop = await shopify.shop('corner');
  browser = await startChromium({ args: shopify.chromiumArgs });
  it = await world({ config: await reachable() });
});
afterAll(async () => {
  await browser?.close();
  for (const one of [it, shopify]) await one?.[Symbol.asyncDispose]();
});

async function fits(page: Page, script: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const tooWide = await overflow(page);
    if (tooWide > 0) found.push(`${new URL(page.url()).pathname.split('/').slice(3).join('/')}: ${tooWide} px too wide at ${width}`);
  }
  return script ? [...found, ...(await breaches(page))] : found;
}

const addressForm = (page: Page) => page.locator('form:has(#address-shopify)');
const keyForm = (page: Page, way: string) => page.locator(`form:has(input[value="${way}"])`);

async function typeShop(page: Page, address: string): Promise<void> {
  await addressForm(page).locator('input[name="address"]').fill(address);
  await addressForm(page).getByRole('button').click();
}

async function typeKeys(page: Page): Promise<void> {
  const form = keyForm(page, 'old-app');
  await form.locator('input[name="accessToken"]').fill(shop.state.token);
  await form.locator('input[name="clientSecret"]').fill(shop.state.clientSecret);
  await form.getByRole('button').click();
}

const ways = [
  { lang: 'bg', script: true },
  { lang: 'en', script: false },
] as const;

describe('a shop on Shopify, in Chromium', () => {
  test.each(ways)('its name, the keys of an own app, its webhooks: %j', async ({ lang, script }) => {
    const merchant = await inviteMerchant(it, lang);
    const wrong: string[] = [];
    await using opened = await openAs({ url: it.bridge.app.url, cookie: '', browser }, { width: 1280, theme: 'light', script, lang });
    const { page } = opened;
    await page.goto(`${it.bridge.app.url}${merchant.base}`);
    wrong.push(...(await fits(page, script)));
    await typeShop(page, 'corner');
    await page.waitForURL(/\/store\/found$/);
    wrong.push(...(await fits(page, script)));
    await page.locator('a.verb[href$="/store/keys"]').click();
    wrong.push(...(await fits(page, script)));
    const form = keyForm(page, 'own-app');
    await form.locator('input[name="clientId"]').fill(shop.state.clientId);
    await form.locator('input[name="clientSecret"]').fill(shop.state.clientSecret);
    await form.getByRole('button').click();
    await page.waitForURL(/\/company$/);
    await merchant.chooseCompany();
    await page.goto(`${it.bridge.app.url}${merchant.base}`);
    await page.getByRole('button', { name: words[lang].webhooks.make }).click();
    await page.waitForURL(/\/webhooks$/);
    shop.buy().pay();
    await shop.send();
    await page.getByText(words[lang].webhooks.came).waitFor();
    wrong.push(...(await fits(page, script)));

    expect(wrong).toEqual([]);
    // The company's page is another's: what it answers here does not count.
    expect(opened.problems.filter((said) => !said.includes('404'))).toEqual([]);
  });

  test.each(ways)('each problem that only such a shop has is said in words: %j', async ({ lang, script }) => {
    const { problem: say } = words[lang].store;
    await using opened = await openAs({ url: it.bridge.app.url, cookie: '', browser }, { width: 360, theme: 'dark', script, lang });
    const { page } = opened;
    const seen: string[] = [];
    const said = async () => seen.push(await page.getByRole('alert').first().innerText());
    const intercept = (denial: keyof typeof denials): Partial<ShopState> => ({ intercept: () => denials[denial] });
    const plain: Partial<ShopState> = { intercept: () => undefined, scopes: ['read_orders'] };
    const merchant = await inviteMerchant(it, lang);
    const base = `${it.bridge.app.url}${merchant.base}`;
    for (const [address, denial] of [['cups.example'], ['corner', 'frozen'], ['corner', 'locked']] as const) {
      Object.assign(shop.state, denial === undefined ? plain : intercept(denial));
      await page.goto(`${base}/store`);
      await typeShop(page, address);
      await said();
    }
    Object.assign(shop.state, plain);
    await page.goto(`${base}/store`);
    await typeShop(page, 'corner');
    await page.waitForURL(/\/store\/found$/);
    const denied = { errors: [{ message: 'no', extensions: { code: 'ACCESS_DENIED' } }], data: null };
    const ofOrders = ({ body }: { body: Record<string, unknown> }) => (String(body['query']).includes('oneBuyer') ? { status: 200, body: denied } : undefined);
    for (const state of [intercept('security'), { scopes: [] }, { intercept: ofOrders }]) {
      Object.assign(shop.state, plain, state);
      await page.goto(`${base}/store/keys`);
      await typeKeys(page);
      await said();
    }
    Object.assign(shop.state, plain);

    expect(seen.map((text, nth) => text.includes(say[shopifyProblems[nth] ?? 'broken'].what))).toEqual(shopifyProblems.map(() => true));
    expect(await fits(page, script)).toEqual([]);
  });
});

test('the stand-in itself opens in Chromium under the address that real shops have, and sends back to the app', async () => {
  const callback = `${it.bridge.app.url}/console`;
  const app = shopify.app({ clientId: 'browser', redirectUrls: [callback] });
  const context = await browser.newContext();
  const page = await context.newPage();
  const query = new URLSearchParams({ client_id: app.clientId, scope: 'read_orders', redirect_uri: callback, state: 'S' });
  await page.goto(`${shopify.urlOf(shop)}/admin/oauth/authorize?${query}`);
  await page.getByLabel('Email').fill('owner@corner.example');
  await page.getByRole('button', { name: 'Log in' }).click();
  expect(await page.getByRole('listitem').allInnerTexts()).toEqual(['read_orders']);
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().startsWith(`${callback}?`)),
    page.getByRole('button', { name: 'Install' }).click(),
  ]);

  expect(Object.fromEntries(new URL(request.url()).searchParams)).toMatchObject({ shop: 'corner.myshopify.com', state: 'S', code: expect.any(String) });
  await context.close();
});
