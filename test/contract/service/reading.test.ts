import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewKey } from '../../../src/service/keys/api-keys.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type Read, readerOf } from '../../support/worlds/reader.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let clock = new Date('2026-11-20T10:00:00.000Z');
let call: Call;
let read: Read;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => clock });
});
beforeEach(async () => {
  clock = new Date('2026-11-20T10:00:00.000Z');
  ({ call, read } = await newKey());
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function newKey(key: NewKey = { multiShop: true }): Promise<{ call: Call; read: Read }> {
  const created = await sharingKey(server, key);
  return { call: callerOf(server.baseUrl, created), read: readerOf(server.baseUrl, created) };
}

async function newShop(changes: Record<string, unknown> = {}, by = call): Promise<string> {
  return String((await by('POST', '/shop', { body: shopDto(changes) })).body['id']);
}

async function newOrder(shopId: string, changes: Record<string, unknown> = {}, by = call): Promise<string> {
  return String((await by('POST', '/order', { body: orderDto(shopId, changes) })).body['id']);
}

describe('finding 14: text that no database holds', () => {
  const parameters = ['limit', 'after', 'shopId', 'month', 'internalId', 'internalNumber'];

  test.each(['%00', 'a%00b', '%ED%A0%80', '\ufffe'])('%s in a query or a path is never an error of ours', async (text) => {
    const lists = ['/shops', '/orders', '/receipts', '/audit-files'];
    const queries = lists.flatMap((list) => parameters.map((name) => `${list}?${name}=${text}`));
    const paths = [...lists, '/audit-files/1/content'].map((path) => `${path}/${text}`);

    const answers = await Promise.all([...queries, ...paths].map(async (path) => ({ path, status: (await read(path)).status })));

    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  });

  test('NUL is 400, and the answer says which parameter', async () => {
    for (const name of ['internalId', 'internalNumber']) {
      expect(await read(`/orders?${name}=%00`)).toMatchObject({
        status: 400,
        body: { errors: [{ path: name, message: 'must not contain NUL or broken Unicode' }] },
      });
    }
  });
});

function idsOf(body: Record<string, unknown>): unknown[] {
  const { items } = body;
  return Array.isArray(items) ? items.map(({ id }) => id) : [];
}

/** Follows `next` to the end. */
async function readAll(path: string): Promise<{ ids: unknown[]; parts: number }> {
  let ids: unknown[] = [];
  let next = '';
  for (let parts = 1; ; parts += 1) {
    const { body } = await read(`${path}${next}`);
    ids = [...ids, ...idsOf(body)];
    if (body['next'] === null) return { ids, parts };
    next = `&after=${String(body['next'])}`;
  }
}

describe('shops', () => {
  test('are shown as their last change returned them, and listed in order of creation', async () => {
    const first = await newShop();
    clock = new Date('2026-11-20T11:00:00.000Z');
    const second = await newShop({ nraNumber: '12' });
    const { body: updated } = await call('PUT', `/shop/${first}`, { body: { name: 'Ново име' } });

    const options = { automaticReceipts: false, receiptEnglish: false, eShopType: null, refuseEndedCurrencies: false, earlier: [] };
    expect((await read(`/shops/${first}`)).body).toEqual({ ...updated, ...options });
    expect((await read('/shops')).body).toMatchObject({
      items: [
        { ...updated, ...options },
        { id: second, warnings: [{ path: 'nraNumber' }] },
      ],
      next: null,
    });
  });
});

describe('orders', () => {
  test('are shown as their create returned them, with document, month and accounting amounts', async () => {
    const shopId = await newShop();
    const { body } = await call('POST', '/order', { body: orderDto(shopId) });

    const { body: shown } = await read(`/orders/${String(body['id'])}`);

    expect(shown).toEqual({
      ...body,
      documentNumber: expect.stringMatching(/^\d{10}$/),
      deliveredAt: null,
      documentDate: '2026-11-20',
      edition: 1,
      month: '2026-11',
      accountingCurrency: 'EUR',
      accountingTotal: 59.45,
      accountingVat: 8.08,
      exchange: null,
    });
  });

  test('a replacement is the next edition of the same document', async () => {
    const shopId = await newShop();
    const first = await newOrder(shopId);
    const { body: before } = await read(`/orders/${first}`);
    await call('DELETE', `/order/${first}`);
    clock = new Date('2026-11-21T10:00:00.000Z');

    const { body: after } = await read(`/orders/${await newOrder(shopId)}`);

    expect(after).toMatchObject({ documentNumber: before['documentNumber'], documentDate: '2026-11-20', edition: 2, createdAt: clock.toISOString() });
    expect((await read(`/orders/${first}`)).status).toBe(404);
  });

  test('leva of 2026 are converted at the fixed rate', async () => {
    const shopId = await newShop();

    const { body } = await read(`/orders/${await newOrder(shopId, { currency: 'BGN' })}`);

    // Each line separately: 37.65 → 19.25, 21.80 → 11.15.
    expect(body).toMatchObject({ total: 59.45, currency: 'BGN', accountingCurrency: 'EUR', accountingTotal: 30.4 });
  });

  test('have the unit of the key that reads them', async () => {
    const minor = await newKey({ multiShop: true, amounts: 'minor', vatRate: 'fraction' });
    const shopId = await newShop({}, minor.call);
    const lineItems = [{ name: 'Чаша', quantity: 3, price: 1290, discount: 105, vatRate: 0.2, vatGroup: 'GROUP_B' }];
    const id = await newOrder(shopId, { lineItems }, minor.call);

    const { body } = await minor.read(`/orders/${id}`);

    expect(body).toMatchObject({ total: 3765, accountingTotal: 3765, accountingVat: 628, lineItems: [{ price: 1290, vatRate: 0.2, subtotal: 3765 }] });
  });

  test('are found by shop, month, internalId and internalNumber, and by all of them together', async () => {
    // The file of October is still open.
    clock = new Date('2026-11-10T10:00:00.000Z');
    const [shopId, other] = [await newShop(), await newShop({ companyUic: '208149507' })];
    const internalCreatedAt = '2026-11-09T10:00:00Z';
    const a = await newOrder(shopId, { internalId: 'a', internalNumber: '#1', internalCreatedAt });
    const b = await newOrder(shopId, { internalId: 'b', internalNumber: '#1', internalCreatedAt: '2026-10-31T21:59:59Z' });
    const c = await newOrder(other, { internalId: 'a', internalNumber: '#2', internalCreatedAt });

    const found = async (query: string) => idsOf((await read(`/orders?${query}`)).body).sort();

    expect(await found('')).toEqual([a, b, c].sort());
    expect(await found(`shopId=${shopId}`)).toEqual([a, b].sort());
    expect(await found(`shopId=${shopId.toUpperCase()}&month=2026-11`)).toEqual([a]);
    expect(await found('month=2026-10')).toEqual([b]);
    expect(await found('internalId=a')).toEqual([a, c].sort());
    expect(await found('internalNumber=%231')).toEqual([a, b].sort());
    expect(await found(`shopId=${other}&month=2026-11&internalId=a&internalNumber=%232`)).toEqual([c]);
    expect(await found('internalId=c')).toEqual([]);
  });
});

describe('paging', () => {
  test('gives each order once, in order of creation, while others are created and deleted', async () => {
    const shopId = await newShop();
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      // Pairs share a moment, so that the id decides.
      clock = new Date(Date.UTC(2026, 10, 20, 10, Math.floor(i / 2)));
      ids.push(await newOrder(shopId, { internalId: String(i) }));
    }

    const { ids: all, parts } = await readAll('/orders?limit=3');
    const { body: first } = await read('/orders?limit=3');
    const [, , last] = idsOf(first);
    await call('DELETE', `/order/${String(last)}`);
    clock = new Date('2026-11-20T12:00:00.000Z');
    const late = await newOrder(shopId, { internalId: 'late' });
    const { body: rest } = await read(`/orders?limit=100&after=${String(first['next'])}`);

    expect(parts).toBe(3);
    expect([...all].sort()).toEqual([...ids].sort());
    expect([...idsOf(first), ...idsOf(rest)]).toEqual([...all, late]);
    expect(rest['next']).toBeNull();
  });

  test('ends without a last empty part', async () => {
    for (let i = 0; i < 4; i += 1) await newShop();

    expect((await readAll('/shops?limit=2')).parts).toBe(2);
    expect(idsOf((await read('/shops?limit=1')).body)).toHaveLength(1);
  });

  test('returns 50 at a time by default, 100 at most', async () => {
    const shopId = await newShop();
    await Promise.all(Array.from({ length: 101 }, (_, i) => newOrder(shopId, { internalId: `p${i}` })));

    const usual = await read('/orders');
    const most = await read('/orders?limit=100');

    expect([idsOf(usual.body).length, idsOf(most.body).length]).toEqual([50, 100]);
    expect(idsOf((await read(`/orders?after=${String(most.body['next'])}`)).body)).toHaveLength(1);
  });
});
