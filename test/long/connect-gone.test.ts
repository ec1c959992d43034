import { expect, test } from 'vitest';
import { wordsIn } from '../../src/connect/messages/messages.ts';
import { inviteMerchant, reachable } from '../support/connect/store-merchant.ts';
import { openAs, overflow } from '../support/console/look-at.ts';
import { startWooServer } from '../support/servers/woo/start-woo-server.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const en = wordsIn('en');
const bg = wordsIn('bg');

const world = useSharedWorlds();
const words = { en, bg } as const;

const ways = [
  { lang: 'bg', script: true, width: 360 },
  { lang: 'en', script: false, width: 1280 },
] as const;

test.each(ways)('a store that is gone after its address was found is waited for, and nothing is asked twice: %j', async ({ lang, ...how }) => {
  const say = words[lang];
  await using it = await world({ config: await reachable() });
  await using store = await startWooServer({ now: Date.now });
  const merchant = await inviteMerchant(it, lang);
  await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { theme: 'light', lang, ...how });
  const { page } = opened;
  const link = `${it.bridge.app.url}${merchant.base}`;
  const saysGone = async () => {
    const text = await page.getByRole('alert').innerText();
    const { what, todo } = say.store.problem.unreachable;
    for (const part of [what, todo()]) expect(text).toContain(part);
    expect(await overflow(page)).toBe(0);
  };
  const pasteKeys = async () => {
    await page.goto(`${link}/store/keys`);
    await page.locator('input[name="consumerKey"]').fill('ck_write');
    await page.locator('input[name="consumerSecret"]').fill('cs_write');
    await page.getByRole('button', { name: say.store.keys.verb }).click();
  };
  await page.goto(link);
  await page.locator('#address-woocommerce').fill(store.url);
  await page.locator('form:has(#address-woocommerce)').getByRole('button', { name: say.store.address.verb }).click();
  await page.waitForURL(/\/store\/found$/);

  // Before they go there, and when they paste keys in its place.
  await store.leave();
  const refused = page.waitForEvent('requestfailed', (request) => request.isNavigationRequest());
  await page.locator('a.verb[href$="/store/go"]').click();
  expect((await refused).url()).toContain('wc-auth');
  await pasteKeys();
  await saysGone();
  await store.comeBack();
  await page.goto(link);
  await page.locator('a[href$="/store/found"]').first().click();
  await page.locator('a.verb[href$="/store/go"]').click();
  await page.getByLabel('User').fill('owner');
  await page.getByRole('button', { name: 'Login' }).click();

  // While it hands its keys over: they came, and can be tried once it is there again.
  store.host.intercept = ({ path }) => (path.includes('access_granted') ? undefined : { status: 500, body: 'gone' });
  await page.getByRole('link', { name: 'Approve' }).click();
  await page.waitForURL(/\/store\/back/);
  expect(await page.getByRole('alert').innerText()).toContain(say.store.problem.broken.what);
  await store.leave();
  await page.reload();
  await saysGone();
  store.host.intercept = () => undefined;
  await store.comeBack();
  await page.reload();
  await page.waitForURL(/\/company$/);
  expect([store.host.handedOver.length, (await merchant.now()).done]).toEqual([1, ['store']]);

  // As its notifications are made.
  await merchant.chooseCompany();
  await page.goto(`${link}/webhooks`);
  await store.leave();
  await page.getByRole('button', { name: say.webhooks.make }).click();
  await page.getByRole('heading', { name: say.webhooks.failed }).waitFor();
  await store.comeBack();
  await page.getByRole('button', { name: say.webhooks.again }).click();
  await page.locator('a.verb[href$="/mapping"]').waitFor();
  expect(store.webhooks.all.size).toBe(new Set([...store.webhooks.all.values()].map(({ topic }) => topic)).size);
  expect((await it.bridge.app.core.connections.list()).length).toBe(1);
});
