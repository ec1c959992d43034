import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { postShopify } from '../../support/samples/signed-webhooks.ts';
import { cups, cupsRefunded, undecidable } from '../../support/samples/undecidable-orders.ts';
import type { Program } from '../../support/servers/program.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { type CliWorld, listedOrders, startCliWorld } from '../../support/worlds/cli-world.ts';
import { until } from '../../support/worlds/settled.ts';

type Connected = { connectionId: string; webhookUrl: string };
type Listed = { id: number; orderId: string; state: string; complianceId: string | null; review: { code: string; detail: string } | null; todo?: string };
type Waiting = { orders: Listed[]; deliveries: { id: string; code: string; todo: string }[] };

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const APP = 'the secret of the app';
const WHY = ['--why', 'Ana asked the shop'];

let world: CliWorld;
let program: Program;
const shops = { cups: '', shirts: '' };
const stores: { cups: Connected; shirts: Connected } = { cups: { connectionId: '', webhookUrl: '' }, shirts: { connectionId: '', webhookUrl: '' } };

beforeAll(async () => {
  world = await startCliWorld();
  ({ program } = world);
  await program.start();
  await program.writeJson('settings.json', { recordFrom: '2020-01-01T00:00:00Z', transactionWaitSeconds: 0 });
  for (const name of ['cups', 'shirts'] as const) shops[name] = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  stores.cups = await connect('Cups', ['--platform', 'shopify', '--secret', APP, '--compliance-shop', shops.cups]);
  stores.shirts = await connect('Shirts', ['--platform', 'standard', '--secret', secret, '--compliance-shop', shops.shirts]);
});

afterAll(() => world[Symbol.asyncDispose]());

function connect(name: string, flags: string[]): Promise<Connected> {
  return program.json<Connected>(['connect', '--name', name, ...flags, '--settings', 'settings.json']);
}

async function sendCups(body: Record<string, unknown>): Promise<void> {
  await until(async () => (await postShopify(stores.cups.webhookUrl, { topic: 'orders/updated', body, secret: APP })).status === 200, { what: 'the webhook' });
}

async function sendShirt(order: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order } });
  const post = () => fetch(stores.shirts.webhookUrl, { method: 'POST', body, headers: standardHeaders(secret, body) });
  await until(async () => (await post()).status === 200, { what: 'the webhook' });
}

async function become(orderId: string, state: string, code: string | null = null): Promise<Listed> {
  const [order] = await listedOrders<Listed>(world, { orderId, state, code });
  if (order === undefined) throw new Error('none is listed');
  return order;
}

/** Everything that waits with this order. */
async function waitingOf(orderId: string): Promise<Listed[]> {
  return (await program.json<Waiting>(['review'])).orders.filter((order) => order.orderId === orderId);
}

async function recordByHand(internalId: string, shopId: string, price = 25.8): Promise<string> {
  const lineItems = [{ name: 'Чаша', quantity: 1, price, vatRate: 20, vatGroup: 'GROUP_B' }];
  const order = { internalId, internalNumber: `#${internalId}`, internalCreatedAt: '2026-11-20T11:32:05+02:00', lineItems, shopId };
  await program.writeJson(`${internalId}.json`, { ...order, paymentType: 'OTHER', precision: 2, currency: 'EUR' });
  return (await program.json<{ id: string }>(['service', 'orders', 'create', '--file', `${internalId}.json`])).id;
}

async function current(shop: string, internalId: string): Promise<string[]> {
  const orders = await program.json<{ id: string; internalId: string }[]>(['service', 'orders', 'list', '--shop', shop]);
  return orders.filter((order) => order.internalId === internalId).map(({ id }) => id);
}

describe.each(Object.entries(undecidable).map(([code, fields], index) => ({ code, fields, id: 1001 + index })))('$code', ({ code, fields, id }) => {
  const orderId = String(id);

  test('is recorded by hand, resolved, and removed by a later refund', async () => {
    await sendCups(cups(id, fields));
    const review = await become(orderId, 'review', code);
    const [waits] = await waitingOf(orderId);
    expect(waits?.todo).toContain(`\`orderbridge resolve id:${review.id} --recorded ID\``);

    const recorded = await recordByHand(orderId, shops.cups);
    await program.ok(['resolve', `#${id}`, '--recorded', recorded, ...WHY]);

    expect(await waitingOf(orderId)).toEqual([]);
    expect(await become(orderId, 'resolved')).toMatchObject({ complianceId: recorded });
    expect(await program.ok(['order', recorded])).toMatch(/^said +recorded by hand as .*, by cli:.*: “Ana asked the shop”$/m);

    await sendCups(cupsRefunded(id, fields));

    await become(orderId, 'removed');
    expect(await current(shops.cups, orderId)).toEqual([]);
  });
});

