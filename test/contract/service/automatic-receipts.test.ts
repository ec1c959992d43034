import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { orderDto } from '../../support/worlds/compliance-caller.ts';
import { type ReceiptWorld, startReceiptWorld } from '../../support/worlds/receipt-world.ts';

const BEGIN = '2026-11-20T10:00:00.000Z';
const KINDS = ['PAYMENT_PROCESSOR', 'VIRTUAL_POS', 'POSTAL_PAYMENT', 'BANK_TRANSFER', 'FISCAL_RECEIPT', 'OTHER'];

let world: ReceiptWorld;
let shop: Awaited<ReturnType<ReceiptWorld['shop']>>;

beforeAll(async () => {
  world = await startReceiptWorld(BEGIN);
});
beforeEach(async () => {
  world.at(BEGIN);
  await world.sent();
  shop = await world.shop({ automaticReceipts: true });
});
afterAll(() => world[Symbol.asyncDispose]());

async function receipts(): Promise<Record<string, unknown>[]> {
  const { items } = (await shop.read(`/receipts?shopId=${shop.shopId}`)).body;
  return items as Record<string, unknown>[];
}

describe('decision 1: a shop that wants its receipts made', () => {
  test('has one for each order paid by card or through a provider, mailed, and none for others', async () => {
    for (const paymentType of KINDS) await shop.order({ internalId: paymentType, paymentType });

    expect(await receipts()).toMatchObject([{ emailed: 'queued' }, { emailed: 'queued' }]);
    expect(await world.sent()).toMatchObject([{ to: ['ivan@buyer.example'] }, { to: ['ivan@buyer.example'] }]);
    expect(await receipts()).toMatchObject([{ emailed: 'sent' }, { emailed: 'sent' }]);
  });

  test('gets no second one by asking for it: the answer is the one that was made', async () => {
    const { id } = await shop.order();

    const asked = await shop.call('POST', `/order/${String(id)}/receipt`);

    expect(asked).toMatchObject({ status: 200, body: { orderId: id, issuedAt: BEGIN } });
    expect(await receipts()).toEqual([asked.body]);
    expect(await world.sent()).toHaveLength(1);
  });

  test('has one for each of many orders at once, and for a repeated create no further one', async () => {
    const creates = Array.from({ length: 12 }, (_, n) => ({ body: orderDto(shop.shopId, { internalId: String(n) }), headers: { 'idempotency-key': `k${n}` } }));

    const answers = await Promise.all([...creates, ...creates].map((create) => shop.call('POST', '/order', create)));

    expect(answers.map(({ status }) => status)).toEqual(Array(24).fill(200));
    expect(new Set((await receipts()).map(({ orderId }) => orderId)).size).toBe(12);
    expect(await receipts()).toHaveLength(12);
    expect(await world.sent()).toHaveLength(12);
  });

  test.each([[undefined], [{ email: 'not an address' }]])('has one that is not mailed for a buyer without a usable address (%j)', async (customer) => {
    await shop.order({ customer });

    expect(await receipts()).toMatchObject([{ emailed: 'no-address' }]);
    expect(await world.sent()).toEqual([]);
  });

  test('has none for orders of before; one that it asks for is made once', async () => {
    await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { automaticReceipts: false } });
    const { id } = await shop.order();
    await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { automaticReceipts: true } });

    expect(await receipts()).toEqual([]);
    await shop.call('POST', `/order/${String(id)}/receipt`);
    expect(await receipts()).toHaveLength(1);
  });
});

describe('decision 2: a receipt is asked for', () => {
  beforeEach(async () => {
    shop = await world.shop();
  });

  test.each([
    ['PAYMENT_PROCESSOR', 200],
    ['VIRTUAL_POS', 200],
    ['POSTAL_PAYMENT', 422],
    ['BANK_TRANSFER', 422],
    ['FISCAL_RECEIPT', 422],
    ['OTHER', 422],
  ])('of an order paid by %s: %i', async (paymentType, status) => {
    const { id } = await shop.order({ paymentType });

    const { body, ...answer } = await shop.call('POST', `/order/${String(id)}/receipt`);

    expect(answer.status).toBe(status);
    if (status === 422) expect(body).toMatchObject({ type: 'urn:compliance-service:problem:receipt-not-due', detail: expect.stringContaining(paymentType) });
  });

  test('that was issued when its payment type still had one: it is answered', async () => {
    const { id } = await shop.order({ paymentType: 'FISCAL_RECEIPT' });
    await world.server.pool.query('select compliance.issue_receipt($1, gen_random_uuid(), null, $2)', [id, BEGIN]);

    expect(await shop.call('POST', `/order/${String(id)}/receipt`)).toMatchObject({ status: 200, body: { orderId: id, emailed: 'no-address' } });
  });
});

