import { expect, test } from 'vitest';
import { inviteMerchant, type Merchant, reachable } from '../../support/connect/store-merchant.ts';
import { formOf } from '../../support/console/form-of.ts';
import type { ShopState } from '../../support/servers/shopify-admin/shopify-admin.ts';
import { StandInShopify } from '../../support/servers/shopify-admin/stand-in-shopify.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { totals, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const OWN_APP = { clientId: 'client-id', clientSecret: 'shpss_client_secret' };

async function shopAndWorld(state: Partial<ShopState> = {}) {
  await using setup = new AsyncDisposableStack();
  const shopify = setup.use(await StandInShopify.start());
  const shop = await shopify.shop('corner', state);
  const it = setup.use(await world({ config: await reachable() }));
  const owned = setup.move();
  return { it, shopify, shop, merchant: await inviteMerchant(it), [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const typed = (merchant: Merchant, address: string) => merchant.post('/store', { kind: 'address', platform: 'shopify', address });

async function withKeys(merchant: Merchant, keys: Record<string, string> = { way: 'own-app', ...OWN_APP }): Promise<void> {
  await typed(merchant, 'corner');
  const taken = await merchant.post('/store/keys', keys);
  expect([taken.location, taken.location === null ? taken.text : '']).toEqual([`${merchant.base}/company`, '']);
  await merchant.chooseCompany();
}

async function connectionOf(it: World, merchant: Merchant) {
  const connection = await it.bridge.app.core.connections.find((await merchant.now()).connectionId ?? '');
  if (connection === null) throw new Error('no store is connected');
  return { connection };
}

test('from the name of a shop to its records: keys of an own app, webhooks by the API, last orders, trial, start', async () => {
  await using at = await shopAndWorld();
  const { it, shop, shopify, merchant } = at;
  const before = shop.buy({ createdAt: Date.now() - 40 * 86_400_000 }).pay('Bank Deposit');
  shop.outbox.length = 0;

  const asked = await merchant.get('/store');
  expect(asked.text).toContain('A Shopify store');
  expect(asked.text).toContain('The address that ends in .myshopify.com');
  expect((await typed(merchant, 'https://admin.shopify.com/store/corner/settings')).location).toBe(`${merchant.base}/store/found`);
  const found = await merchant.get('/store/found');
  expect(found.text).toContain('corner.myshopify.com');
  expect(found.text).not.toContain('/store/go');
  const ways = (await merchant.get('/store/keys')).text;
  expect(ways).toMatch(/An app of your own.*Client ID.*before 2026.*Admin API access token/s);
  expect((await merchant.post('/store/keys', { way: 'own-app', ...OWN_APP })).location).toBe(`${merchant.base}/company`);
  expect((await merchant.now()).sealed).not.toContain('shpss');

  await merchant.chooseCompany();
  expect((await merchant.get('/webhooks')).text).toContain('Make the notifications');
  expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
  const connected = await connectionOf(it, merchant);
  const { connection } = connected;
  expect(connection).toMatchObject({ platform: 'shopify', name: 'corner.myshopify.com', store: 'corner.myshopify.com', trialSince: expect.any(String) });
  expect(connection.secrets).toEqual([{ secret: OWN_APP.clientSecret, until: null }]);
  expect(shop.webhooks.map(({ topic }) => topic).toSorted()).toEqual([
    'app/scopes_update',
    'app/uninstalled',
    'order_transactions/create',
    'orders/cancelled',
    'orders/delete',
    'orders/paid',
    'orders/updated',
    'refunds/create',
  ]);
  expect(new Set(shop.webhooks.map(({ uri }) => uri))).toEqual(new Set([`${it.bridge.app.url}/webhooks/shopify/${connection.id}`]));
  expect((await merchant.get('/webhooks')).text).toContain('We wait for the first signed message');

  const onTrial = shop.buy().pay();
  expect(new Set(await shop.send())).toEqual(new Set([200]));
  await until(async () => (await merchant.get('/webhooks')).text.includes('A signed message came'), { what: 'the first message to be shown' });
  await it.bridge.settled(connected, onTrial.id, 'ignored');

  const mapping = (await merchant.get('/mapping')).text;
  expect(mapping).toContain('of your last 60 days');
  expect(mapping).toMatch(/20 % <span class="soft">in 2 orders/);
  const form = formOf(mapping, `${merchant.base}/mapping`);
  expect(form).toMatchObject({ gateway: ['Bank Deposit'], type: ['BANK_TRANSFER'] });
  expect((await merchant.browser.post(`${merchant.base}/mapping`, { ...form, act: 'save' })).location).toBe(`${merchant.base}/trial`);
  const path = `${merchant.base}/trial`;
  const trial = (await merchant.get('/trial')).text;
  expect(trial).toContain('as it would be recorded');
  const start = formOf(trial.slice(trial.indexOf(`method="post" action="${path}"`)), path);
  expect((await merchant.browser.post(path, start)).location).toMatch(/\/status$/);

  const sold = shop.buy().pay();
  await shop.send();
  await it.bridge.settled(connected, sold.id, 'recorded');
  expect(totals(it.service, sold.id)).toEqual(['64.90']);
  expect(totals(it.service, before.id)).toEqual([]);
  expect(shopify.apps.size).toBe(0);
});

test('an app that the administration made before 2026: its token, and the secret that signs', async () => {
  await using at = await shopAndWorld({ hidesBuyers: true });
  const { it, shop, merchant } = at;
  shop.buy({ buyer: { email: 'ana@cups.example', first_name: 'Ana', last_name: 'Bell', phone: '1' } });
  const keys = { way: 'old-app', accessToken: shop.state.token, clientSecret: shop.state.clientSecret };
  await typed(merchant, 'corner.myshopify.com');

  expect(await merchant.post('/store/keys', { ...keys, clientSecret: '' })).toMatchObject({ status: 422, text: expect.stringContaining('Both parts') });
  const short = await merchant.post('/store/keys', { ...keys, clientSecret: 'short' });
  const wrong = await merchant.post('/store/keys', { ...keys, accessToken: 'shpat_typo' });
  expect([short.status, wrong.status]).toEqual([422, 422]);
  expect(wrong.text).toContain('The store refuses the key.');
  expect(wrong.text).not.toContain('shpat_typo');
  await withKeys(merchant, keys);
  expect((await merchant.now()).progress).toMatchObject({ store: { notes: [{ code: 'buyers.hidden' }] } });
  await merchant.post('/webhooks', { act: 'make' });
  expect((await connectionOf(it, merchant)).connection).toMatchObject({ access: { url: 'https://corner.myshopify.com', accessToken: shop.state.token } });
  shop.buy().pay();
  expect(new Set(await shop.send())).toEqual(new Set([200]));
});

test.each([
  { address: 'cups.example', says: 'This is not the address that we need.' },
  { address: 'nobody', says: 'There is no store of this kind at the address.' },
])('$address is refused in words', async ({ address, says }) => {
  await using at = await shopAndWorld();
  const answer = await typed(at.merchant, address);

  expect([answer.status, answer.text.includes(says)]).toEqual([422, true]);
  expect(answer.text).toContain(`value="${address}"`);
  expect(answer.text.match(/id="address-\w+" name="address" type="text" value=""/g)).toHaveLength(1);
});

test('a connected shop whose app got a new secret takes the new keys, and what the old secret signed for a day', async () => {
  await using at = await shopAndWorld();
  const { it, shop, merchant } = at;
  await withKeys(merchant);
  await merchant.post('/webhooks', { act: 'make' });
  const before = shop.buy().pay();
  shop.state.clientSecret = 'shpss_rotated';
  shop.revoke();

  expect((await merchant.post('/store/keys', { way: 'own-app', ...OWN_APP })).text).toContain('The store refuses the key.');
  const renewed = await merchant.post('/store/keys', { way: 'own-app', ...OWN_APP, clientSecret: 'shpss_rotated' });
  expect(renewed.location).toBe(`${merchant.base}/store?keys=new`);
  const { connection } = await connectionOf(it, merchant);
  expect(connection.secrets.map(({ secret, until: end }) => [secret, end === null])).toEqual([
    ['shpss_rotated', true],
    [OWN_APP.clientSecret, false],
  ]);
  expect(new Set(await shop.send())).toEqual(new Set([200]));
  await it.bridge.settled({ connection }, before.id, 'ignored');
  // The same keys once more change no secret.
  await merchant.post('/store/keys', { way: 'own-app', ...OWN_APP, clientSecret: 'shpss_rotated' });
  expect((await connectionOf(it, merchant)).connection.secrets).toEqual(connection.secrets);
});

test('two shops of one app are two stores: the secret alone tells neither from the other', async () => {
  await using at = await shopAndWorld();
  const { it, shopify, merchant } = at;
  await shopify.shop('other');
  await withKeys(merchant);
  const shopId = (await merchant.now()).shopId ?? '';
  await merchant.post('/webhooks', { act: 'make' });

  const second = await inviteMerchant(it);
  await second.post('/store', { kind: 'address', platform: 'shopify', address: 'other' });
  await second.post('/store/keys', { way: 'own-app', ...OWN_APP });
  await second.chooseCompany(shopId);
  const refused = await second.post('/webhooks', { act: 'make' });
  expect(refused.text).toContain('has another connected store already');
  expect((await second.now()).connectionId).toBeNull();
});
