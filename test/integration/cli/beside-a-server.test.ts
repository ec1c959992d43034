import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { Program, type Server } from '../../support/servers/program.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { keepRunning } from '../../support/worlds/cli-world.ts';
import { until } from '../../support/worlds/settled.ts';

type Connected = { connectionId: string; webhookUrl: string };
type Shown = {
  state: string;
  complianceId: string | null;
  record: { lineItems: { vatGroup: string }[]; paymentType: string; shopId: string; customer?: object } | null;
  review: { code: string; detail: string } | null;
  desired: { kind: string };
  facts: { snapshot: { total: string } | null };
  deliveries: { id: string; outcome: string; arrivedAt: string }[];
  submissions: { kind: string; outcome: string; complianceId: string; at: string; endedAt: string }[];
};
type Listed = { id: number; orderId: string; number: string; state: string; recordedTotal: string | null; review: { code: string } | null };

const SETTINGS = { recordFrom: '2020-01-01T00:00:00Z' };
const secret = `whsec_${randomBytes(32).toString('base64')}`;

let program: Program;
let postgres: AsyncDisposable;
let server: Server;
let shop: string;
let store: Connected;

beforeAll(async () => {
  program = await Program.prepare();
  postgres = await keepRunning(program);
  server = await program.start();
  shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await program.writeJson('settings.json', SETTINGS);
  await writeFile(join(program.dataDir, 'secret'), `${secret}\n`);
  const args = ['connect', '--platform', 'standard', '--name', 'corner', '--secret', '@secret', '--compliance-shop', shop, '--settings', 'settings.json'];
  store = await program.json<Connected>(args);
});

afterAll(async () => {
  await postgres[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
});

test('start says which database, queue and compliance service are used', () => {
  const said = server.log.map(({ msg }) => msg).join('\n');

  expect(said).toContain('an embedded PostgreSQL in DATA_DIR');
  expect(said).toContain('REDIS_URL is unset: BullMQ runs on PostgreSQL');
  expect(said).toContain('the embedded compliance service');
});

test('the printed address is the running server’s, and takes webhooks signed with the secret of the file', async () => {
  expect(new URL(store.webhookUrl).port).toBe(new URL(server.url).port);
  expect(await send(orderOf('100'))).toBe(200);
});

test('a recorded order is shown whole', async () => {
  await send(orderOf('101'));
  await drained();

  const order = await program.json<Shown>(['order', store.connectionId, '101']);

  expect(order).toMatchObject({ state: 'recorded', review: null, desired: { kind: 'record' }, facts: { snapshot: { total: '48.00' } } });
  expect(order.record).toMatchObject({ shopId: shop, paymentType: 'PAYMENT_PROCESSOR', customer: { email: 'maria@example.invalid' } });
  expect(order.deliveries).toMatchObject([{ outcome: 'merged', arrivedAt: expect.any(String) }]);
  expect(order.submissions).toMatchObject([{ kind: 'create', outcome: 'recorded', complianceId: order.complianceId, endedAt: expect.any(String) }]);
});

test('the same for people names total, record, webhooks and submissions', async () => {
  await send(orderOf('102'));
  await drained();

  const shown = await program.ok(['order', store.connectionId, '102']);

  expect(shown).toMatch(/^state +recorded: /m);
  expect(shown).toMatch(/^recorded total +48\.00 EUR$/m);
  expect(shown).toMatch(/create +recorded/);
});

test('an unknown order is an error in words', async () => {
  const { code, out, err } = await program.run(['order', store.connectionId, '404', '--json']);

  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^orderbridge: .+ has no order 404; give the platform's own order id.+\n$/);
});

test('orders are listed by state, number and connection', async () => {
  await send(orderOf('103'));
  await drained();

  const numbered = await program.json<Listed[]>(['orders', '--number', '#103']);

  expect(numbered).toMatchObject([{ orderId: '103', state: 'recorded', recordedTotal: '48.00' }]);
  expect(await program.json<Listed[]>(['orders', '--number', '#103', '--state', 'review'])).toEqual([]);
  expect(await program.ok(['orders', '--number', '#404'])).toBe('No order found.\n');
  expect(await program.ok(['orders', '--limit', '1'])).toMatch(/^number +state .+ store .+ id +connection$/m);
});

test('an unmapped order needs review with what to do, and is recorded once the settings map it', async () => {
  await send(orderOf('104', { payment: { method: 'barter' } }));
  await drained();
  const { orders } = await program.json<{ orders: (Listed & { todo: string })[] }>(['review']);
  await program.writeJson('mapped.json', { ...SETTINGS, payments: { barter: { paymentType: 'OTHER' } } });

  const said = await program.ok(['settings', store.connectionId, 'mapped.json']);
  await drained();

  expect(orders).toMatchObject([{ orderId: '104', review: { code: 'payment.unmapped' }, todo: expect.stringContaining('payments') }]);
  expect(said).toContain('1 order in review is decided again');
  expect(await program.json<Shown>(['order', store.connectionId, '104'])).toMatchObject({ state: 'recorded', record: { paymentType: 'OTHER' } });
});

test('wrong settings are refused with every problem, and change nothing', async () => {
  await program.writeJson('wrong.json', { vatGroup: {}, freeOrders: 'never' });
  const settings = async () => (await program.json<{ settings: object }[]>(['connections'])).map((connection) => connection.settings);
  const before = await settings();

  const { code, err } = await program.run(['settings', store.connectionId, 'wrong.json']);

  expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/freeOrders/) });
  expect(err).toMatch(/vatGroup/);
  expect(await settings()).toEqual(before);
});

