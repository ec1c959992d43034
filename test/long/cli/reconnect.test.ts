import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StoreApi, startStoreApi } from '../../support/servers/store-api.ts';
import { bookReturned, CliStores, type Connection, twoRates, wooAnswer } from '../../support/worlds/cli-stores.ts';
import { until } from '../../support/worlds/settled.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

let stores: CliStores;
/** The store's REST API, which refuses every key for as long as `refusing`. */
let store: StoreApi;
let refusing = false;

beforeAll(async () => {
  stores = await CliStores.start();
  store = await startStoreApi((path) => (refusing ? { status: 401, body: { code: 'woocommerce_rest_cannot_view' } } : wooAnswer(path, 'store-1')));
});
afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

type Shown = {
  connectionId: string;
  name: string;
  state: string;
  settings: object;
  warnings: string[];
  recordFrom: string;
  storeUrl: string | null;
  storePauses: { code: string }[];
};

async function shown({ connectionId }: Pick<Connection, 'connectionId'>): Promise<Shown | undefined> {
  return (await stores.program.json<Shown[]>(['connections'])).find((one) => one.connectionId === connectionId);
}

function keys(key: string): string[] {
  return ['--store-url', store.url, '--consumer-key', key, '--consumer-secret', 'cs'];
}

/** A connection whose key was taken back after an order was recorded, and whose refund waits for it. */
async function withDeadKey(orderId: string): Promise<Connection & { shop: string }> {
  const shop = await stores.shop();
  const connection = await stores.connect(shop, ['--settings', 'settings.json', ...keys('ck_old')]);
  const order = { id: Number(orderId), number: orderId };
  await stores.deliver(connection, store.url, { ...order, ...twoRates });
  await stores.settled(orderId, 'recorded');
  refusing = true;
  await stores.deliver(connection, store.url, { ...order, ...bookReturned });
  await until(async () => (await shown(connection))?.warnings.some((words) => words.includes('orderbridge reconnect')), {
    what: 'the warning that names the command',
  });
  return { ...connection, shop };
}

test('live 5.1: connecting a connected shop names the command that changes a living connection', async () => {
  const shop = await stores.shop();
  const { connectionId } = await stores.connect(shop);

  const again = await stores.program.run(['connect', '--platform', 'woocommerce', '--name', 'x', '--secret', 'long enough', '--compliance-shop', shop]);

  expect(again).toMatchObject({ code: 1, err: expect.stringContaining(`\`orderbridge reconnect ${connectionId}\` changes its keys`) });
});

test('live 5.2 to 5.5: a new key keeps address and settings, answers no webhook 410, and what waited goes on', async () => {
  const connection = await withDeadKey('132');
  const before = await shown(connection);
  refusing = false;

  const changed = await stores.program.json<Connection>(['reconnect', connection.connectionId, '--consumer-key', 'ck_new', '--consumer-secret', 'cs']);

  expect(changed.webhookUrl).toBe(connection.webhookUrl);
  expect(await stores.send(connection, store.url, { id: 133, number: '133' })).toBe(200);
  await until(async () => (await stores.settled('132', 'recorded'))[0]?.recordedTotal === '24.00', { what: 'the refund to be recorded' });
  // Some calls need no key.
  expect(store.asked.findLast(({ authorization }) => authorization !== '')?.authorization).toBe(`Basic ${Buffer.from('ck_new:cs').toString('base64')}`);
  expect(before?.storePauses).toMatchObject([{ code: 'storefront.refused' }]);
  // What became of its webhooks is written every few seconds, and the store is read as soon as the new key is there.
  expect(await shown(connection)).toEqual({ ...before, deliveries: expect.anything(), read: expect.anything(), warnings: [], storePauses: [] });
});

