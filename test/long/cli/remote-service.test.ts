import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Program } from '../../support/servers/program.ts';
import { ScriptedCompliance } from '../../support/servers/scripted-compliance.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { type CliWorld, startCliWorld } from '../../support/worlds/cli-world.ts';

type Shown = { state: string; complianceId: string | null; unconfirmed: object | null; submissions: { outcome: string }[] };

const cap = { name: 'Шапка', quantity: 1, amount: '12.00', vatRate: '20' };
const byCard = (id: string) => ({ method: 'stripe', transactionId: `pi_of_${id}` });
const secret = `whsec_${randomBytes(32).toString('base64')}`;

let service: ScriptedCompliance;
let world: CliWorld;
let program: Program;
let store: { connectionId: string; webhookUrl: string };

beforeAll(async () => {
  service = await ScriptedCompliance.start();
  world = await startCliWorld({
    COMPLIANCE_API_URL: service.url,
    COMPLIANCE_API_KEY: 'key-of-the-environment',
    COMPLIANCE_API_SECRET: 'secret',
    COMPLIANCE_AMOUNTS: 'decimal',
    COMPLIANCE_TIMEOUT_SECONDS: '2',
  });
  ({ program } = world);
  await program.start();
  store = JSON.parse(
    await program.ok(['connect', '--platform', 'standard', '--name', 'corner', '--secret', secret, '--compliance-shop', randomUUID(), '--json']),
  );
});

afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

test('an order whose create’s reply was lost is unconfirmed, until a person finds it recorded', async () => {
  await loseReply('1');
  const [current] = service.current('1');
  const before = await program.json<Shown>(['order', store.connectionId, '1']);
  const { orders } = await program.json<{ orders: { state: string; todo: string }[] }>(['review']);

  await program.ok(['confirm', '#1', '--recorded', current?.id ?? '']);
  await drained();

  expect(before).toMatchObject({ state: 'unconfirmed', complianceId: null, unconfirmed: { internalId: '1' } });
  expect(orders).toMatchObject([{ state: 'unconfirmed', todo: expect.stringContaining('orderbridge confirm') }]);
  expect(await program.json<Shown>(['order', store.connectionId, '1'])).toMatchObject({ state: 'recorded', complianceId: current?.id, unconfirmed: null });
  expect(service.current('1')).toHaveLength(1);
});

test('or finds that it is not: then it is created again', async () => {
  service.next('create', 'lose-request');
  await sendAndDrain('2');

  await program.ok(['confirm', '2', '--not-recorded']);
  await drained();

  expect(await program.json<Shown>(['order', store.connectionId, '2'])).toMatchObject({
    state: 'recorded',
    submissions: [{ outcome: 'not-recorded' }, { outcome: 'recorded' }],
  });
});

test('release sends an unconfirmed order to confirm, and confirm wants one answer', async () => {
  await loseReply('3');

  expect(await program.run(['release', '3'])).toMatchObject({ code: 1, err: expect.stringContaining('orderbridge confirm') });
  expect(await program.run(['confirm', '3'])).toMatchObject({ code: 1, err: expect.stringContaining('--not-recorded') });
  expect(await program.run(['confirm', '3', '--recorded', 'x', '--not-recorded'])).toMatchObject({ code: 1 });
  expect(await program.run(['confirm', '3', '--look'])).toMatchObject({ code: 0, out: expect.stringContaining('does not list its records') });
  expect(await program.run(['confirm', '3', '--look', '--not-recorded'])).toMatchObject({ code: 1 });
  expect(await program.run(['confirm', '2', '--look'])).toMatchObject({ code: 1, err: expect.stringContaining('not unconfirmed') });
  expect(await program.run(['confirm', '2', '--not-recorded'])).toMatchObject({ code: 1, err: expect.stringContaining('not unconfirmed') });
});

test('a name that fits several orders is not guessed', async () => {
  await sendAndDrain('40', { number: '41' });
  await sendAndDrain('41');

  const { code, err } = await program.run(['release', '41']);

  expect(code).toBe(1);
  expect(err).toContain('names several orders; say which by its id');
  // The one whose id it is comes first.
  expect(err.split('\n').map((line) => line.split(/ +/))).toMatchObject([
    expect.arrayContaining(['orderbridge:', '41']),
    ['id', 'store', 'order', 'number', 'state'],
    [expect.stringMatching(/^id:\d+$/), 'corner', '41', '#41', 'recorded'],
    [expect.stringMatching(/^id:\d+$/), 'corner', '40', '41', 'recorded'],
    [''],
  ]);
});

test('an order is shown by its number or ledger id alone, as by connection and id', async () => {
  await sendAndDrain('42');
  const shown = await program.json<{ id: number; orderId: string }>(['order', store.connectionId, '42']);

  expect(shown.orderId).toBe('42');
  expect(await program.json(['order', '#42'])).toEqual(shown);
  expect(await program.json(['order', `id:${shown.id}`])).toEqual(shown);
  expect(await program.ok(['order', '42'])).toBe(await program.ok(['order', store.connectionId, '42']));
  expect(await program.run(['order', '#43'])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('no webhook of an order #43 has come') });
});

