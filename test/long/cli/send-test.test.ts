import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';

type Connected = { connectionId: string };
type Shown = { state: string; orderId: string; complianceId: string | null; recordedTotal: string | null };

const SLOW = { timeout: 120_000 };
const WHSEC = `whsec_${randomBytes(32).toString('base64')}`;

let postgres: TestPostgres;
let program: Program;
beforeAll(async () => {
  postgres = await startPostgres('whole');
  program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS, HOST: '127.0.0.1' });
  await program.start();
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function connect(platform: string, name: string): Promise<Connected> {
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  return JSON.parse(
    await program.ok(['connect', '--platform', platform, '--name', name, '--secret', '-', '--compliance-shop', shop, '--json'], { stdin: WHSEC }),
  );
}

test.for([
  ['standard', 'corner'],
  ['woocommerce', 'corner'],
  ['shopify', 'corner.myshopify.com'],
] as const)('a test order of a %s store is sent as the store would, and recorded', SLOW, async ([platform, name]) => {
  const { connectionId } = await connect(platform, name);

  const { code, out, err } = await program.run(['send-test', connectionId, '--yes']);

  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(`/webhooks/${platform}/${connectionId}; waiting`) });
  expect(out).toMatch(/order +TEST-\d{6} \(id:\d+\), 1\.20 EUR\nstate +recorded/);
  const [order] = await program.json<Shown[]>(['orders', '--connection', connectionId]);
  expect(order).toMatchObject({ state: 'recorded', recordedTotal: '1.20' });
  expect(out).toContain(`orderbridge service orders delete ${order?.complianceId}`);
});

test('without a terminal it asks for --yes, and nothing is sent', SLOW, async () => {
  const { connectionId } = await connect('standard', 'asked');

  expect(await program.run(['send-test', connectionId])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--yes') });
  expect(await program.json<Shown[]>(['orders', '--connection', connectionId])).toEqual([]);
});

test('an order of a file is sent as it is: what is not recorded says why, what is no order is not sent', SLOW, async () => {
  const { connectionId } = await connect('standard', 'of a file');
  const order = { id: '7', number: '#7', status: 'paid', createdAt: '2020-01-01T00:00:00Z', updatedAt: '2020-01-01T00:00:00Z', paidAt: '2020-01-01T00:00:00Z' };
  const lines = [{ id: 'a', name: 'Tea', quantity: 1, amount: '2.40', vatRate: '20' }];
  const whole = { ...order, currency: 'EUR', total: '2.40', lines, payment: { method: 'stripe' }, refunds: [] };
  await program.writeJson('order.json', { type: 'order.paid', data: { order: whole } });
  await program.writeJson('no-order.json', { type: 'order.paid', data: { order: { id: '7' } } });

  const old = await program.run(['send-test', connectionId, '--order', 'order.json', '--yes']);
  const none = await program.run(['send-test', connectionId, '--order', 'no-order.json', '--yes']);

  expect(old).toMatchObject({
    code: 1,
    out: expect.stringMatching(/state +ignored/),
    err: expect.stringContaining('the test order is not recorded: it is ignored'),
  });
  expect(none).toMatchObject({ code: 1, out: '', err: expect.stringMatching(/that is no order of standard \(.*status/s) });
});

test('a store that was disconnected is sent nothing', SLOW, async () => {
  const { connectionId } = await connect('standard', 'gone');
  await program.ok(['disconnect', connectionId]);

  expect((await program.run(['send-test', connectionId, '--yes'])).err).toContain(`${connectionId} was disconnected`);
});