test('live 5.2 to 5.5: disconnected and connected again, the address, the settings and what waited are the same', async () => {
  const connection = await withDeadKey('134');
  await stores.program.ok(['disconnect', connection.connectionId]);
  await until(async () => (await stores.send(connection, store.url, { id: 135, number: '135' })) === 410, { what: 'the webhook to be refused' });
  refusing = false;

  const words = await stores.connectInWords(connection.shop, keys('ck_new'));

  await stores.deliver(connection, store.url, { id: 135, number: '135' });
  expect(words).toContain(connection.webhookUrl);
  expect(words).toContain('continues as before');
  expect(words).not.toContain('are not recorded');
  await until(async () => (await stores.settled('134', 'recorded'))[0]?.recordedTotal === '24.00', { what: 'the refund to be recorded' });
  await stores.settled('135', 'recorded');
  expect(await shown(connection)).toMatchObject({ state: 'connected', settings: { vatGroups: { '9': 'GROUP_D' } }, warnings: [] });
});

test('live 5.6: a disconnected connection shows no warnings; what remains in the store is printed', async () => {
  const connection = await withDeadKey('136');

  const words = await stores.program.ok(['disconnect', connection.connectionId]);
  expect(words).toContain(`ends with /webhooks/woocommerce/${connection.connectionId} may still be in the store`);
  expect(words).toContain('press “Revoke” at it under WooCommerce → Settings → Advanced → REST API');
  refusing = false;

  expect(await shown(connection)).toMatchObject({ state: 'disconnected', warnings: [] });
  expect(await stores.program.ok(['connections'])).not.toContain(`! ${connection.connectionId}`);
});

test('a new secret is live at once, and the old one for a day', async () => {
  const connection = await stores.connect(await stores.shop(), ['--settings', 'settings.json']);

  const changed = await stores.program.json<{ oldSecretUntil: string }>(['reconnect', connection.connectionId, '--secret', 'another secret', '--name', 'Anew']);

  expect(Date.parse(changed.oldSecretUntil) - Date.now()).toBeGreaterThan(DAY_MS - 60_000);
  await stores.deliver({ ...connection, secret: 'another secret' }, store.url, { id: 140 });
  expect(await stores.send(connection, store.url, { id: 141 })).toBe(200);
  expect(await stores.send({ ...connection, secret: 'a third one' }, store.url, { id: 142 })).toBe(401);
  expect(await shown(connection)).toMatchObject({ name: 'Anew' });
});

test('new settings decide again about what they cure, and an earlier start about what was left out', async () => {
  const connection = await stores.connect(await stores.shop());
  const { connectionId } = connection;
  await stores.deliver(connection, store.url, { id: 150, number: '150' });
  await stores.deliver(connection, store.url, { id: 151, number: '151', ...twoRates, date_paid_gmt: new Date(Date.now() + 1_000).toISOString().slice(0, 19) });
  await stores.settled('150', 'ignored');
  await stores.settled('151', 'review');

  await stores.program.writeJson('nine.json', { vatGroups: { '9': 'GROUP_D' } });
  const words = await stores.program.ok(['reconnect', connectionId, '--settings', 'nine.json']);
  await stores.settled('151', 'recorded');
  const [ignored] = await stores.settled('150', 'ignored');
  const from = await stores.program.ok(['reconnect', connectionId, '--record-from', '2026-11-21T03:00:00+02:00']);

  expect(words).toContain('1 order in review is decided again');
  expect(from).toContain('Orders paid from 2026-11-21T01:00:00.000Z on are recorded.');
  expect(await stores.settled('150', 'recorded')).toMatchObject([{ id: ignored?.id, recordedTotal: '24.00' }]);
});

test('reconnect refuses what it can’t do', async () => {
  const shop = await stores.shop();
  const { connectionId } = await stores.connect(shop);
  const refused = async (...flags: string[]) => (await stores.program.run(['reconnect', ...flags])).err;

  expect(await refused(connectionId)).toContain('nothing to change was given');
  expect(await refused('c_none', '--name', 'x')).toContain('no connection has the id c_none');
  expect(await refused(connectionId, '--consumer-key', 'ck')).toContain('go together: give all three');
  expect(await refused(connectionId, '--secret', '-', '--consumer-secret', '-')).toContain("can't both come from standard input");
  expect(await refused(connectionId, '--record-from', 'yesterday')).toContain('date and time with an offset');
  expect(await refused(connectionId, '--compliance-key', randomUUID())).toContain('--compliance-secret go together');
  await stores.program.ok(['disconnect', connectionId]);
  expect(await refused(connectionId, '--name', 'x')).toMatch(/was disconnected at .*`orderbridge connect` connects its store again/);
});
