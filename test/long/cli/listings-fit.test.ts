import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textWidth } from '../../../src/platform/terminal/text-table.ts';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import type { Program } from '../../support/servers/program.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { type CliWorld, startCliWorld } from '../../support/worlds/cli-world.ts';

type Connected = { connectionId: string; webhookUrl: string };

const LONG = 'Магазинът на баба за ръчно рисувани чаши, чинии и подаръци 🎁, Велико Търново';
const secret = `whsec_${randomBytes(32).toString('base64')}`;
/** A word alone, such as an address, is never broken. */
const UNBROKEN = /^\s*\S+$/;

let world: CliWorld;
let program: Program;
let shop: string;
let store: Connected;

beforeAll(async () => {
  world = await startCliWorld();
  ({ program } = world);
  await program.start();
  shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS, '--name', LONG])).trim();
  await program.writeJson('settings.json', { recordFrom: '2026-11-01T00:00:00Z' });
  await writeFile(join(program.dataDir, 'secret'), `${secret}\n`);
  store = await program.json<Connected>(connect('settings.json'));
  for (const [number, changes] of Object.entries(orders)) expect(await send(orderOf(number, changes))).toBe(200);
  expect(await send(orderOf('9'), `whsec_${randomBytes(32).toString('base64')}`)).toBe(401);
  await program.ok(['drain', '--timeout', '30']);
});

afterAll(() => world[Symbol.asyncDispose]());

const orders: Record<string, Record<string, unknown>> = {
  '1001': { lines: [{ id: 'a', name: LONG, quantity: 2, amount: '48.00', vatRate: '20' }] },
  '1002': { payment: { method: 'наложен платеж с много дълго име, което никой не е описал в настройките' } },
  '1003': { payment: { method: 'borica' }, total: '48.00' },
  '1004': { paidAt: '2026-10-20T10:00:00Z' },
  '1005': { lines: [{ id: 'a', name: 'Тениска', quantity: 2, amount: '48.00', vatRate: '9' }] },
};

describe.each([80, 120])('on a terminal of %i columns', (columns) => {
  test.each([
    ['orders'],
    ['review'],
    ['review', '--all'],
    ['activity'],
    ['status'],
    ['connections'],
    ['deliveries', LONG],
    ['order', '1001'],
    ['order', '1002'],
    ['order', '1004'],
    ['doctor'],
    ['queues'],
    ['drain'],
    ['exports'],
    ['service', 'shops', 'list'],
    ['service', 'keys', 'list'],
    ['service', 'mails', 'list'],
    ['service', 'rates', 'list'],
    ['service', 'orders', 'list', '--shop', 'SHOP'],
    ['service', 'orders', 'show', 'RECORD'],
    ['service', 'receipts', 'list', '--shop', 'SHOP'],
    ['service', 'audit', 'list', '--shop', 'SHOP'],
    ['service', 'audit', 'show', '--shop', 'SHOP', '--month', '2026-11'],
    ['reconcile', '--dry-run'],
    ['orders', '--connection', 'c_none'],
    ['--help'],
    ['review', '--help'],
  ])('%s %s %s fits', async (...command) => {
    const args = await Promise.all(command.map(async (word) => (word === 'SHOP' ? shop : word === 'RECORD' ? recordId() : word)));

    const { out, err } = await program.run(args, { columns });

    expect(`${out}${err}`).not.toBe('');
    const wide = `${out}${err}`.split('\n').filter((line) => textWidth(line) > columns && !UNBROKEN.test(line));
    expect(wide).toEqual([]);
  });

  test('and states are still read', async () => {
    const { out } = await program.run(['orders'], { columns });

    expect(out).toMatch(/^number +state +total/);
    expect(out).toMatch(/^#1001 +recorded +48\.00 EUR/m);
    expect(out).toMatch(/^#1002 +review +48\.00 EUR .*payment\.unmapped/m);
    expect(out).toMatch(/^#1004 +ignored .*paid 20\.10\./m);
  });
});

test('where there is no terminal nothing is left out or cut', async () => {
  const out = await program.ok(['orders']);

  expect(out).toContain(LONG);
  expect(out).toContain(store.connectionId);
  expect(out).toMatch(/^#1004 +ignored .*paid 20\.10\.\d* [\d:]{8}, before recordFrom 01\.11\.\d* [\d:]{8} \(`settings` changes it\)/m);
  expect(out).not.toContain('…');
});

test('an ignored order says why, with both times', async () => {
  expect(await program.ok(['order', '1004'])).toMatch(
    /^state +ignored: paid 20\.10\.\d* [\d:]{8}, before recordFrom 01\.11\.\d* [\d:]{8} \(`settings` changes it\)\.$/m,
  );
});

test('what waits is counted by reason and store, with the month that would miss it', async () => {
  const out = await program.ok(['review']);

  expect(out).toMatch(/^payment\.unmapped: 2 orders, 96\.00 EUR$/m);
  expect(out).toMatch(/^ {2}store +orders +sum +first +missing in +file due$/m);
  expect(out).toMatch(/^ {2}Магазинът .* 2 +96\.00 EUR +01\.11\.\d* [\d:]{8} +2026-11 +15\.12\.2026$/m);
  expect(out).toContain('`orderbridge release --code payment.unmapped`');
  expect(out).toMatch(/^vat\.unmapped: 1 order, 48\.00 EUR$/m);
  expect(out).toMatch(/^ {2}- #1005 \(id:\d+\): The VAT rate 9 % has no group\.$/m);
});

test('a connection is named by its id, the beginning of that, or its name; one that does not exist is an error', async () => {
  const { connectionId } = store;

  for (const named of [connectionId, connectionId.slice(0, 8), LONG, LONG.toUpperCase()])
    expect(await program.json(['orders', '--connection', named, '--number', '1001'])).toMatchObject([{ connectionId, orderId: '1001' }]);
  expect(await program.json(['order', LONG, '1001'])).toMatchObject({ connectionId, state: 'recorded' });
  expect(await program.run(['orders', '--connection', 'c_zzz'])).toMatchObject({
    code: 1,
    out: '',
    err: 'orderbridge: no connection has the id c_zzz, and no store this name; `orderbridge connections` lists them\n',
  });
});

test('an order that can’t be decided shows its lines as the store has them', async () => {
  expect(await program.ok(['order', '1005'])).toMatch(
    /Lines in the store\n {2}quantity +name +kind +price EUR +discount +VAT\n {2}2 +Тениска +item +48\.00 +0\.00 +9 %\n {2}total 48\.00 EUR/,
  );
});

function connect(settings: string): string[] {
  return ['connect', '--platform', 'standard', '--name', LONG, '--secret', '@secret', '--compliance-shop', shop, '--settings', settings];
}

async function recordId(): Promise<string> {
  const { complianceId } = await program.json<{ complianceId: string }>(['order', '1001']);
  return complianceId;
}

async function send(order: Record<string, unknown>, key = secret): Promise<number> {
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
  return (await fetch(store.webhookUrl, { method: 'POST', body, headers: standardHeaders(key, body) })).status;
}