test.each([
  ['--not-a-sale', 'not a sale'],
  ['--elsewhere', 'recorded elsewhere'],
])('an order that is resolved as %s leaves the list, until something new comes of it', async (flag, words) => {
  const id = flag === '--elsewhere' ? 1101 : 1102;
  await sendCups(cups(id, undecidable['seller.other']));
  await become(String(id), 'review', 'seller.other');

  await program.ok(['resolve', String(id), flag, ...WHY]);

  await become(String(id), 'resolved');
  expect(await waitingOf(String(id))).toEqual([]);

  // By now it could be recorded, and is not.
  await sendCups(cups(id, { updated_at: '2026-11-20T15:00:00+02:00' }));

  const asked = await become(String(id), 'review', 'resolution.changed');
  expect(asked.review?.detail).toMatch(new RegExp(`^Resolved by cli:.* as ${words}, because “Ana asked the shop”. New: 25.80 EUR should be recorded.$`));
  expect(await current(shops.cups, String(id))).toEqual([]);

  await sendCups(cups(id, { updated_at: '2026-11-20T16:00:00+02:00', total_price: '24.00' }));
  await until(async () => (await become(String(id), 'review', 'resolution.changed')).review?.detail.includes('total.mismatch'), {
    what: 'the newest to be shown',
  });

  await sendCups(cups(id, { updated_at: '2026-11-20T17:00:00+02:00' }));
  await until(async () => !(await become(String(id), 'review', 'resolution.changed')).review?.detail.includes('total.mismatch'), { what: 'the newest' });
  await program.ok(['release', String(id)]);
  await become(String(id), 'recorded');
});

