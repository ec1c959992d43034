import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { OwnShop } from '../../support/servers/own-shop.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const ASK = '/console/orders/ask';

async function askable() {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const shop = await OwnShop.start(secret);
  const it = await world({ config: { trustedHttpHosts: ['127.0.0.1'] } });
  const connected = await it.bridge.connect({ name: 'Corner <b>', secret, access: { url: shop.url } });
  const at = new Date().toISOString();
  shop.save(orderOf('700', { number: 'BG-1042', updatedAt: at }));
  const close = async () => {
    await it[Symbol.asyncDispose]();
    await shop[Symbol.asyncDispose]();
  };
  return { it, shop, connected, [Symbol.asyncDispose]: close };
}

test('an order that no webhook announced is asked of its store by its number or id, and shown', async () => {
  await using at = await askable();
  const { it, connected, shop } = at;
  const operator = await signIn(it.bridge, { role: 'operator' });
  const empty = await operator.get('/console/find?q=%23BG-1042');
  expect(empty.text).toContain('Ask Corner &lt;b&gt; for it');

  const found = await operator.post(ASK, { ...formOf(empty.text, ASK), store: connected.connection.id });

  expect(found.location).toMatch(/^\/console\/orders\/\d+\?done=order-fetched$/);
  await it.bridge.settled(connected, '700', 'recorded');
  expect((await operator.get(found.location ?? '')).text).toContain('BG-1042');
  shop.save(orderOf('701', { number: 'BG-1043' }));
  expect((await operator.post(ASK, { q: '701', store: connected.connection.id })).location).toMatch(/^\/console\/orders\/\d+\?done=order-fetched$/);
  const acts = (await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'store.queried');
  expect(acts.map(({ who, subject }) => [who, subject])).toEqual(['700', '701'].map((id) => [`person:${operator.person.id}`, id]));
});

test('what the store does not have, or does not say, is said; what was typed is text, and in no audit log', async () => {
  await using at = await askable();
  const { it, connected, shop } = at;
  const owner = await signIn(it.bridge);
  const asked = { q: '<img src=x>9', store: connected.connection.id };

  const none = await owner.post(ASK, asked);
  shop.instead = () => ({ status: 503 });
  const away = await owner.post(ASK, asked);

  expect(none).toMatchObject({ status: 404, text: expect.stringContaining('Corner &lt;b&gt; has no order with the id &lt;img src=x&gt;9') });
  expect(away).toMatchObject({ status: 503, text: expect.stringContaining('the store could not be read') });
  expect(JSON.stringify(await readBridgeActs(it.bridge.pool))).not.toContain('img');
});

test('of a store in which many orders changed, the newest are looked through; how far back all were is said', async () => {
  await using at = await askable();
  const { it, connected, shop } = at;
  const owner = await signIn(it.bridge);
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  for (let nth = 0; nth < 1_100; nth += 1) shop.save(orderOf(`old-${nth}`, { updatedAt: ago(20) }));
  const ask = (q: string) => owner.post(ASK, { q, store: connected.connection.id });

  expect((await ask('#BG-1042')).location).toMatch(/^\/console\/orders\/\d+\?done=order-fetched$/);
  expect((await ask('#BG-1099')).text).toContain('none with this number that changed in the last 7 days');
  for (let nth = 0; nth < 1_100; nth += 1) shop.save(orderOf(`new-${nth}`, { updatedAt: ago(1) }));
  const { text } = await ask('#BG-1099');
  expect(text).toContain('More than 1,000 orders changed lately, too many to search by number: ask by its id');
  expect(text).not.toContain('last 0 days');
});

test('who may not decide about orders asks no store, nor does another site; a store without keys has no button', async () => {
  await using at = await askable();
  const { it, connected, shop } = at;
  const bare = await it.bridge.connect({ name: 'Bare' });
  const owner = await signIn(it.bridge);
  const fields = { q: '700', store: connected.connection.id };
  const before = shop.asked.length;

  for (const role of ['viewer', 'accountant'] as const) {
    const browser = await signIn(it.bridge, { role });
    expect((await browser.get('/console/find?q=700')).text).not.toContain(ASK);
    expect((await browser.post(ASK, fields)).status).toBe(403);
  }
  expect((await owner.post(ASK, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await owner.post(ASK, { ...fields, store: 'nobody' })).location).toBe('/console/find?q=700');
  expect((await owner.post(ASK, { ...fields, store: bare.connection.id })).status).toBe(409);
  expect((await owner.get('/console/find?q=700')).text).not.toContain('Ask Bare');

  expect(shop.asked).toHaveLength(before);
});
