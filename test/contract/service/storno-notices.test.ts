import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../../src/platform/postgres/postgres.ts';
import { forgetBuyerOf } from '../../../src/service/privacy/forget-buyer.ts';
import { type ReceiptWorld, startReceiptWorld } from '../../support/worlds/receipt-world.ts';
import { until } from '../../support/worlds/settled.ts';

const BEGIN = '2026-11-20T10:00:00.000Z';
const CUP = [{ name: 'Чаша', quantity: 1, price: 12.9, vatRate: 20, vatGroup: 'GROUP_B' }];

let world: ReceiptWorld;
let shop: Awaited<ReturnType<ReceiptWorld['shop']>>;

beforeAll(async () => {
  world = await startReceiptWorld(BEGIN);
});
beforeEach(async () => {
  world.at(BEGIN);
  await world.server.service.work.noticeStornos();
  await world.sent();
  shop = await world.shop({ automaticReceipts: true });
});
afterAll(() => world[Symbol.asyncDispose]());

/** An order whose receipt was mailed. */
async function sold(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  const order = await shop.order(changes);
  await world.sent();
  return order;
}

function remove(order: Record<string, unknown>) {
  return shop.call('DELETE', `/order/${String(order['id'])}`);
}

/** Queues what is due and sends it; returns the texts. */
async function noticed(): Promise<{ queued: number; texts: string[] }> {
  const queued = await world.server.service.work.noticeStornos();
  return { queued, texts: (await world.sent()).map(({ text }) => text) };
}

async function kept(): Promise<unknown[]> {
  const { rows } = await world.server.pool.query(
    'select details is not null as details, sealed_email is not null as address from compliance.withdrawn_receipts where shop_id = $1 order by withdrawn_at, order_id',
    [shop.shopId],
  );
  return rows;
}

const GONE = { details: false, address: false };
const THERE = { details: true, address: true };

describe('an order with a receipt that is deleted and not replaced in time', () => {
  test('has a notice to its buyer, once, with number, date, amount and shop', async () => {
    const order = await sold();
    await remove(order);

    world.later(14);
    expect(await noticed()).toEqual({ queued: 0, texts: [] });
    world.later(1);
    const { queued, texts } = await noticed();

    expect(queued).toBe(1);
    const [text] = texts;
    for (const words of [`№ ${String(order['documentNumber'])}`, '20.11.2026', '59,45', 'Магазин за чаши', '#1042', 'анулиран']) expect(text).toContain(words);
    expect(text).not.toContain('cancelled');
    expect(await noticed()).toEqual({ queued: 0, texts: [] });
  });

  test('has one in English, too, if its receipt was', async () => {
    await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { receiptEnglish: true } });
    await remove(await sold());
    world.later(15);

    expect((await noticed()).texts).toEqual([expect.stringMatching(/анулиран[\s\S]*was cancelled on 2026-11-20/)]);
  });

  test('is known by its buyer’s address for no longer than until the notice is sent, and sealed', async () => {
    await remove(await sold());
    expect(await kept()).toEqual([THERE]);
    const { rows } = await world.server.pool.query('select w::text as text from compliance.withdrawn_receipts w where shop_id = $1', [shop.shopId]);
    expect(JSON.stringify(rows)).not.toContain('buyer.example');
    world.later(15);
    await noticed();

    await noticed();

    expect(await kept()).toEqual([GONE]);
  });

  test('survives a crash between deciding and sending', async () => {
    await remove(await sold());
    world.later(15);
    await Promise.all([world.server.service.work.noticeStornos(), world.server.service.work.noticeStornos()]);
    // The process ends here; the next one looks again and sends what is in the outbox.
    await world.server.service.work.noticeStornos();

    expect(await world.sent()).toHaveLength(1);
  });

  test('whose buyer is forgotten meanwhile has none', async () => {
    const order = await sold();
    await remove(order);
    await inTransaction(world.server.pool, (tx) => forgetBuyerOf(tx, [String(order['id'])]));
    world.later(15);

    expect(await kept()).toEqual([GONE]);
    expect(await noticed()).toEqual({ queued: 0, texts: [] });
  });

  test('whose buyer is forgotten while it is being deleted has none', async () => {
    const order = await sold();
    const { pool } = world.server;
    const removed = await inTransaction(pool, async (tx) => {
      // A delete has read the buyer when it waits for this.
      await tx.query('select from compliance.merchants for update');
      const removing = remove(order);
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%delete_order%' and datname = current_database()`;
      await until(async () => (await pool.query(waits)).rowCount === 1, { what: 'the delete to wait' });
      expect((await shop.extend('POST', `/orders/${String(order['id'])}/forget-buyer`)).status).toBe(200);
      return { removing };
    });
    expect((await removed.removing).status).toBe(200);
    world.later(15);

    expect(await kept()).toEqual([GONE]);
    expect(await noticed()).toEqual({ queued: 0, texts: [] });
  });

  test('whose buyer is forgotten between deciding and sending has none', async () => {
    const order = await sold();
    await remove(order);
    world.later(15);
    await world.server.service.work.noticeStornos();
    await inTransaction(world.server.pool, (tx) => forgetBuyerOf(tx, [String(order['id'])]));

    expect(await world.sent()).toEqual([]);
  });

  test.each([[undefined], [{ email: 'not an address' }]])(
    'and whose buyer has no usable address (%j) has none, and nothing is kept of them',
    async (customer) => {
      await remove(await sold({ customer }));

      expect(await kept()).toEqual([GONE]);
    },
  );

  test('deleted by twenty requests at once has one', async () => {
    const order = await sold();
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(order)));
    world.later(15);

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await noticed()).queued).toBe(1);
  });

  test('has none if another key asked for it in vain', async () => {
    const order = await sold();
    const stranger = await world.shop();
    expect((await stranger.call('DELETE', `/order/${String(order['id'])}`)).status).toBe(404);

    expect(await kept()).toEqual([]);
  });
});

