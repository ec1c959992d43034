import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS, orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';

const SLOW = { timeout: 120_000 };
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const DAY = new Date(Date.now() - 10 * 86_400_000).toISOString();
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

let postgres: TestPostgres;
let program: Program;
let shop: string;
let connected: { connectionId: string; webhookUrl: string; trialSince: string };
beforeAll(async () => {
  postgres = await startPostgres('whole');
  program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS, HOST: '127.0.0.1' });
  await program.start();
  shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  const args = ['connect', '--trial', '--platform', 'standard', '--name', 'corner', '--secret', '-', '--compliance-shop', shop, '--json'];
  connected = JSON.parse(await program.ok(args, { stdin: SECRET }));
  await program.writeJson('settings.json', { payments: { stripe: { paymentType: 'OTHER' } }, transactionWaitSeconds: 0 });
  await program.ok(['settings', 'corner', 'settings.json']);
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function send(id: string): Promise<void> {
  const order = orderOf(id, { createdAt: DAY, updatedAt: DAY, paidAt: DAY });
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
  expect((await fetch(connected.webhookUrl, { method: 'POST', body, headers: standardHeaders(SECRET, body) })).status).toBe(200);
  await until(async () => (await states())[`#${id}`] === 'ignored', { what: `order ${id} to be left out` });
}

async function states(): Promise<Record<string, string>> {
  const orders = await program.json<{ number: string; state: string }[]>(['orders', '--connection', connected.connectionId]);
  return Object.fromEntries(orders.map(({ number, state }) => [number, state]));
}

test('a store that is connected on trial keeps its orders, says so, and is not backfilled', SLOW, async () => {
  expect(connected.trialSince).toMatch(/^20\d\d-/);
  for (const id of ['1', '2']) await send(id);

  expect(await program.ok(['orders', '--connection', 'corner'])).toContain('the store is on trial: nothing is submitted (`orderbridge start-recording`)');
  expect(await program.ok(['connections'])).toMatch(/- corner: on trial since .*: nothing is submitted/);
  const test = await program.run(['send-test', 'corner', '--yes']);
  expect(test).toMatchObject({ code: 0, err: expect.stringContaining('The store is on trial: the order came, and nothing is submitted.') });
  expect(await program.run(['backfill', 'corner', '--from', DAY.slice(0, 10), '--dry-run'])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`\`orderbridge start-recording ${connected.connectionId} --from DATE\` takes in`),
  });
});

test('what its start would record is said, and no more; a slip of the pen is refused', SLOW, async () => {
  const from = ['--from', DAY.slice(0, 10)];

  expect(await program.ok(['start-recording', 'corner', ...from, '--dry-run'])).toMatch(/would be recorded: 3, 97\.20 EUR\.\n$/);
  expect(await program.json(['start-recording', 'corner', '--from', TOMORROW, '--dry-run'])).toMatchObject({ known: { orders: 0, sum: null }, unknown: null });
  expect(await program.run(['start-recording', 'corner', '--from', '1926-11-01', '--dry-run'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('is no moment'),
  });
  expect(await program.run(['start-recording', 'corner', ...from])).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  expect(await states()).toMatchObject({ '#1': 'ignored', '#2': 'ignored' });
});

test('killed in the middle, it did nothing; given again, it records each order once', async () => {
  const start = ['start-recording', 'corner', '--from', DAY.slice(0, 10), '--yes', '--why', 'the merchant said so'];
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('begin');
  await client.query('select from bridge.orders for update');
  const killed = program.spawnKillable(start);
  const waits = `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%with was as materialized%'`;
  const watcher = new pg.Client({ connectionString: postgres.url });
  await watcher.connect();
  await until(async () => (await watcher.query(waits)).rows[0]?.n === 1, { what: 'the command to decide again' });

  await killed.kill();
  await client.query('rollback');

  await until(async () => (await watcher.query(waits)).rows[0]?.n === 0, { what: 'the database to notice' });
  await Promise.all([client.end(), watcher.end()]);
  expect(await program.ok(['connections'])).toContain('on trial since');
  expect(await states()).toMatchObject({ '#1': 'ignored', '#2': 'ignored' });

  expect(await program.ok(start)).toMatch(/corner is recorded from .* on;/);
  await program.ok(['drain']);
  expect(await states()).toMatchObject({ '#1': 'recorded', '#2': 'recorded' });
  expect(await program.json(['service', 'orders', 'list', '--shop', shop])).toHaveLength(3);
  expect(await program.ok(['activity'])).toContain('the merchant said so');
  expect(await program.run(start)).toMatchObject({ code: 1, err: expect.stringContaining('is not on trial: it is recorded since') });
});
