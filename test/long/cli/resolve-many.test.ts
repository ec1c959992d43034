import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import type { Program } from '../../support/servers/program.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { type CliWorld, listedOrders, startCliWorld } from '../../support/worlds/cli-world.ts';
import { until } from '../../support/worlds/settled.ts';

type Listed = { orderId: string; state: string; complianceId: string | null; review: { code: string } | null };

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const WHY = ['--why', 'Ana asked the shop'];

let world: CliWorld;
let program: Program;
let webhookUrl: string;

beforeAll(async () => {
  world = await startCliWorld();
  ({ program } = world);
  await program.start();
  await program.writeJson('settings.json', { recordFrom: '2020-01-01T00:00:00Z' });
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  const flags = ['--platform', 'standard', '--name', 'Shirts', '--secret', secret, '--compliance-shop', shop, '--settings', 'settings.json'];
  ({ webhookUrl } = await program.json<{ webhookUrl: string }>(['connect', ...flags]));
});

afterAll(() => world[Symbol.asyncDispose]());

async function sendShirt(order: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
  const post = () => fetch(webhookUrl, { method: 'POST', body, headers: standardHeaders(secret, body) });
  await until(async () => (await post()).status === 200, { what: 'the webhook' });
}

async function become(orderId: string, state: string, code: string | null = null): Promise<Listed> {
  const [order] = await listedOrders<Listed>(world, { orderId, state, code });
  if (order === undefined) throw new Error('none is listed');
  return order;
}

test('all that need review with one code are resolved by one word, once it is said how many', async () => {
  for (const id of ['801', '802', '803']) await sendShirt(orderOf(id, { payment: { method: 'pebbles' }, paidAt: '2026-11-05T10:00:00Z' }));
  for (const id of ['801', '802', '803']) await become(id, 'review', 'payment.unmapped');
  const many = ['resolve', '--code', 'payment.unmapped', '--connection', 'Shirts', '--from', '2026-11-05', '--to', '2026-11-05', '--not-a-sale', ...WHY];

  expect((await program.run(['resolve', '801', ...many.slice(1)])).err).toContain('one ORDER, or --code CODE');
  expect((await program.run(['resolve', '--code', 'payment.unmaped', '--elsewhere', ...WHY])).err).toContain('no order is ever in review as payment.unmaped');
  expect((await program.run(['resolve', '--code', 'payment.unmapped', '--recorded', 'x', ...WHY])).err).toContain('--recorded is the record of one ORDER');
  expect(await program.ok([...many, '--dry-run'])).toContain('3 orders that are in review as payment.unmapped would be resolved');
  expect(await program.run(many)).toMatchObject({ code: 1, err: expect.stringContaining('give --yes') });
  await become('801', 'review', 'payment.unmapped');

  expect(await program.ok([...many, '--yes'])).toMatch(/3 orders are resolved; \/console\/bulk-actions\/[\w-]{36}/);

  for (const id of ['801', '802', '803']) await become(id, 'resolved');
  const acts = await program.json<{ act: string; why: string | null }[]>(['activity', '--order', '801']);
  expect(acts[0]).toMatchObject({ act: 'order.resolved', why: 'Ana asked the shop' });
  expect(await program.ok([...many, '--yes'])).toContain('0 orders that are in review');
});

test('anyone who prints a buyer is in the audit log; who prints the order without them is not', async () => {
  await sendShirt(orderOf('901'));
  const { complianceId } = await become('901', 'recorded');
  const looks = async () => (await program.json<{ act: string }[]>(['activity'])).filter(({ act }) => act === 'buyer.seen').length;
  const before = await looks();

  expect(await program.ok(['order', '901'])).not.toContain('maria@example.invalid');
  await program.ok(['service', 'orders', 'show', complianceId ?? '']);
  expect(await looks()).toBe(before);
  expect(await program.ok(['order', '901', '--json'])).toContain('maria@example.invalid');
  expect(await looks()).toBe(before + 1);
  expect(await program.ok(['service', 'orders', 'show', complianceId ?? '', '--json'])).toContain('maria@example.invalid');
  expect(await looks()).toBe(before + 2);
});

test('what can’t be asked, taken or recorded anew is refused, and nothing is done', async () => {
  expect((await program.run(['fetch', 'Shirts', '4711'])).err).toContain('there is no key of its API');
  expect(await program.ok(['proposals'])).toContain('Nobody proposes anything.');
  for (const verb of ['accept', 'decline']) {
    expect((await program.run(['proposals', verb, 'none', ...(verb === 'decline' ? WHY : [])])).err).toContain('there is no proposal with this id');
  }
  expect((await program.run(['reevaluate', '901', '--yes', ...WHY])).err).toContain('nothing else would be recorded');
  expect((await program.run(['reevaluate', '901', ...WHY])).err).toContain('give --yes');
});