describe('an order with a receipt that is replaced', () => {
  test('has no notice, and the receipt of its replacement says what it replaces', async () => {
    const order = await sold();
    await remove(order);
    const next = await shop.order({ lineItems: CUP });
    world.later(15);

    const { queued, texts } = await noticed();

    expect([queued, texts.length]).toEqual([0, 1]);
    expect(texts[0]).toContain('заменя издадения по‑рано документ със същия номер (издание 2)');
    expect(next['documentNumber']).toBe(order['documentNumber']);
    expect(await kept()).toEqual([GONE]);
  });

  test('by one without a receipt that is deleted, too, has its notice a quarter of an hour after that', async () => {
    await remove(await sold());
    world.later(10);
    const next = await shop.order({ paymentType: 'BANK_TRANSFER' });
    world.later(4);
    await remove(next);
    world.later(10);
    expect((await noticed()).queued).toBe(0);
    world.later(5);

    expect((await noticed()).queued).toBe(1);
  });

  test('by one with a receipt that is deleted, too, has one notice, that of the later document', async () => {
    await remove(await sold());
    await remove(await sold({ lineItems: CUP }));
    world.later(15);

    const { queued, texts } = await noticed();

    expect(queued).toBe(1);
    expect(texts[0]).toContain('12,90');
    await noticed();
    expect(await kept()).toEqual([GONE, GONE]);
  });
});

describe('D16: a receipt says that it replaces another', () => {
  beforeEach(async () => {
    shop = await world.shop();
  });

  async function receiptOf(order: Record<string, unknown>): Promise<string> {
    await shop.call('POST', `/order/${String(order['id'])}/receipt`);
    const [mail] = await world.sent();
    return mail?.text ?? '';
  }

  test('not if the order before it had none', async () => {
    await remove(await shop.order());

    expect(await receiptOf(await shop.order())).not.toContain('заменя');
  });

  test('if one was issued for an order before it, also where the one between had none', async () => {
    const first = await shop.order();
    await receiptOf(first);
    await remove(first);
    await remove(await shop.order());

    expect(await receiptOf(await shop.order())).toContain('документ със същия номер (издание 3)');
  });

  test('by its number, if that is another: a declared sale that grew', async () => {
    world.at('2026-10-20T10:00:00.000Z');
    const first = await shop.order({ internalCreatedAt: '2026-10-20T10:00:00Z' });
    await receiptOf(first);
    world.at('2026-11-20T10:00:00.000Z');
    await remove(first);
    const larger = await shop.order({ internalCreatedAt: '2026-10-20T10:00:00Z', lineItems: [{ ...CUP[0], price: 100 }] });

    expect(larger['documentNumber']).not.toBe(first['documentNumber']);
    expect(await receiptOf(larger)).toContain(`заменя издадения по‑рано документ № ${String(first['documentNumber'])}.`);
  });
});
