import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inviteMerchant, type Merchant, reachable } from '../support/connect/store-merchant.ts';
import { breaches, openAs, overflow } from '../support/console/look-at.ts';
import { startWooServer, type WooServer } from '../support/servers/woo/start-woo-server.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();
let it: World;
let store: WooServer;
beforeAll(async () => {
  it = await world({ config: await reachable() });
  store = await startWooServer({ now: Date.now });
});
afterAll(async () => {
  await it?.[Symbol.asyncDispose]();
  await store?.[Symbol.asyncDispose]();
});

const say = {
  en: { look: 'Look at the store', approve: /and approve$/, make: 'Make the notifications', agree: /save my newest order/, came: 'A signed message came' },
  bg: {
    look: 'Прегледайте магазина',
    approve: /за да одобрите$/,
    make: 'Създайте известията',
    agree: /най-новата ми поръчка/,
    came: 'Дойде подписано съобщение',
  },
} as const;

async function fits(page: Page, script: boolean): Promise<string[]> {
  const found: string[] = [];
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const tooWide = await overflow(page);
    if (tooWide > 0) found.push(`${new URL(page.url()).pathname.split('/').slice(3).join('/')}: ${tooWide} px too wide at ${width}`);
  }
  return script ? [...found, ...(await breaches(page))] : found;
}

type Way = { lang: 'en' | 'bg'; script: boolean };

async function signInAtStore(page: Page): Promise<void> {
  await page.getByLabel('User').fill('owner');
  await page.getByRole('button', { name: 'Login' }).click();
}

/** Each press and each typed field of the merchant is one of ours or of their store. */
async function goTheWay(page: Page, merchant: Merchant, { lang, script }: Way): Promise<string[]> {
  const words = say[lang];
  const wrong: string[] = [];
  await page.goto(`${it.bridge.app.url}${merchant.base}`);
  wrong.push(...(await fits(page, script)));
  await page.locator('#address-woocommerce').fill(store.url);
  await page.locator('form:has(#address-woocommerce)').getByRole('button', { name: words.look }).click();
  wrong.push(...(await fits(page, script)));
  await page.getByRole('link', { name: words.approve }).click();
  await signInAtStore(page);
  await page.getByRole('link', { name: 'Approve' }).click();
  await page.waitForURL(/\/company$/);
  await merchant.chooseCompany();
  await page.goto(`${it.bridge.app.url}${merchant.base}`);
  await page.waitForURL(/\/webhooks$/);
  await page.getByLabel(words.agree).check();
  wrong.push(...(await fits(page, script)));
  await page.getByRole('button', { name: words.make }).click();
  await page.goto(`${it.bridge.app.url}${merchant.base}/webhooks`);
  await store.webhooks.runQueue();
  // It renews itself, with script and without.
  await page.getByText(words.came).waitFor();
  return [...wrong, ...(await fits(page, script))];
}

describe('the store and its webhooks, in Chromium', () => {
  test.each<Way>([
    { lang: 'en', script: true },
    { lang: 'bg', script: false },
    { lang: 'bg', script: true },
    { lang: 'en', script: false },
  ])('%j', async (way) => {
    store.floor.buy();
    const merchant = await inviteMerchant(it, way.lang);
    await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { width: 1280, theme: 'light', ...way });

    expect(await goTheWay(opened.page, merchant, way)).toEqual([]);
    // The company's page is another's: what it answers here does not count.
    expect(opened.problems.filter((words) => !words.includes('404'))).toEqual([]);
    expect(await opened.page.getAttribute('html', 'lang')).toBe(way.lang);
  });

  test('an own shop: the secret, the code and the box, at a phone', async () => {
    const merchant = await inviteMerchant(it, 'bg');
    await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { width: 360, theme: 'dark', script: true, lang: 'bg' });
    const { page } = opened;
    await page.goto(`${it.bridge.app.url}${merchant.base}`);
    await page.getByLabel('Име на магазина').fill('Чаши');
    await page.getByRole('button', { name: 'Изберете собствен магазин' }).click();
    await page.waitForURL(/\/company$/);
    await merchant.chooseCompany();
    await page.goto(`${it.bridge.app.url}${merchant.base}/webhooks`);
    await page.getByRole('button', { name: 'Създайте адрес и ключ' }).click();
    await page.getByText('Показва се само веднъж').waitFor();
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Копирай' }).first().click();
    await page.getByRole('button', { name: 'Копирано' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await page.locator('pre.secret').first().textContent());
    await page.getByText('Shell: send-order.sh').click();

    expect(await fits(page, true)).toEqual([]);
    await page.getByRole('link', { name: /чакам първата заявка/ }).click();
    expect(await fits(page, true)).toEqual([]);
    expect(opened.problems.filter((words) => !words.includes('404'))).toEqual([]);
  });
});