test('doctor takes 404 for a good answer, and calls with the configured key', async () => {
  const { out } = await program.run(['doctor']);

  expect(out).toMatch(/^ok +compliance API/m);
  expect(out.match(/^WRONG .+$/gm)).toEqual([expect.stringMatching(/^WRONG +database +.+fsync off/)]);
  expect(service.requests('DELETE')).toMatchObject([
    { path: '/public-api/v1/order/00000000-0000-0000-0000-000000000000', headers: { 'x-api-key': 'key-of-the-environment' } },
  ]);
  // For its clock.
  expect(service.withoutKey).toContain('/public-api/v1/order/00000000-0000-0000-0000-000000000000');
  expect(out).toMatch(/COMPLIANCE_IDEMPOTENCY_KEY +ignored/);
});

test('doctor distinguishes a wrong key from a wrong address', async () => {
  service.always({ status: 401, body: { detail: 'no such key' } });
  const key = await program.run(['doctor']);
  service.always(null);
  const address = await program.run(['doctor'], { env: { COMPLIANCE_API_URL: 'http://127.0.0.1:1' } });

  expect(key).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +compliance API .+no such key.+check the key/m) });
  expect(key.out + key.err).not.toContain('key-of-the-environment');
  expect(address).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +compliance API .+check COMPLIANCE_API_URL/m) });
});

test('a service that refuses the key shows as a pause of the connection, and drain says what is left', async () => {
  service.always({ status: 401, body: { detail: 'no such key' } });
  await send('5');
  const drain = await program.run(['drain', '--timeout', '1.5']);

  const [connection] = await program.json<{ warnings: string[]; pauses: { code: string }[] }[]>(['connections']);
  service.always(null);

  expect(drain).toMatchObject({ code: 1, err: expect.stringContaining('1 orders are pending') });
  expect(connection).toMatchObject({ pauses: [{ code: 'compliance.misconfigured' }], warnings: [expect.stringContaining('no such key')] });
});

test('without any key, connect and shop say where one comes from', async () => {
  const env = { COMPLIANCE_API_KEY: '', COMPLIANCE_API_SECRET: '' };

  const shop = await program.run(['shop', 'update', randomUUID(), '--name', 'x'], { env });

  expect(shop).toMatchObject({ code: 1, err: expect.stringContaining('COMPLIANCE_API_KEY') });
});

test('of an order that came under the id of another one, release records it beside that one, or merges both', async () => {
  const other = (id: string) => ({
    createdAt: '2026-11-02T10:00:00Z',
    updatedAt: '2026-11-02T10:00:00Z',
    lines: [{ ...cap, id }],
    total: '12.00',
    payment: byCard(id),
  });
  for (const id of ['50', '51']) {
    await sendAndDrain(id);
    await sendAndDrain(id, other(id));
  }
  expect(await program.run(['release', '50'])).toMatchObject({ code: 1, err: expect.stringContaining('names several orders') });
  expect(await program.run(['release', '50~2'])).toMatchObject({ code: 1, err: expect.stringMatching(/release id:\d+ --other.*--same/) });
  expect(await program.run(['release', '--code', 'order.other'])).toMatchObject({ code: 1, err: expect.stringContaining('one by one') });
  expect(await program.run(['release', '50', '--other', '--same'])).toMatchObject({ code: 1, err: expect.stringContaining('ORDER --same') });
  expect(await program.run(['release', '--other'])).toMatchObject({ code: 1, err: expect.stringContaining('ORDER --other') });

  expect(await program.ok(['release', '50', '--other'])).toBe('It is a sale of its own, the order 50~2; it is decided again.\n');
  expect(await program.ok(['release', '51~2', '--same'])).toBe('It is the order 51, which is decided again.\n');
  await drained();

  expect(await program.ok(['orders', '--number', '50'])).toMatch(/recorded +12\.00 EUR +12\.00 EUR .+ 50~2 .+\n.+recorded +48\.00 EUR +48\.00 EUR .+ 50 /);
  expect(
    service
      .current('50~2')
      .concat(service.current('51'))
      .map(({ dto }) => dto.lineItems),
  ).toMatchObject([[{ price: 12 }], [{ price: 12 }]]);
});

async function loseReply(id: string): Promise<void> {
  service.next('create', 'lose-reply');
  await sendAndDrain(id);
}

async function sendAndDrain(id: string, changes: Record<string, unknown> = {}): Promise<void> {
  await send(id, changes);
  await drained();
}

async function send(id: string, changes: Record<string, unknown> = {}): Promise<void> {
  const now = new Date().toISOString();
  const order = orderOf(id, { paidAt: now, ...changes });
  const body = JSON.stringify({ type: 'order.paid', timestamp: now, data: { order } });
  const { status } = await fetch(store.webhookUrl, { method: 'POST', body, headers: standardHeaders(secret, body) });
  expect(status).toBe(200);
}

async function drained(): Promise<void> {
  expect(JSON.parse(await program.ok(['drain', '--timeout', '20', '--json']))).toMatchObject({ drained: true });
}
