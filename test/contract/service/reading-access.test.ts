import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewKey } from '../../../src/service/keys/api-keys.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, dialectWith, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type Read, readerOf } from '../../support/worlds/reader.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let read: Read;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
});
beforeEach(async () => {
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

const cursor = (createdAt: string) => Buffer.from(`${createdAt}/${NIL}`).toString('base64url');

describe('a wrong query parameter is 400 and named', () => {
  test.each([
    ['/orders?limit=0', 'limit', 'must be a whole number from 1 to 100'],
    ['/orders?limit=101', 'limit', 'must be a whole number from 1 to 100'],
    ['/shops?limit=ten', 'limit', 'must be a whole number from 1 to 100'],
    ['/orders?after=abc', 'after', 'must be the next of an earlier answer'],
    [`/orders?after=${cursor('2026-02-30T00:00:00.000000Z')}`, 'after', 'must be the next of an earlier answer'],
    [`/orders?after=${cursor('0000-01-01T00:00:00.000000Z')}`, 'after', 'must be the next of an earlier answer'],
    ['/orders?month=2026-13', 'month', 'must be a month such as 2026-10'],
    ['/audit-files?month=10', 'month', 'must be a month such as 2026-10'],
    ['/orders?shopId=42', 'shopId', 'must be a UUID'],
    ['/orders?shop=42', 'shop', 'is not a known field'],
    ['/shops?month=2026-10', 'month', 'is not a known field'],
    ['/orders?internalId=1&internalId=2', 'internalId', 'must be a string'],
  ])('%s', async (path, field, message) => {
    expect(await read(path)).toMatchObject({
      status: 400,
      body: { type: 'urn:compliance-service:problem:request-invalid', errors: [{ path: field, message }] },
    });
  });
});

describe('who may read', () => {
  test('only the caller’s own data is found', async () => {
    const shopId = await newShop();
    const orderId = await newOrder(shopId);
    const stranger = await newKey();

    const answers = await Promise.all([`/shops/${shopId}`, `/orders/${orderId}`, `/orders?shopId=${shopId}`].map((path) => stranger.read(path)));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await stranger.read('/shops')).body).toEqual({ items: [], next: null });
    expect((await stranger.read('/orders')).body).toEqual({ items: [], next: null });
  });

  test.each([`/shops/${NIL}`, '/shops/42', `/orders/${NIL}`, '/orders/42', `/orders?shopId=${NIL}`, '/nothing', '/', '/orders/%E0%A4%A'])(
    '%s is not there',
    async (path) => {
      expect(await read(path)).toMatchObject({ status: 404, body: { type: 'urn:compliance-service:problem:not-found' } });
    },
  );

  test('the empty body is signed, or not at all if the key was created that way', async () => {
    const omit = await newKey({ multiShop: true, signatureEmptyBody: 'omit' });
    const sha512 = await newKey({ multiShop: true, signatureAlgorithm: 'sha512', signatureEncoding: 'base64' });

    expect((await read('/shops', { signed: false })).status).toBe(401);
    expect((await read('/shops', { headers: { 'x-signature': 'wrong' } })).status).toBe(401);
    expect((await omit.read('/shops', { signed: false })).status).toBe(200);
    expect((await omit.read('/shops')).status).toBe(200);
    expect((await sha512.read('/shops')).status).toBe(401);
    expect((await sha512.read('/shops', { dialect: dialectWith({ signatureAlgorithm: 'sha512', signatureEncoding: 'base64' }) })).status).toBe(200);
  });

  test('nothing can be changed here', async () => {
    const answer = await read('/shops', { method: 'POST' });

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await read('/shops', { method: 'HEAD' })).toMatchObject({ status: 200, bytes: Buffer.alloc(0) });
  });

  test('an injected fault can be meant for reads', async () => {
    server.service.faultInjection.set([{ on: 'read', do: 'status', status: 502 }]);

    expect([(await read('/shops')).status, (await read('/shops')).status]).toEqual([502, 200]);
  });
});