test('an order in review is released by number, or with all of its code', async () => {
  await send(orderOf('105', { payment: { method: 'shells' } }));
  await send(orderOf('106', { payment: { method: 'shells' } }));
  await drained();

  expect(await program.ok(['release', '#105'])).toBe('The order #105 is decided again.\n');
  await drained();
  expect(await program.ok(['release', '--code', 'payment.unmapped'])).toContain('2 orders that were in review as payment.unmapped are decided again');
  await drained();

  // Nothing was put right, so they wait for a person again.
  expect((await program.json<Listed[]>(['orders', '--state', 'review'])).map(({ orderId }) => orderId).toSorted()).toEqual(['105', '106']);
  expect(await program.run(['release', '101'])).toMatchObject({ code: 1, err: expect.stringContaining('is recorded, not in review') });
  expect(await program.run(['release', '--code', 'typo'])).toMatchObject({ code: 1, err: expect.stringContaining('vat.unmapped') });
  expect(await program.run(['release'])).toMatchObject({ code: 1, err: expect.stringContaining('--code') });
});

test('a webhook of unknown shape is listed, and replaying it says why it can’t be read', async () => {
  await send({ id: '107' });
  await drained();

  const { deliveries } = await program.json<{ deliveries: { id: string; code: string }[] }>(['review']);

  expect(deliveries).toMatchObject([{ code: 'payload.unreadable' }]);
  expect(await program.run(['replay', deliveries[0]?.id ?? ''])).toMatchObject({ code: 1, err: expect.stringContaining("still can't be read") });
  expect(await program.run(['replay', 'nonsense'])).toMatchObject({ code: 1, err: expect.stringContaining('no delivery has the id') });
});

test('replaying a webhook that was read changes nothing', async () => {
  await send(orderOf('108'));
  await drained();
  const before = await program.json<Shown>(['order', store.connectionId, '108']);

  await program.ok(['replay', before.deliveries[0]?.id ?? '']);
  await drained();

  const after = await program.json<Shown>(['order', store.connectionId, '108']);
  expect(after.deliveries.map(({ outcome }) => outcome).sort()).toEqual(['duplicate', 'merged']);
  expect(after.deliveries[1]?.arrivedAt).toBe(before.deliveries[0]?.arrivedAt);
  expect(after).toMatchObject({ complianceId: before.complianceId, submissions: before.submissions });
});

test('a second connection of the same shop is refused, and names the first', async () => {
  const { code, err } = await program.run(['connect', '--platform', 'standard', '--name', 'twin', '--secret', secret, '--compliance-shop', shop]);

  expect(code).toBe(1);
  expect(err).toContain(store.connectionId);
});

