import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { postWoo } from '../../support/samples/signed-webhooks.ts';
import type { Program } from '../../support/servers/program.ts';
import { type CliWorld, startCliWorld } from '../../support/worlds/cli-world.ts';
import { order } from '../../support/worlds/copied-site.ts';

type Connected = { connectionId: string; webhookUrl: string };
type Waiting = { stores: { host: string; deliveries: number }[] };
type Listed = { orderId: string; state: string; recordedTotal: string | null };

const SECRET = 'a secret of the store';
const SETTINGS = { recordFrom: '2020-01-01T00:00:00Z', vatGroups: { '0': 'GROUP_A' } };
const STORE = 'https://shop.example/';

let world: CliWorld;
let program: Program;
let store: Connected;

beforeAll(async () => {
  world = await startCliWorld();
  ({ program } = world);
  await program.start();
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await program.writeJson('settings.json', SETTINGS);
  const args = ['connect', '--platform', 'woocommerce', '--name', 'corner', '--secret', SECRET, '--compliance-shop', shop, '--settings', 'settings.json'];
  store = await program.json<Connected>(args);
  await send(STORE, 1);
  await drained();
});

afterAll(() => world[Symbol.asyncDispose]());

async function send(from: string, id: number): Promise<void> {
  const { status } = await postWoo(store.webhookUrl, { topic: 'order.updated', body: order(id, '20.00'), secret: SECRET, store: from });
  expect(status).toBe(200);
}

const drained = () => program.ok(['drain', '--timeout', '20']);
const orders = async () => (await program.json<Listed[]>(['orders'])).map(({ orderId, state }) => `${orderId} ${state}`).sort();

test('a host that is not the store’s is one entry of `review`, until --not-ours ends it', async () => {
  const id = store.connectionId;
  await send('https://staging.shop.example', 1);
  await send('http://www.staging.shop.example', 2);
  await drained();

  const said = await program.ok(['review']);
  expect(await program.json<Waiting>(['review'])).toMatchObject({ orders: [], deliveries: [], stores: [{ host: 'staging.shop.example', deliveries: 2 }] });
  expect(said).toMatch(
    /^host staging\.shop\.example, store corner, connection c_\w+\n {2}quarantined, store\.other: 2 webhooks from \S+ \S+ to \S+ \S+\. Deliveries name another host/,
  );
  expect(said).toContain(`\`orderbridge reconnect ${id} --moved staging.shop.example\``);
  expect(said).not.toMatch(/Мария|maria/);

  expect(await program.ok(['reconnect', id, '--not-ours', 'https://staging.shop.example/wp-admin'])).toBe(
    `staging.shop.example is not the store’s: its webhooks are answered and counted, but change nothing for ${id}.\n2 webhooks were quarantined, and dropped.\n`,
  );
  expect(await program.ok(['review'])).toBe('Nothing waits for a person.\n');
  expect(await orders()).toEqual(['1 recorded']);
  expect(await program.ok(['connections'])).toContain('staging.shop.example is not the store’s; webhooks that were not kept: 2');
});

test('a store that moved goes on with what was held', async () => {
  const id = store.connectionId;
  await send('https://new.example', 3);
  await send('https://new.example', 4);
  await drained();

  expect(await program.json(['reconnect', id, '--moved', 'new.example', '--not-ours', 'shop.example'])).toEqual({
    connectionId: id,
    moved: { host: 'new.example', released: 2, review: 0, dismissed: 0, api: null },
    notOurs: { host: 'shop.example', dismissed: 0 },
  });

  await drained();
  expect(await orders()).toEqual(['1 recorded', '3 recorded', '4 recorded']);
  expect(await program.ok(['connections'])).toContain('- corner: new.example is the store’s, too');
  expect(await program.ok(['reconnect', id, '--moved', 'staging.shop.example'])).toContain('2 webhooks were not kept before: save their orders in the store');
});

test('a --store-url that no webhook can name is a warning', async () => {
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  const args = ['connect', '--platform', 'shopify', '--name', 'Corner', '--secret', SECRET, '--compliance-shop', shop, '--store-url', 'https://shop.example'];
  const { connectionId } = await program.json<Connected>(args);

  const shown = (await program.json<{ connectionId: string; store: string | null; warnings: string[] }[]>(['connections'])).find(
    (one) => one.connectionId === connectionId,
  );

  expect(shown).toMatchObject({ store: null, warnings: [expect.stringMatching(/--store-url names shop\.example, but webhooks never do/)] });
});

test.each([
  [[], /nothing to change was given/],
  [['--moved', ' '], /" " names no host; give one such as shop\.example/],
  [['--not-ours', 'https://'], /names no host/],
])('%j is refused in words', async (flags, words) => {
  expect(await program.run(['reconnect', store.connectionId, ...flags])).toMatchObject({ code: 1, out: '', err: expect.stringMatching(words) });
});

test('a connection that does not exist is refused', async () => {
  expect(await program.run(['reconnect', 'c_none', '--moved', 'shop.example'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('no connection has the id c_none'),
  });
});