test('a record of other software becomes ours, and a record of another order does not', async () => {
  const theirs = await recordByHand('301', shops.shirts, 48);
  await sendShirt(orderOf('301'));
  await become('301', 'review', 'compliance.conflict');
  await sendShirt(orderOf('302', { payment: { method: 'shells' } }));
  await become('302', 'review', 'payment.unmapped');

  await program.ok(['resolve', '301', '--recorded', theirs, ...WHY]);
  const taken = await program.run(['resolve', '302', '--recorded', theirs, ...WHY]);
  const unknown = await program.run(['resolve', '302', '--recorded', '5f0c5a3e-0000-4000-8000-000000000000', ...WHY]);
  const ofOtherShop = await program.run(['resolve', '302', '--recorded', await recordByHand('9302', shops.cups), ...WHY]);

  expect(taken.err).toMatch(/it is the record of the order #301 \(id:\d+\)/);
  expect(unknown.err).toContain('the compliance service has no record with this id');
  expect(ofOtherShop.err).toContain('it is a record of another shop');
  await become('302', 'review', 'payment.unmapped');

  // A part goes back: what is left is decided as ever, and replaces it.
  await sendShirt(orderOf('301', { updatedAt: '2026-11-02T10:00:00Z', refunds: [{ id: 'r', at: '2026-11-02T10:00:00Z', amount: '8.00' }] }));
  await become('301', 'recorded');
  expect(await current(shops.shirts, '301')).toEqual([expect.not.stringMatching(theirs)]);
});

describe('a cancelled order whose refund was not seen', () => {
  const cancelled = (id: string, minute = '00') => orderOf(id, { status: 'cancelled', updatedAt: `2026-11-02T10:${minute}:00Z` });

  async function unproven(id: string): Promise<void> {
    await sendShirt(orderOf(id));
    await become(id, 'recorded');
    await sendShirt(cancelled(id));
    await become(id, 'review', 'removal.unproven');
  }

  test('stays a sale, until something new comes of it', async () => {
    await unproven('401');

    await program.ok(['release', '401', '--keep', ...WHY]);
    const kept = await become('401', 'recorded');
    expect(await current(shops.shirts, '401')).toEqual([kept.complianceId]);

    const line = { id: 'a', name: 'Тениска', quantity: 1, amount: '24.00', vatRate: '20' };
    await sendShirt({ ...cancelled('401', '30'), total: '24.00', lines: [line] });
    await become('401', 'review', 'removal.unproven');
  });

  test('is removed at the service, which is undone as well', async () => {
    await unproven('402');
    expect((await program.run(['resolve', '402', '--not-a-sale', ...WHY])).err).toMatch(/`orderbridge release id:\d+ --remove` deletes that record/);

    await program.ok(['release', '402', '--remove', ...WHY]);
    await become('402', 'removed');
    expect(await current(shops.shirts, '402')).toEqual([]);

    await program.ok(['release', '402']);
    await become('402', 'review', 'removal.unproven');
  });
});

test('a record that the ledger has is replaced by another only once it is gone', async () => {
  await sendShirt(orderOf('501'));
  const { complianceId } = await become('501', 'recorded');
  const lines = [
    { id: 'a', name: 'Тениска', quantity: 1, amount: '24.00', vatRate: '20' },
    { id: 'b', name: 'Книга', quantity: 1, amount: '24.00', vatRate: '9' },
  ];
  const refunds = [{ id: 'r', at: '2026-11-02T10:00:00Z', amount: '5.00' }];
  await program.writeJson('nine.json', { recordFrom: '2020-01-01T00:00:00Z', vatGroups: { '9': 'GROUP_D' } });
  await program.ok(['settings', stores.shirts.connectionId, 'nine.json']);
  await sendShirt(orderOf('501', { updatedAt: '2026-11-02T10:00:00Z', lines, refunds }));
  await become('501', 'review', 'refund.unattributed');

  const other = await recordByHand('by-hand-501', shops.shirts, 43);
  expect((await program.run(['resolve', '501', '--recorded', other, ...WHY])).err).toContain(`the order's record ${complianceId} still exists`);
  const asked = await program.run(['service', 'orders', 'delete', complianceId ?? '']);
  expect(asked).toMatchObject({ code: 1, err: expect.stringMatching(/holds it as the record of its order #501 .*resolve id:\d+ --recorded ID/s) });
  await program.ok(['service', 'orders', 'delete', complianceId ?? '', '--yes']);
  await program.ok(['resolve', '501', '--recorded', other, ...WHY]);

  expect(await become('501', 'resolved')).toMatchObject({ complianceId: other });
});

test('a webhook that can’t be read is looked at and dismissed', async () => {
  await sendShirt({ id: '601' });
  const [delivery] = await until(
    async () => {
      const { deliveries } = await program.json<Waiting>(['review']);
      if (deliveries.length === 0) throw new Error('none waits');
      return deliveries;
    },
    { what: 'the webhook to wait' },
  );
  const id = delivery?.id ?? '';

  expect(delivery?.todo).toContain(`\`orderbridge delivery show ${id} --body\``);
  expect(await program.ok(['delivery', 'show', id])).toMatch(/^why +payload\.unreadable: /m);
  expect(await program.run(['delivery', 'show', id, '--body'])).toMatchObject({
    out: expect.stringContaining('"601"'),
    err: expect.stringContaining('personal'),
  });
  expect(await program.run(['delivery', 'dismiss', id])).toMatchObject({ code: 1, err: expect.stringContaining('--why') });

  await program.ok(['delivery', 'dismiss', id, ...WHY]);

  expect((await program.json<Waiting>(['review'])).deliveries).toEqual([]);
  expect(await program.run(['delivery', 'dismiss', id, ...WHY])).toMatchObject({ code: 1, err: expect.stringContaining('is dismissed, not in review') });
});

test('recording by hand twice finds the first, and refuses another order of the same id', async () => {
  const first = await recordByHand('701', shops.shirts);

  expect(await recordByHand('701', shops.shirts)).toBe(first);
  await expect(recordByHand('701', shops.shirts, 99)).rejects.toThrow(`another order is recorded with this internalId: ${first}`);
  await expect(recordByHand('702', shops.shirts, -1)).rejects.toThrow('lineItems[0].price: must not be negative');
});

test('what is said must be whole', async () => {
  expect((await program.run(['resolve', '302', '--elsewhere'])).err).toContain('say why');
  expect((await program.run(['resolve', '302', ...WHY])).err).toContain('--recorded ID, --not-a-sale, or --elsewhere');
  expect((await program.run(['resolve', '301', '--elsewhere', ...WHY])).err).toContain('not in review');
  expect((await program.run(['release', '302', '--keep', ...WHY])).err).toContain('not as removal.unproven');
  expect((await program.run(['release', '302', '--remove', ...WHY])).err).toMatch(/`orderbridge resolve id:\d+ --not-a-sale`/);
});
