import { expect, test } from 'vitest';
import { keptStore } from '../../../src/operations/onboarding/kept-store.ts';
import { newOnboardingLink } from '../../../src/operations/onboarding/onboarding.ts';
import { approveAt, comeBack, goToStore, inviteMerchant, type Merchant, reachable, withKeys } from '../../support/connect/store-merchant.ts';
import { startWooServer } from '../../support/servers/woo/start-woo-server.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

async function shopAndWorld() {
  const store = await startWooServer({ now: Date.now });
  const it = await world({ config: await reachable() });
  const close = async () => {
    await it[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  };
  return { it, store, merchant: await inviteMerchant(it), [Symbol.asyncDispose]: close };
}

test('from a typed address to a store on trial: keys handed over, webhooks made, and the first signed message', async () => {
  await using at = await shopAndWorld();
  const { it, store, merchant } = at;
  const { number } = store.floor.buy();

  const asked = await goToStore(merchant, store.url);
  const found = await merchant.get('/store/found');
  expect(found.text).toContain('Corner');
  // The store learns neither the link nor what it opens.
  expect(decodeURIComponent(asked)).not.toContain(merchant.token);
  const done = await comeBack(merchant, await approveAt(asked, { times: 2 }));

  expect(done.location).toBe(`${merchant.base}/company`);
  expect(store.host.handedOver.map(({ status }) => status)).toEqual([200, 200]);
  const kept = await merchant.now();
  expect(kept).toMatchObject({ platform: 'woocommerce', done: ['store'], progress: { store: { url: store.url, mayWrite: true } } });
  expect(kept.sealed).not.toContain('ck_');
  expect(keptStore(it.bridge.app.core.sealer, kept)?.access?.['consumerKey']).toBe(store.host.handedOver[1]?.key);

  await merchant.chooseCompany();
  expect((await merchant.get('/webhooks')).text).toContain('Make the notifications');
  const made = await merchant.post('/webhooks', { act: 'make', agree: 'yes' });
  expect(made.location).toBe(`${merchant.base}/webhooks?saved=1`);
  expect((await merchant.get('/webhooks?saved=1')).text).toContain('Your newest order was saved as it was');
  expect([...store.webhooks.all.values()].map(({ topic, status }) => [topic, status])).toEqual(
    expect.arrayContaining(
      ['order.created', 'order.updated', 'order.deleted', 'order.restored', 'action.woocommerce_delete_order'].map((topic) => [topic, 'active']),
    ),
  );
  expect([...store.webhooks.all.values()].every(({ secret }) => /^[A-Za-z0-9]{48,}$/.test(secret))).toBe(true);
  const { connectionId, done: steps, sealed } = await merchant.now();
  expect([steps, sealed]).toEqual([['store', 'company', 'webhooks'], null]);
  expect(await it.bridge.app.core.connections.find(connectionId ?? '')).toMatchObject({ trialSince: expect.any(String), name: 'Corner' });
  expect((await merchant.get('/webhooks')).text).toContain('We wait for the first signed message');
  await store.webhooks.runQueue();
  await until(async () => (await merchant.get('/webhooks')).text.includes(`order ${number}`), { what: 'the first message to be shown' });
  expect(it.service.requests('POST')).toEqual([]);
});

test('an address that the store’s own module hands along is filled in, once, and as text', async () => {
  await using at = await shopAndWorld();
  const filled = async (query: string) =>
    [...(await at.merchant.get(`/store${query}`)).text.matchAll(/name="address"[^>]* value="([^"]+)"/g)].map(([, value]) => value);

  expect(await filled('?platform=woocommerce&address=https%3A%2F%2Fshop.example%2F%22%3E%3Cb%3E')).toEqual(['https://shop.example/&quot;&gt;&lt;b&gt;']);
  expect(await filled('')).toEqual([]);
  expect(await filled('?platform=woocommerce&address=a&address=b')).toEqual([]);
  expect((await at.merchant.now()).done).toEqual([]);
});

test('who says no, comes back without keys, or in another browser, is told so; nothing is changed', async () => {
  await using at = await shopAndWorld();
  const { store, merchant } = at;
  const asked = await goToStore(merchant, store.url);

  const denied = await comeBack(merchant, await approveAt(asked, { answer: 'Deny' }));
  expect(denied.text).toContain('You said no. Nothing was changed.');
  // That it went well is said by its address alone.
  const claimed = await merchant.get('/store/back?success=1');
  expect(claimed.text).toContain('The keys have not come yet');
  expect((await merchant.now()).done).toEqual([]);
  const { returnTo } = { returnTo: new URL(new URL(asked).searchParams.get('return_url') ?? '') };
  const stranger = await fetch(returnTo, { redirect: 'manual' });
  expect([stranger.status, stranger.headers.get('location')]).toEqual([404, null]);
  const evil = await merchant.browser.get(`${returnTo.pathname}?success=https://evil.example&return_url=https://evil.example&to=//evil.example`);
  expect(evil.location).toBe(`${merchant.base}/store/back?success=1`);
});

test('a store that asks for its own login, and whose user may not, hands nothing over', async () => {
  await using at = await shopAndWorld();
  const { store, merchant } = at;
  store.host.user = 'customer';

  await expect(approveAt(await goToStore(merchant, store.url))).rejects.toThrow('You do not have permission');
  expect(store.host.handedOver).toEqual([]);
});

test('keys that stop working before they are proved are said to be refused; the step can be gone again', async () => {
  await using at = await shopAndWorld();
  const { store, merchant } = at;
  const returned = await approveAt(await goToStore(merchant, store.url));
  store.keys.delete(store.host.handedOver[0]?.key ?? '');

  const refused = await comeBack(merchant, returned);
  expect(refused.text).toContain('The keys came, but do not work');
  await withKeys(merchant, store.url);
  expect((await merchant.now()).done).toEqual(['store', 'company']);
});

test('pasted keys: a wrong one is refused in words, one that may only read leaves the webhooks to the merchant', async () => {
  await using at = await shopAndWorld();
  const { it, store, merchant } = at;
  store.host.blocksUrls = true;
  await merchant.post('/store', { kind: 'address', platform: 'woocommerce', address: store.url });
  expect((await merchant.get('/store/found')).text).toContain('The hosting blocks the page by which keys are handed over.');
  Object.assign(store.host, { blocksUrls: false, permalinks: 'plain' });
  await merchant.post('/store', { kind: 'address', platform: 'woocommerce', address: store.url });
  const found = await merchant.get('/store/found');
  expect(found.text).toContain('permalinks are “Plain”');
  expect(found.text).not.toContain('/store/go');
  expect((await merchant.get('/store/keys')).text).toContain('WooCommerce → Settings → Advanced → REST API');

  const half = await merchant.post('/store/keys', { consumerKey: 'ck_read' });
  const wrong = await merchant.post('/store/keys', { consumerKey: 'ck_read', consumerSecret: 'cs_typo' });
  expect([half.status, wrong.status]).toEqual([422, 422]);
  expect(wrong.text).toContain('The store refuses the key.');
  expect(wrong.text).not.toContain('cs_typo');
  expect((await merchant.post('/store/keys', { consumerKey: 'ck_read', consumerSecret: 'cs_read' })).location).toBe(`${merchant.base}/company`);
  await merchant.chooseCompany();
  expect((await merchant.get('/webhooks')).text).toContain('may only read');
  const steps = await merchant.post('/webhooks', { act: 'make' });
  const secret = /<pre class="secret"[^>]*>(\w+)</.exec(steps.text)?.[1] ?? '';
  expect(steps.text).toContain('Delivery URL: http://');
  const address = /Delivery URL: (\S+?)</.exec(steps.text)?.[1] ?? '';
  expect((await merchant.get('/webhooks')).text).not.toContain(secret);
  const sent = (await merchant.post('/webhooks', { act: 'link' })).text;
  const [, developer = ''] = /<pre class="secret"[^>]*>[^<]*(\/connect\/[\w-]+)</.exec(sent) ?? [];
  expect(sent).toMatch(/href="mailto:\?subject=[^"]*connect%2F/);
  const theirs = await fetch(`${it.bridge.app.url}${developer}/webhooks`, { headers: { 'accept-language': 'en' } }).then((answer) => answer.text());
  expect(theirs).toContain(`<code class="copy">${address}</code>`);
  for (const text of [sent, theirs]) expect([text.includes(secret), text.includes('A link for your developer<')]).toEqual([false, text === sent]);
  store.webhooks.add({ topic: 'order.updated', delivery_url: address, secret });
  store.floor.save(store.floor.buy().id);
  await store.webhooks.runQueue();
  await until(async () => (await merchant.get('/webhooks')).text.includes('A signed message came'), { what: 'the first message' });
});

