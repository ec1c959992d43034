import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createStoreFetch, openStoreKeys } from '../../../src/app/store-access.ts';
import { attachStore } from '../../../src/operations/onboarding/attach-store.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { approveAt, comeBack, goToStore, inviteMerchant, type Merchant, reachable, withKeys } from '../../support/connect/store-merchant.ts';
import { startHttpServer } from '../../support/servers/raw-server.ts';
import { startWooServer } from '../../support/servers/woo/start-woo-server.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

const keysOf = (state: string, key = 'ck_') => ({
  ...{ key_id: 1, user_id: state, key_permissions: 'read_write' },
  ...{ consumer_key: `${key}${randomBytes(20).toString('hex')}`, consumer_secret: `cs_${randomBytes(20).toString('hex')}` },
});

async function opened() {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', name: 'test', destination: { write: (line) => void lines.push(line) } });
  const store = await startWooServer({ now: Date.now });
  const it = await world({ config: await reachable(), log });
  const call = async (body: unknown, { platform = 'woocommerce', headers = {} }: { platform?: string; headers?: Record<string, string> } = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const url = `${it.bridge.app.url}/connect/callback/${platform}`;
    const answer = await fetch(url, { method: 'POST', body: text, headers: { 'content-type': 'application/json;charset=UTF-8', ...headers } });
    return { status: answer.status, text: await answer.text() };
  };
  const close = async () => {
    await it[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  };
  return { it, store, call, lines, merchant: await inviteMerchant(it), [Symbol.asyncDispose]: close };
}

const handOvers = rowsOf('hand_overs', z.object({ sealed: z.string().nullable() }));
const readHandOvers = (pool: Pool) => readRows(pool, handOvers, { text: 'select sealed from hand_overs' });
const stateOf = (address: string) => new URL(address).searchParams.get('user_id') ?? '';

test('a callback that nobody asked for, of another platform, too late, or that is none, changes nothing and says nothing', async () => {
  await using at = await opened();
  const { call, it, store, merchant } = at;
  const state = stateOf(await goToStore(merchant, store.url));
  for (const [body, options] of [
    [keysOf(randomBytes(32).toString('base64url')), {}],
    [keysOf(state), { platform: 'standard' }],
    [keysOf(state), { platform: 'constructor' }],
    [{ ...keysOf(state), consumer_key: 'ck_short' }, {}],
    ['{"user_id":', {}],
    [keysOf(state), { headers: { 'content-type': 'text/plain' } }],
    [{ ...keysOf(state), more: 'x'.repeat(5_000) }, {}],
  ] as const) {
    const { status, text } = await call(body, options);
    expect([400, 404]).toContain(status);
    expect(text).toBe('');
  }
  const wrongMethod = await fetch(`${it.bridge.app.url}/connect/callback/woocommerce?user_id=${state}`);
  expect(wrongMethod.status).toBe(405);
  await it.bridge.pool.query(`update hand_overs set expires_at = now() - interval '1 s'`);
  expect((await call(keysOf(state))).status).toBe(404);
  expect((await readHandOvers(it.bridge.pool)).map(({ sealed }) => sealed)).toEqual([null]);
});

test('forged keys are taken and never believed; a state whose keys were proved is used up, and so is one of a store that was left', async () => {
  await using at = await opened();
  const { call, it, store, merchant } = at;
  const state = stateOf(await goToStore(merchant, store.url));
  expect((await call(keysOf(state))).status).toBe(200);
  expect((await merchant.get('/store/back?success=1')).text).toContain('The keys came, but do not work');
  expect((await readHandOvers(it.bridge.pool)).map((one) => one.sealed)).toEqual([null]);
  // Asked again, the store is not called again.
  const called = store.asked.length;
  expect((await merchant.get('/store/back?success=1')).text).toContain('The keys came, but do not work');
  expect(store.asked).toHaveLength(called);
  const asked = await goToStore(merchant, store.url);
  expect((await comeBack(merchant, await approveAt(asked))).location).toBe(`${merchant.base}/company`);
  const { sealed } = await merchant.now();
  expect((await call(keysOf(stateOf(asked)))).status).toBe(404);
  await merchant.get('/store/back?success=1');
  expect((await merchant.now()).sealed).toBe(sealed);
  // The merchant went on to another store: keys of the first are not tried at that one.
  await using other = await startWooServer({ now: Date.now });
  const left = await goToStore(merchant, store.url);
  await goToStore(merchant, other.url);
  await approveAt(left);
  expect((await merchant.get('/store/back?success=1')).text).toContain('The keys have not come yet');
  expect(other.asked.filter(({ authorization }) => authorization !== null)).toEqual([]);
});

test('the state of one merchant is of no use to another, nor are keys of another store', async () => {
  await using at = await opened();
  const { it, store, merchant } = at;
  await using shop = await startWooServer({ now: Date.now });
  const other = await inviteMerchant(it);
  await goToStore(merchant, store.url);
  const asked = await goToStore(other, shop.url);
  const returned = await approveAt(asked);
  // The first merchant opens what the second one was sent back to.
  expect((await comeBack(merchant, returned)).status).toBe(404);
  expect((await merchant.now()).done).toEqual([]);
  expect((await comeBack(other, returned)).location).toBe(`${other.base}/company`);
});

test('a store that sends programs elsewhere is not followed with keys, and an address inside is not called', async () => {
  await using at = await opened();
  const { store, merchant } = at;
  await using inside = await startHttpServer((response) => response.end('{"name":"x","namespaces":["wc/v3"]}'));
  store.host.intercept = ({ path }) => (path.includes('wp-json') ? { status: 307, headers: { location: `${inside.url}/wp-json/` }, body: '' } : undefined);

  const looked = await merchant.post('/store', { kind: 'address', platform: 'woocommerce', address: store.url });
  expect(looked.text).toContain('The store sends programs to another address.');
  store.host.intercept = () => undefined;
  const asked = await goToStore(merchant, store.url);
  const returned = await approveAt(asked);
  store.host.intercept = ({ path }) => (path.includes('wp-json') ? { status: 307, headers: { location: `${inside.url}/wp-json/` }, body: '' } : undefined);
  expect((await comeBack(merchant, returned)).text).toContain('The store sends programs to another address.');
  expect(inside.seen).toEqual([]);

  await using strict = await world({ config: { ...(await reachable()), allowPrivateAddresses: false } });
  const guest = await inviteMerchant(strict, 'bg');
  const before = store.asked.length;
  for (const address of [store.url, 'https://10.0.0.1/', 'http://[::1]/', 'localhost', '169.254.169.254/latest/meta-data']) {
    expect((await guest.post('/store', { kind: 'address', platform: 'woocommerce', address })).text).toContain('Този адрес не е в интернет.');
  }
  expect(store.asked).toHaveLength(before);
});

test('neither link, state, code nor keys come into the log, a page or an address of the store', async () => {
  await using at = await opened();
  const { it, store, merchant, lines } = at;
  const asked = await goToStore(merchant, store.url);
  const returned = await approveAt(asked);
  await comeBack(merchant, returned);
  await merchant.chooseCompany();
  store.host.intercept = ({ path }) => (path.includes('webhooks') ? { status: 500, body: '<h1>' } : undefined);
  expect((await merchant.post('/webhooks', { act: 'make' })).text).toContain('The notifications could not be made');
  store.host.intercept = () => undefined;
  expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
  await it.bridge.pool.query('alter table hand_overs rename to gone');
  const failed = await merchant.get('/store/back');
  await it.bridge.pool.query('alter table gone rename to hand_overs');

  const { connectionId } = await merchant.now();
  const connection = await it.bridge.app.core.connections.find(connectionId ?? '');
  const state = stateOf(asked);
  const secrets = [
    merchant.token,
    state,
    new URL(returned).pathname.split('/').at(-1) ?? '',
    ...Object.values(connection?.access ?? {}).filter((one) => /^c[ks]_/.test(one)),
  ];
  const all = [...secrets, ...(connection?.secrets.map(({ secret }) => secret) ?? [])];
  expect(all.every((one) => one.length > 30)).toBe(true);
  expect(all.filter((one) => lines.join('').includes(one))).toEqual([]);
  expect(store.asked.filter(({ path }) => path.includes(merchant.token))).toEqual([]);
  expect(failed.headers.get('referrer-policy')).toBe('no-referrer');
});

test('a press that is doubled or cut short makes one connection; a shop that has another store is not taken over', async () => {
  await using at = await opened();
  const { it, store, merchant } = at;
  await withKeys(merchant, store.url);

  const pressed = await Promise.all([1, 2, 3].map(() => merchant.post('/webhooks', { act: 'make' })));
  expect(pressed.filter(({ status }) => status < 400).length).toBeGreaterThan(0);
  await merchant.post('/webhooks', { act: 'make' });
  expect((await it.bridge.app.core.connections.list()).map(({ id }) => id)).toEqual([(await merchant.now()).connectionId]);
  expect(new Set([...store.webhooks.all.values()].map(({ topic }) => topic)).size).toBe(store.webhooks.all.size);

  const second = await inviteMerchant(it);
  await withKeys(second, store.url);
  await second.chooseCompany((await merchant.now()).shopId ?? '');
  const refused = await second.post('/webhooks', { act: 'make' });
  expect([refused.status, refused.text.includes('has another connected store already')]).toEqual([409, true]);
  expect((await second.now()).connectionId).toBeNull();
});

/** The connection is made, and its press dies before that is noted. */
async function attachAndDie({ bridge }: World, merchant: Merchant): Promise<void> {
  const { core } = bridge.app;
  const connections = {
    ...core.connections,
    create: async (...given: Parameters<typeof core.connections.create>) => {
      await core.connections.create(...given);
      throw new Error('killed');
    },
  };
  const fetchJson = createStoreFetch(core.config);
  const dying = { ...core, ...openStoreKeys(core), connections, fetchJson, trustedHttpHosts: [], notify: () => undefined };
  await expect(attachStore(dying, await merchant.now(), `merchant:${merchant.id}`)).rejects.toThrow('killed');
  expect((await merchant.now()).connectionId).toBeNull();
}

test('a connection whose making died before it was noted is known again, with its secret', async () => {
  await using at = await opened();
  const { it, store, merchant } = at;
  await withKeys(merchant, store.url);
  const { core } = it.bridge.app;

  await attachAndDie(it, merchant);
  expect((await merchant.post('/webhooks', { act: 'make' })).location).toBe(`${merchant.base}/webhooks`);
  expect((await core.connections.list()).map(({ id }) => id)).toEqual([(await merchant.now()).connectionId]);
  expect(store.webhooks.all.size).toBeGreaterThan(4);
});

test('a press that died, and then the address, a name or keys anew: the connection is known again, and nothing is stuck', async () => {
  await using at = await opened();
  const { it, store } = at;
  const { connections } = it.bridge.app.core;
  const anew = [
    ['/store', { kind: 'address', platform: 'woocommerce', address: store.url }, 409],
    ['/store', { kind: 'own', platform: 'standard', name: 'Cups' }, 409],
    ['/store/keys', { consumerKey: 'ck_read', consumerSecret: 'cs_read' }, 303],
  ] as const;
  for (const [path, fields, status] of anew) {
    const merchant = await inviteMerchant(it);
    await withKeys(merchant, store.url);
    await attachAndDie(it, merchant);

    expect(await merchant.post(path, fields)).toMatchObject({ status });
    const { connectionId, shopId, progress } = await merchant.now();
    expect(await connections.find(connectionId ?? '')).toMatchObject({ shopId, closedAt: null });
    expect(progress).toMatchObject({ store: { url: store.url } });
    expect(await merchant.get('/webhooks')).toMatchObject({ status: 200 });
    if (status === 303) expect((await connections.find(connectionId ?? ''))?.access?.['consumerKey']).toBe('ck_read');
  }
});

test('who has their store called again and again is slowed down', async () => {
  await using at = await opened();
  const { call, merchant, store } = at;
  // Keys that came are tried at each look, while the store does not answer.
  expect((await call(keysOf(stateOf(await goToStore(merchant, store.url))))).status).toBe(200);
  store.host.intercept = () => ({ status: 503, body: '' });
  expect((await merchant.get('/store/back?success=1')).text).toContain('The keys came, but the store can’t be used yet');
  const called = store.asked.length;
  const statuses: number[] = [];
  // More than 20 come through only if they take longer than those of a person.
  while (statuses.length < 200 && statuses.at(-1) !== 429) {
    statuses.push((await merchant.post('/store', { kind: 'address', platform: 'woocommerce', address: 'not an address' })).status);
  }
  expect(statuses.length).toBeGreaterThan(10);
  expect([statuses[0], statuses.at(-1)]).toEqual([422, 429]);
  expect((await merchant.get('/store/back?success=1')).status).toBe(429);
  expect(store.asked).toHaveLength(called);
});
