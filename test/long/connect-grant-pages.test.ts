import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { wordsIn } from '../../src/connect/messages/messages.ts';
import { type AppWorld, openAppWorld } from '../support/connect/app-merchant.ts';
import { useShopifyBrowser } from '../support/connect/shopify-browser.ts';
import { ShopifyWalker } from '../support/connect/shopify-walker.ts';
import { inviteMerchant } from '../support/connect/store-merchant.ts';
import { openAs, type Way } from '../support/console/look-at.ts';
import { denials } from '../support/servers/shopify-admin/serve-shop.ts';
import type { ShopState } from '../support/servers/shopify-admin/shopify-admin.ts';
import { signedQuery } from '../support/servers/shopify-admin/signed-query.ts';
import { connectByApp } from '../support/worlds/app-shop.ts';
import { useWorlds } from '../support/worlds/world.ts';

const en = wordsIn('en');
const bg = wordsIn('bg');

const world = useWorlds();
const inBrowser = useShopifyBrowser();
const words = { en, bg } as const;
const judged = new Set<string>();
/** Each page is seen in one or two of these; the whole way, in `connect-grant.test.ts`, on both devices in both languages. */
const ways = [
  { lang: 'bg', width: 360, script: true },
  { lang: 'bg', width: 1280, script: false },
  { lang: 'en', width: 1280, script: true },
] as const;

type Opened = AppWorld & {
  page: Page;
  walker: ShopifyWalker;
  /** Looks at the page: what it says, and what is wrong with it. */
  sees(name: string, ...said: string[]): Promise<void>;
  wrong: string[];
  /** The shop as it was at first, but for this. */
  shopIs(state?: Partial<ShopState>): void;
};