test('a connected store whose key was revoked gets new ones by a link to that step alone, and its webhooks are mended', async () => {
  await using at = await shopAndWorld();
  const { it, store, merchant } = at;
  await withKeys(merchant, store.url);
  await merchant.post('/webhooks', { act: 'make' });
  const { connectionId } = await merchant.now();
  const keyOf = async () => (await it.bridge.app.core.connections.find(connectionId ?? ''))?.access?.['consumerKey'];
  const before = await keyOf();
  store.keys.delete(before ?? '');
  for (const webhook of store.webhooks.all.values()) webhook.status = 'paused';

  const token = await newOnboardingLink({ pool: it.bridge.pool }, merchant, { scope: { kind: 'step', step: 'store' }, days: 14 });
  const one: Merchant = { ...merchant, token, base: `/connect/${token}` };
  const [get, post] = [(path: string) => merchant.browser.get(`${one.base}${path}`), (path: string) => merchant.browser.post(`${one.base}${path}`, {})];
  expect((await get('/store')).text).toContain('Give it new keys');
  expect((await get('/webhooks')).location).toBe(`${one.base}/store`);
  const { location } = await get('/store/go');
  const back = await comeBack({ ...one, get, post }, await approveAt(location ?? ''));
  expect(back.location).toBe(`${one.base}/store?keys=new`);
  expect((await get('/store?keys=new')).text).toContain('The new keys work.');

  expect(await keyOf()).toBe(store.host.handedOver[1]?.key);
  expect((await merchant.post('/webhooks', { act: 'check' })).text).toMatch(/\d notifications are in your store, read back and active/);
  expect([...store.webhooks.all.values()].every(({ status }) => status === 'active')).toBe(true);
  expect((await it.bridge.app.core.connections.list()).length).toBe(1);
});