test('a rotated secret works beside the old one, until it is revoked', async () => {
  const fresh = `whsec_${randomBytes(32).toString('base64')}`;

  // The running server is notified of a change a moment after the command has ended.
  const become = (what: string) => until(async () => `${await send(orderOf('109'))} ${await send(orderOf('109'), fresh)}` === what, { what });
  const said = await program.ok(['rotate-secret', store.connectionId, '--secret', '-'], { stdin: fresh });
  await become('200 200');
  await program.ok(['rotate-secret', store.connectionId, '--secret', fresh, '--revoke-now']);
  await become('401 200');
  await program.ok(['rotate-secret', store.connectionId, '--secret', '@secret']);
  expect(said).toContain('Now change it in the store');
});

test('doctor finds everything in order, and prints the dialect', async () => {
  const { code, out } = await program.run(['doctor']);

  expect(code).toBe(0);
  expect(out).toMatch(/^ok +compliance API +http/m);
  expect(out).toMatch(/COMPLIANCE_AMOUNTS +decimal/);
});

test('a shop is updated and deleted with its own key', async () => {
  const { apiKey, apiSecret } = await program.json<{ apiKey: string; apiSecret: string }>(['service', 'keys', 'create', '--label', 'stranger']);
  const keys = ['--compliance-key', apiKey, '--compliance-secret', '-'];

  const id = (await program.ok(['shop', 'create', ...SHOP_FLAGS, '--company-uic', '200000015', ...keys], { stdin: apiSecret })).trim();
  const second = await program.run(['shop', 'create', ...SHOP_FLAGS, '--company-uic', '200000015', ...keys], { stdin: apiSecret });
  const updated = await program.ok(['shop', 'update', id, '--name', 'Kiosk', '--json', ...keys], { stdin: apiSecret });
  const wrong = await program.run(['shop', 'delete', id, '--name', 'Corner', ...keys], { stdin: apiSecret });
  const gone = await program.run(['shop', 'delete', id, '--name', 'Kiosk', ...keys], { stdin: apiSecret });

  expect(second).toMatchObject({ code: 1, err: expect.stringContaining('has a shop already') });
  expect(JSON.parse(updated)).toMatchObject({ id, name: 'Kiosk', domain: 'corner.example' });
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('nothing was deleted') });
  expect(gone).toMatchObject({ code: 0, out: `The shop ${id} is deleted, with 0 orders.\n` });
  expect(await program.ok(['service', 'keys', 'list'])).toContain('stranger');
});

test('a field that the service refuses is named with its flag', async () => {
  const { code, err } = await program.run(['shop', 'update', shop, '--company-uic', '123']);

  expect(code).toBe(1);
  expect(err).toContain('companyUic (--company-uic): must be a company identification number');
});

test('a disconnected store is answered 410, and its shop may be connected again', async () => {
  const other = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  const connect = ['connect', '--platform', 'standard', '--name', 'brief', '--secret', '@secret', '--compliance-shop', other];
  const { connectionId, webhookUrl } = await program.json<Connected>(connect);

  await program.ok(['disconnect', connectionId]);

  expect(await sendTo(webhookUrl, orderOf('110'), secret)).toBe(410);
  expect(await program.ok(['connections'])).toMatch(new RegExp(`^brief +disconnected .* ${connectionId}$`, 'm'));
  expect(await program.ok(connect)).toContain('What to do next');
});

test('SIGTERM ends the server with code 0, and commands go on without it', async () => {
  const code = await server.stop();

  expect(code).toBe(0);
  expect(server.log.at(-1)).toMatchObject({ event: 'stopped' });
  expect(await program.json(['order', store.connectionId, '101'])).toMatchObject({ state: 'recorded' });
});

function send(data: Record<string, unknown>, key = secret): Promise<number> {
  return sendTo(store.webhookUrl, data, key);
}

async function sendTo(address: string, order: Record<string, unknown>, key: string): Promise<number> {
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
  const { status } = await fetch(address, { method: 'POST', body, headers: standardHeaders(key, body) });
  return status;
}

async function drained(): Promise<void> {
  expect(await program.json(['drain', '--timeout', '20'])).toMatchObject({ drained: true, pending: 0 });
}