describe('the options of a shop', () => {
  beforeEach(async () => {
    shop = await world.shop();
  });

  test('are off until they are changed, and shown with the shop', async () => {
    const off = { automaticReceipts: false, receiptEnglish: false, eShopType: null, refuseEndedCurrencies: false };
    expect((await shop.read(`/shops/${shop.shopId}`)).body).toMatchObject(off);

    const changed = await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { receiptEnglish: true, eShopType: 1 } });

    expect(changed).toMatchObject({ status: 200, body: { ...off, receiptEnglish: true, eShopType: 1 } });
    expect((await shop.read(`/shops/${shop.shopId}`)).body).toEqual(changed.body);
    const { rows } = await world.server.pool.query(`select who, subject, before, after from compliance.acts where act = 'shop.options' and subject = $1`, [
      shop.shopId,
    ]);
    expect(rows).toEqual([{ who: `key:${shop.keyId}`, subject: shop.shopId, before: off, after: { ...off, receiptEnglish: true, eShopType: 1 } }]);
  });

  test.each([[{}], [{ automaticReceipts: 'yes' }], [{ eShopType: 3 }], [{ name: 'Друг' }]])('are refused if they are not right: %j', async (body) => {
    expect(await shop.extend('PATCH', `/shops/${shop.shopId}`, { body })).toMatchObject({ status: 400 });
  });

  test('are another key’s business no more than its shop', async () => {
    const stranger = await world.shop();

    expect((await stranger.extend('PATCH', `/shops/${shop.shopId}`, { body: { eShopType: 1 } })).status).toBe(404);
  });

  test.each(['automaticReceipts', 'receiptEnglish', 'eShopType'])('are unknown to the documented interface: %s', async (field) => {
    const answer = await shop.call('PUT', `/shop/${shop.shopId}`, { body: { name: 'Друг', [field]: true } });

    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: field }] } });
    expect((await shop.call('PUT', `/shop/${shop.shopId}`, { body: { name: 'Друг' } })).body).not.toHaveProperty(field);
  });

  test('English comes behind the law’s Bulgarian, in receipts that are issued from then on', async () => {
    const before = await shop.call('POST', `/order/${String((await shop.order())['id'])}/receipt`);
    world.later(1);
    await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { receiptEnglish: true, automaticReceipts: true } });
    await shop.order({ internalId: '2' });

    const mails = await world.sent();

    expect(mails.map(({ text }) => text.includes('Document of a sale'))).toEqual([false, true]);
    expect(mails.map(({ text }) => text.includes('Документ за регистриране на продажба'))).toEqual([true, true]);
    await shop.extend('PATCH', `/shops/${shop.shopId}`, { body: { receiptEnglish: false } });
    expect((await shop.call('POST', `/order/${String(before.body['orderId'])}/receipt`)).body).toMatchObject({ id: before.body['id'] });
  });
});

describe('a receipt is mailed again', () => {
  const resend = (id: unknown) => shop.extend('POST', `/receipts/${String(id)}/resend`);

  test('by its key, which the audit log keeps', async () => {
    await shop.order();
    const [receipt] = await receipts();
    await world.sent();

    expect(await resend(receipt?.['id'])).toMatchObject({ status: 200, body: { id: receipt?.['id'], emailed: 'queued' } });

    expect(await world.sent()).toMatchObject([{ to: ['ivan@buyer.example'] }]);
    expect(await receipts()).toMatchObject([{ emailed: 'sent' }]);
    const { rows } = await world.server.pool.query(`select who from compliance.acts where act = 'receipt.resent' and subject = $1`, [receipt?.['id']]);
    expect(rows).toEqual([{ who: `key:${shop.keyId}` }]);
  });

  test('once while the mail waits, once in ten minutes, and five times a day', async () => {
    await shop.order();
    const [receipt] = await receipts();
    expect((await resend(receipt?.['id'])).status).toBe(200);
    expect(await world.sent()).toHaveLength(1);

    for (let n = 0; n < 5; n += 1) {
      expect((await resend(receipt?.['id'])).status).toBe(200);
      expect(await world.sent()).toHaveLength(1);
      expect(await resend(receipt?.['id'])).toMatchObject({ status: 429, body: { type: 'urn:compliance-service:problem:receipt-just-sent' } });
      world.later(10);
    }
    expect((await resend(receipt?.['id'])).status).toBe(429);
    world.later(24 * 60);
    expect((await resend(receipt?.['id'])).status).toBe(200);
  });

  test('not to a buyer without an address', async () => {
    await shop.order({ customer: undefined });
    const [receipt] = await receipts();

    expect(await resend(receipt?.['id'])).toMatchObject({ status: 422, body: { type: 'urn:compliance-service:problem:receipt-without-address' } });
  });

  test('not by another key', async () => {
    await shop.order();
    const [receipt] = await receipts();
    const mine = shop;
    shop = await world.shop();

    expect((await resend(receipt?.['id'])).status).toBe(404);
    expect((await mine.extend('POST', `/receipts/${String(receipt?.['id'])}/resend`, { body: { to: 'x' } })).status).toBe(400);
  });
});
