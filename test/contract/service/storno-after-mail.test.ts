import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimJob } from '../../../src/platform/jobs/job-store.ts';
import { inTransaction } from '../../../src/platform/postgres/postgres.ts';
import { forgetBuyerOf } from '../../../src/service/privacy/forget-buyer.ts';
import { type ReceiptWorld, startReceiptWorld } from '../../support/worlds/receipt-world.ts';

const CUP = [{ name: 'Чаша', quantity: 1, price: 12.9, vatRate: 20, vatGroup: 'GROUP_B' }];
const GONE = { details: false, address: false };
const THERE = { details: true, address: true };

let world: ReceiptWorld;
let shop: Awaited<ReturnType<ReceiptWorld['shop']>>;

beforeAll(async () => {
  world = await startReceiptWorld('2026-11-20T10:00:00.000Z');
});
beforeEach(async () => {
  // What the test before left is sent.
  world.later(60);
  await world.server.service.work.noticeStornos();
  await world.sent();
  shop = await world.shop({ automaticReceipts: true });
});
afterAll(() => world[Symbol.asyncDispose]());

/** An order whose receipt was tried to be mailed. */
async function sold(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const order = await shop.order(changes);
  await world.sent();
  return order;
}

function remove(order: Record<string, unknown>) {
  return shop.call('DELETE', `/order/${String(order['id'])}`);
}

async function noticed(): Promise<string[]> {
  await world.server.service.work.noticeStornos();
  return (await world.sent()).map(({ text }) => text);
}

async function kept(): Promise<unknown[]> {
  const { rows } = await world.server.pool.query(
    'select details is not null as details, sealed_email is not null as address from compliance.withdrawn_receipts where shop_id = $1 order by withdrawn_at, order_id',
    [shop.shopId],
  );
  return rows;
}

describe('the notice of a deleted order', () => {
  test('is not sent if the document never went out, and nothing is kept of its buyer', async () => {
    world.refuse(550);
    const failed = await sold({ internalId: 'failed' });
    world.refuse(451);
    const tried = await sold({ internalId: 'tried' });
    world.refuse(null);
    const waiting = await shop.order({ internalId: 'waiting' });
    for (const order of [failed, tried, waiting]) await remove(order);
    world.later(15);

    expect(await kept()).toEqual([GONE, GONE, GONE]);
    expect(await noticed()).toEqual([]);
  });

  test('is kept while the document is being sent: nobody knows yet whether it arrives', async () => {
    world.refuse(451);
    const order = await sold();
    world.refuse(null);
    world.later(1);
    const { rows } = await world.server.pool.query('select id from compliance.mails where shop_id = $1', [shop.shopId]);
    await claimJob(world.server.pool, { kind: 'mail', key: rows[0].id, leaseMs: 60_000 });
    await remove(order);

    expect(await kept()).toEqual([THERE]);
  });

  test('is kept if the document was sent, and waits to be sent again', async () => {
    const order = await sold();
    const { rows } = await world.server.pool.query('select id from compliance.receipts where shop_id = $1', [shop.shopId]);
    expect((await shop.extend('POST', `/receipts/${rows[0].id}/resend`)).status).toBe(200);
    await remove(order);

    expect(await kept()).toEqual([THERE]);
  });

  test('is of the document that went out, if that of its replacement, which is deleted, too, never did', async () => {
    await remove(await sold());
    await remove(await shop.order({ lineItems: CUP }));
    world.later(15);

    expect(await noticed()).toEqual([expect.stringContaining('59,45')]);
  });

  test('leaves no mark of the buyer’s address once they are forgotten, and the receipt’s mail none from the delete on', async () => {
    const order = await sold();
    const marks = async () =>
      (await world.server.pool.query(`select kind from compliance.mails where shop_id = $1 and delivered <> '{}'`, [shop.shopId])).rows.map(({ kind }) => kind);
    expect(await marks()).toEqual(['receipt']);
    await remove(order);
    expect(await marks()).toEqual([]);
    world.later(15);
    await noticed();
    expect(await marks()).toEqual(['receipt-storno']);

    const { status } = await shop.extend('POST', `/orders/${String(order['id'])}/forget-buyer`);

    expect([status, await marks()]).toEqual([200, []]);
  });

  test('is not sent for any document of the sale once the buyer of its last order is forgotten', async () => {
    await remove(await sold());
    const last = await shop.order({ lineItems: CUP });
    await remove(last);
    await inTransaction(world.server.pool, (tx) => forgetBuyerOf(tx, [String(last['id'])]));

    expect(await kept()).toEqual([GONE, GONE]);
  });
});
