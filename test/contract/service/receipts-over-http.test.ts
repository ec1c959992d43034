import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers } from '../../../src/service/interface/schemas.ts';
import type { NewKey } from '../../../src/service/keys/api-keys.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type Read, readerOf } from '../../support/worlds/reader.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
const NOW = '2026-11-20T10:00:00.000Z';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let read: Read;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => new Date(NOW) });
});
beforeEach(async () => {
  ({ call, read, shopId } = await newShop());
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function newShop(key: NewKey = { multiShop: true }) {
  const created = await sharingKey(server, key);
  const by = callerOf(server.baseUrl, created);
  const { body } = await by('POST', '/shop', { body: shopDto() });
  return { call: by, read: readerOf(server.baseUrl, created), shopId: String(body['id']) };
}

async function newOrder(changes: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  return (await call('POST', '/order', { body: orderDto(shopId, changes) })).body;
}

function idsOf(body: Record<string, unknown>): unknown[] {
  const { items } = body;
  return Array.isArray(items) ? items.map(({ id }) => id) : [];
}

describe('issuing a receipt', () => {
  test('returns the document’s number, its date and total', async () => {
    const order = await newOrder();

    const { status, body } = await call('POST', `/order/${String(order['id'])}/receipt`);

    expect(status).toBe(200);
    expect(answers.ReceiptDto.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({
      orderId: order['id'],
      shopId,
      documentNumber: order['documentNumber'],
      documentDate: '2026-11-20',
      edition: 1,
      issuedAt: NOW,
      total: 59.45,
      currency: 'EUR',
      emailed: 'queued',
    });
  });

  test('is done once: a repeated request returns the same', async () => {
    const path = `/order/${String((await newOrder())['id'])}/receipt`;

    const all = await Promise.all([call('POST', path), call('POST', path), call('POST', path, { body: {} })]);

    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(all.map(({ body }) => body['id'])).size).toBe(1);
  });

  test('mails nothing without an address', async () => {
    const { id } = await newOrder({ customer: undefined });

    expect((await call('POST', `/order/${String(id)}/receipt`)).body).toMatchObject({ emailed: 'no-address' });
  });

  test('is not due for a postal payment', async () => {
    const { id } = await newOrder({ paymentType: 'POSTAL_PAYMENT' });

    expect(await call('POST', `/order/${String(id)}/receipt`)).toMatchObject({ status: 422, body: { type: 'urn:compliance-service:problem:receipt-not-due' } });
  });

  test.each([
    [{ copies: 2 }, 'body-invalid'],
    ['{', 'body-not-json'],
  ])('refuses the body %j', async (body, code) => {
    const { id } = await newOrder();

    expect(await call('POST', `/order/${String(id)}/receipt`, { body })).toMatchObject({
      status: 400,
      body: { type: `urn:compliance-service:problem:${code}` },
    });
  });

  test('is only for the key that has the order, and for recorded orders', async () => {
    const { id } = await newOrder();
    const stranger = await newShop();
    await call('DELETE', `/order/${String(id)}`);

    const refused = [
      await stranger.call('POST', `/order/${String((await newOrder())['id'])}/receipt`),
      await call('POST', `/order/${String(id)}/receipt`),
      await call('POST', `/order/${NIL}/receipt`),
      await call('POST', '/order/42/receipt'),
    ];

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test('can’t be read or deleted there', async () => {
    const answer = await call('GET', `/order/${NIL}/receipt`);

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('receipts that were issued', () => {
  test('are shown and listed as they were answered', async () => {
    const [{ id }, other] = [await newOrder(), await newOrder({ internalId: 'without' })];
    const { body } = await call('POST', `/order/${String(id)}/receipt`);

    expect((await read(`/receipts/${String(body['id'])}`)).body).toEqual(body);
    expect((await read(`/orders/${String(id)}/receipt`)).body).toEqual(body);
    expect((await read(`/orders/${String(other['id'])}/receipt`)).status).toBe(404);
    expect((await read('/receipts')).body).toEqual({ items: [body], next: null });
    expect(idsOf((await read(`/receipts?shopId=${shopId}&month=2026-11`)).body)).toEqual([body['id']]);
    expect(idsOf((await read('/receipts?month=2026-12')).body)).toEqual([]);
  });

  test('are listed a part at a time', async () => {
    const ids: unknown[] = [];
    for (const internalId of ['1', '2', '3']) {
      const { body } = await call('POST', `/order/${String((await newOrder({ internalId }))['id'])}/receipt`);
      ids.push(body['id']);
    }

    const first = await read('/receipts?limit=2');
    const second = await read(`/receipts?limit=2&after=${String(first.body['next'])}`);

    expect([...idsOf(first.body), ...idsOf(second.body)].sort()).toEqual(ids.sort());
    expect([idsOf(second.body).length, second.body['next']]).toEqual([1, null]);
  });

  test('are a page for those who prefer HTML', async () => {
    const order = await newOrder();
    const { body } = await call('POST', `/order/${String(order['id'])}/receipt`);
    const path = `/receipts/${String(body['id'])}`;

    const page = await read(path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
    const json = await read(path, { headers: { accept: '*/*' } });

    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(page.bytes.toString('utf8')).toContain(String(order['documentNumber']));
    expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  test('are deleted with their order', async () => {
    const { id } = await newOrder();
    const { body } = await call('POST', `/order/${String(id)}/receipt`);
    await call('DELETE', `/order/${String(id)}`);

    expect((await read(`/receipts/${String(body['id'])}`)).status).toBe(404);
    expect((await read('/receipts')).body).toEqual({ items: [], next: null });
  });

  test('are deleted with their shop', async () => {
    const { body } = await call('POST', `/order/${String((await newOrder())['id'])}/receipt`);
    await call('DELETE', `/shop/${shopId}`, { body: { name: shopDto().name } });

    expect((await read(`/receipts/${String(body['id'])}`)).status).toBe(404);
    expect((await server.pool.query('select from compliance.receipts where shop_id = $1', [shopId])).rowCount).toBe(0);
  });

  test('are visible only to their key', async () => {
    const { body } = await call('POST', `/order/${String((await newOrder())['id'])}/receipt`);
    const stranger = await newShop();

    expect((await stranger.read(`/receipts/${String(body['id'])}`)).status).toBe(404);
    expect((await stranger.read(`/receipts?shopId=${shopId}`)).status).toBe(404);
    expect((await stranger.read('/receipts')).body).toEqual({ items: [], next: null });
  });

  test('have the unit of their key', async () => {
    const minor = await newShop({ multiShop: true, amounts: 'minor' });
    const lineItems = [{ name: 'Чаша', quantity: 1, price: 1290, vatRate: 20, vatGroup: 'GROUP_B' }];
    const { body: order } = await minor.call('POST', '/order', { body: orderDto(minor.shopId, { lineItems }) });

    expect((await minor.call('POST', `/order/${String(order['id'])}/receipt`)).body).toMatchObject({ total: 1290 });
  });
});
