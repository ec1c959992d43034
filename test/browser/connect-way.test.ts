import { expect, test } from 'vitest';
import { findOnboarding } from '../../src/bridge/ledger/invitations/onboarding-store.ts';
import { createLog } from '../../src/platform/log.ts';
import { invited, type Merchant } from '../support/connect/merchant.ts';
import { reachable } from '../support/connect/store-merchant.ts';
import { Walker } from '../support/connect/walker.ts';
import { openAs, type Way } from '../support/console/look-at.ts';
import { longTest } from '../support/long-test.ts';
import { drawn } from '../support/run-size.ts';
import { startWooServer, type WooServer } from '../support/servers/woo/start-woo-server.ts';
import { ownShop, standingIn } from '../support/worlds/own-service.ts';
import { until } from '../support/worlds/settled.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';
import type { World } from '../support/worlds/world.ts';

const world = useSharedWorlds();

/** Our own service, and everything that the program logs. */
async function loggedWorld() {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', name: 'test', destination: { write: (line) => void lines.push(line) } });
  return { it: await world({ embeddedService: true, config: await reachable(), log }), lines };
}

async function connectedOf({ bridge }: World, { id }: Merchant) {
  const connectionId = (await findOnboarding(bridge.pool, id))?.connectionId ?? '';
  const connection = await bridge.app.core.connections.find(connectionId);
  if (connection === null) throw new Error('no store is connected');
  return { connection };
}

/** The store sends what waits; a number is an order's. */
async function buys(it: World, store: WooServer, merchant: Merchant): Promise<{ id: string; becomes(state: 'ignored' | 'recorded'): Promise<void> }> {
  const id = String(store.floor.buy({ gateway: 'bacs' }).id);
  await store.webhooks.runQueue();
  const connected = await connectedOf(it, merchant);
  return { id, becomes: async (state) => void (await it.bridge.settled(connected, id, state)) };
}

/** Nothing of this may be in a log or be said to the store as where somebody came from. */
function secretsOf(store: WooServer, ...tokens: string[]): string[] {
  const handedOver = [...store.keys].filter(([key]) => store.host.handedOver.some((one) => one.key === key)).flatMap(([key, { secret }]) => [key, secret]);
  const asked = store.asked.map(({ path }) => new URL(path, 'http://any').searchParams);
  const states = asked.flatMap((query) => [query.get('user_id'), query.get('return_url')?.split('/').at(-1)]).filter((one) => one != null && one.length > 20);
  const ofWebhooks = [...store.webhooks.all.values()].map(({ secret }) => secret);
  expect([handedOver.length > 0, states.length > 0, ofWebhooks.length > 0]).toEqual([true, true, true]);
  return [...tokens, ...handedOver, ...states, ...ofWebhooks].map(String);
}

type Going = Way & { double: boolean };

/** Every two of these settings meet. */
const ways: readonly Going[] = [
  { lang: 'bg', width: 360, theme: 'dark', script: true, double: false },
  { lang: 'en', width: 1280, theme: 'light', script: true, double: true },
  { lang: 'en', width: 360, theme: 'light', script: false, double: true },
  { lang: 'bg', width: 1280, theme: 'light', script: false, double: false },
];
const judged = new Set<string>();

test.each(drawn(ways))('a new company, from the link to the records: %j', async ({ double, ...how }) => {
  const { it: made, lines } = await loggedWorld();
  await using it = made;
  await using store = await startWooServer({ now: Date.now });
  store.floor.buy({ gateway: 'bacs' });
  const merchant = await invited(it.bridge, { lang: null });
  const link = `${it.bridge.app.url}/connect/${merchant.token}`;
  await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, how);
  const { page, context, problems } = opened;
  const walker = new Walker({ page, link, double, judged, ...how });

  await page.goto(link);
  await walker.giveStore(store.url);
  await walker.giveCompany('cups.example');
  await walker.makeWebhooks();
  const tried = await buys(it, store, merchant);
  await page.locator('#first .tag.ok').waitFor();
  const other = await context.newPage();
  await walker.answerAndStart(async () => {
    await tried.becomes('ignored');
    await other.goto(`${link}/trial`);
  });

  const kept = new URL(page.url()).pathname.split('/')[2] ?? '';
  expect(kept).not.toBe(merchant.token);
  expect(await page.getAttribute('html', 'lang')).toBe(how.lang);
  // The other window of the merchant still has the form.
  await other.locator('form[action$="/trial"] button:not([formmethod])').click();
  await other.waitForURL(/\/status$/);
  const next = await buys(it, store, merchant);
  await next.becomes('recorded');
  await page.reload();
  await page.locator('section.banner.ok').waitFor();
  expect(await page.locator('main').innerText()).toContain(store.floor.orders.get(Number(next.id))?.number);
  const { connection } = await connectedOf(it, merchant);
  expect(await standingIn(it, connection)).toEqual([expect.stringMatching(/: 24.00$/)]);
  expect((await it.bridge.app.core.connections.list()).length).toBe(1);
  expect(store.webhooks.all.size).toBe(new Set([...store.webhooks.all.values()].map(({ topic }) => topic)).size);
  expect([walker.wrong, problems.filter((words) => !words.includes('favicon'))]).toEqual([[], []]);
  const secrets = secretsOf(store, merchant.token, kept);
  expect(secrets.filter((secret) => lines.some((line) => line.includes(secret)))).toEqual([]);
  expect(store.referers.filter((referer) => !referer.startsWith(store.url))).toEqual([]);
});

longTest('a shop that exists takes eight clicks and one typed address; then its page says how it does, until it is ended', async () => {
  const { it: made } = await loggedWorld();
  await using it = made;
  await using store = await startWooServer({ now: Date.now });
  store.floor.buy({ gateway: 'bacs' });
  const { shopId } = await ownShop(it);
  const merchant = await invited(it.bridge, { lang: null, shopId });
  const link = `${it.bridge.app.url}/connect/${merchant.token}`;
  await using opened = await openAs({ url: it.bridge.app.url, cookie: '' }, { theme: 'dark', width: 360, script: true, lang: 'bg' });
  const { page } = opened;
  const walker = new Walker({ page, link, double: false, script: true, lang: 'bg', judged });

  await page.goto(link);
  await walker.giveStore(store.url);
  await walker.makeWebhooks();
  await walker.answerAndStart(async () => undefined);

  expect(walker.pressed.length).toBeLessThanOrEqual(8);
  expect(walker.typed).toEqual(['address']);
  const next = await buys(it, store, merchant);
  await next.becomes('recorded');
  expect(walker.wrong).toEqual([]);

  const kept = page.url();
  await page.goto(`${kept}/disconnect`);
  await walker.look('disconnect');
  await page.locator('button.danger').click();
  await page.waitForURL(kept);
  await until(async () => expect((await connectedOf(it, merchant)).connection.closedAt).not.toBeNull(), { what: 'the store to be disconnected' });
  await page.goto(`${kept}/unlink`);
  await walker.look('unlink');
  await page.locator('button.danger').click();
  await page.locator('h1').waitFor();
  expect((await page.goto(kept))?.status()).toBe(404);
  expect(walker.wrong).toEqual([]);
});