/** Who comes too often is slowed down, so that each test has a server of its own. */
async function opened(how: Omit<Way, 'theme'>): Promise<Opened> {
  await using setup = new AsyncDisposableStack();
  const { shopify, browser } = inBrowser();
  const at = setup.use(await openAppWorld(world, { shopify, known: { scopes: ['read_orders', 'read_all_orders'] } }));
  const { page } = setup.use(await openAs({ url: at.it.bridge.app.url, cookie: '', browser }, { theme: 'light', ...how }));
  const walker = new ShopifyWalker({ page, link: '', double: false, judged, ...how });
  const plain = { ...at.shop.state };
  const sees = async (name: string, ...said: string[]) => {
    await walker.look(name);
    const text = await page.locator('body').innerText();
    walker.wrong.push(...said.filter((one) => !text.includes(one)).map((one) => `${name} does not say “${one}”, but: ${text}`));
  };
  const shopIs = (state: Partial<ShopState> = {}) => void Object.assign(at.shop.state, plain, state);
  const owned = setup.move();
  return { ...at, page, walker, sees, wrong: walker.wrong, shopIs, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function installLink({ it }: Opened, query: Record<string, string> | URLSearchParams): string {
  return `${it.bridge.app.url}/shopify/install?${new URLSearchParams(query)}`;
}

/** Begins with the shop's name alone, as if nothing had been installed, and answers there. */
async function answersAnew(at: Opened, answer: 'Install' | 'Cancel', state: Partial<ShopState> = {}): Promise<void> {
  const { page, shop, atShopify, walker } = at;
  at.shopIs(state);
  shop.grants.uninstall(atShopify.clientId);
  await page.goto(installLink(at, { app: 'corner', shop: 'corner' }));
  await walker.answersAtShopify(answer);
  await page.waitForURL(/\/shopify\/callback/);
}

test.each([ways[0], ways[2]])('each answer to a link that installs an app: %j', async (how) => {
  const { grant: say, store } = words[how.lang];
  await using at = await opened(how);
  const { page, sees, atShopify } = at;
  const signed = (seconds: number, secret = atShopify.secret) =>
    installLink(at, signedQuery({ shop: 'corner.myshopify.com', timestamp: String(Math.floor(Date.now() / 1000) - seconds) }, secret));
  await page.goto(installLink(at, { app: 'nobody' }));
  await sees('no app', say.noAppTitle, say.noApp);
  await page.goto(signed(0, 'of another'));
  await sees('unsigned', say.unsignedTitle, say.unsigned('Shopify'));
  await page.goto(signed(3_600));
  await sees('stale', say.staleTitle, say.stale);
  await page.goto(installLink(at, { app: 'corner', shop: 'cups.example' }));
  await sees('no shop of Shopify', store.problem['address.other'].what);
  const wrong = [
    ['cups.example', 'address.other'],
    ['nobody', 'site.other'],
  ] as const;
  for (const [name, code] of wrong) {
    await page.locator('input[name="name"]').fill(name);
    await page.locator('form[action="/shopify/install"] button').click();
    await sees(`name ${code}`, store.wrongTitle(name), store.problem[code].what);
    expect(await page.locator('input[name="name"]').inputValue()).toBe(name);
  }
  for (let n = 0; n < 20; n += 1) await page.request.get(installLink(at, { app: 'corner' }));
  await page.goto(installLink(at, { app: 'corner' }));
  await sees('too often', say.slow);
  expect(at.wrong).toEqual([]);
});

test.each([ways[0]])('each answer to what comes back from Shopify without a link, and how it is begun again: %j', async (how) => {
  const { grant: say, store } = words[how.lang];
  await using at = await opened(how);
  const { page, sees, walker, atShopify, it } = at;
  const again = page.getByRole('link', { name: say.again });
  await page.goto(`${it.bridge.app.url}/shopify/callback?code=0&state=${'x'.repeat(43)}`);
  await sees('unknown', say.unknownTitle, say.unknown);

  await answersAnew(at, 'Cancel', { cancelLeadsTo: 'callback' });
  await sees('denied', say.deniedTitle, say.denied);
  await again.click();
  await page.getByRole('button', { name: 'Install' }).waitFor();

  await answersAnew(at, 'Install', { grantsOnly: [] });
  const asksMore = store.problem['grant.less'].todo({ title: 'Shopify', to: '', status: '', needed: 'read_orders', version: '' });
  await sees('scope missing', store.wrongTitle('corner.myshopify.com'), asksMore, say.again);

  const { secret } = atShopify;
  atShopify.secret = 'changed';
  await answersAnew(at, 'Install');
  await sees('distrusted', say.distrustedTitle, say.distrusted, say.again);
  atShopify.secret = secret;

  await answersAnew(at, 'Install', { intercept: ({ path }) => (path.endsWith('access_token') ? denials.broken : undefined) });
  await sees('no token', say.refusedTitle, say.refusedNow, say.again);
  await answersAnew(at, 'Install', { intercept: ({ path }) => (path.endsWith('graphql.json') ? denials.frozen : undefined) });
  await sees('frozen', store.problem['shop.frozen'].what, say.again);

  atShopify.customerData = 0;
  await answersAnew(at, 'Install');
  await sees('no orders', store.problem['data.denied'].what, say.again);
  atShopify.customerData = 2;

  // All is well now: pressed once more, they are on their way.
  at.shopIs();
  await again.click();
  await walker.landsOn('company');
  expect(at.wrong).toEqual([]);
});

test.each([ways[2]])('anyone who has a link and grants less, or nothing, is told so on their way, and goes on: %j', async (how) => {
  const { grant: say, store } = words[how.lang];
  await using at = await opened(how);
  const { page, sees, walker, it, shop, atShopify } = at;
  const merchant = await inviteMerchant(it, how.lang);
  walker.link = `${it.bridge.app.url}${merchant.base}`;
  await merchant.post('/store', { kind: 'address', platform: 'shopify', address: 'corner' });
  const goes = page.locator('a.verb[href*="/store/go?app="]');
  at.shopIs({ cancelLeadsTo: 'callback' });

  await page.goto(`${walker.link}/store/found`);
  await goes.click();
  await walker.answersAtShopify('Cancel');
  await page.waitForURL(/\/store\/back\?success=0/);
  await sees('denied by link', store.back.denied);
  at.shopIs({ grantsOnly: [] });
  await page.getByRole('link', { name: store.back.again }).click();
  await goes.click();
  await walker.answersAtShopify('Install');
  await page.waitForURL(/\/shopify\/callback/);
  await sees('scope missing by link', 'read_orders', say.again);

  // They grant what is needed, and not all that was asked for; and the app may not see buyers.
  at.shopIs({ grantsOnly: ['read_orders'] });
  shop.buy().pay();
  atShopify.customerData = 1;
  await page.getByRole('link', { name: say.again }).click();
  await goes.click();
  await walker.answersAtShopify('Install');
  await walker.landsOn('company');
  await page.locator('input[name="companyUic"]').fill('206 770 508');
  await page.locator('button[value="uic"]').click();
  // What the agency is told is the address that customers know, which is none of Shopify's.
  expect(await page.locator('input[name="domain"]').inputValue()).toBe('');
  await merchant.chooseCompany();
  await page.goto(walker.link);
  await sees('notes', store.note['scopes.fewer']({ to: 'read_all_orders' }), store.note['buyers.hidden']());
  expect(at.wrong).toEqual([]);
});

test.each([ways[1]])('a shop that is connected by a command goes on; to another invitation it is taken: %j', async (how) => {
  const { grant: say } = words[how.lang];
  await using at = await opened(how);
  const { page, sees, it, shop, app } = at;
  const { domain } = shop.state;
  await connectByApp(it.bridge, app, domain);
  await answersAnew(at, 'Install');
  await sees('connected', say.connectedTitle(domain), say.connected);

  const merchant = await inviteMerchant(it, how.lang);
  await merchant.post('/store', { kind: 'address', platform: 'shopify', address: 'corner' });
  await page.goto(`${it.bridge.app.url}${merchant.base}/store/found`);
  await page.locator('a.verb[href*="/store/go?app="]').click();
  await page.waitForURL(/\/shopify\/callback/);
  await sees('taken', say.takenTitle(domain), say.taken);
  expect(at.wrong).toEqual([]);
});
