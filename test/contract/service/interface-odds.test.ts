import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let extension: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => new Date('2026-11-21T10:00:00Z') });
  const key = await sharingKey(server, { multiShop: true });
  call = callerOf(server.baseUrl, key);
  extension = callerOf(server.baseUrl, key, '/service/v1');
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const notFound = 'urn:compliance-service:problem:not-found';

describe('service F12: one fault is one error, in words of the interface', () => {
  test('a code that is none', async () => {
    const months = [{ month: '2026-11', orders: 1, total: '1.00', currency: 'EUR', oldest: '2026-11-20T10:00:00Z', codes: { X: 1 } }];

    const { body } = await extension('PUT', `/shops/${shopId}/outstanding`, { body: { at: '2026-11-21T10:00:00Z', months } });

    expect(body['errors']).toEqual([{ path: 'months[0].codes.X', message: 'must be a code such as payment.unmapped' }]);
  });

  test('a choice that is missing', async () => {
    const lineItems = [{ name: 'Чаша', quantity: 1, price: 1, vatRate: 20 }];

    const { body } = await call('POST', '/order', { body: orderDto(shopId, { paymentType: undefined, lineItems }) });

    expect(body['errors']).toEqual([
      { path: 'lineItems[0].vatGroup', message: 'is required' },
      { path: 'paymentType', message: 'is required' },
    ]);
  });

  test.each([
    [{ nam: 'x' }, [{ path: 'nam', message: 'is not a known field' }]],
    [{}, [{ path: '', message: 'must name at least one field to change' }]],
    [{ domain: '' }, [{ path: 'domain', message: 'must not be empty' }]],
  ])('a change of a shop: %j', async (body, errors) => {
    expect((await call('PUT', `/shop/${shopId}`, { body })).body['errors']).toEqual(errors);
  });
});

describe('service F12: an address that is none', () => {
  test.each(['/public-api/v2/order', '/public-api', '/service/v2/orders'])('%s has a problem of the interface', async (path) => {
    const response = await fetch(`${server.baseUrl}${path}`);

    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(await response.json()).toMatchObject({ type: notFound, status: 404 });
  });

  test.each(['/openapi.json', '/openapi'])('%s takes no POST', async (path) => {
    const response = await fetch(`${server.baseUrl}${path}`, { method: 'POST' });

    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await fetch(`${server.baseUrl}${path}`, { method: 'HEAD' })).status).toBe(200);
  });
});

test('service F12: each pattern of the document is one that any dialect of regular expressions reads', async () => {
  const text = await (await fetch(`${server.baseUrl}/openapi.json`)).text();
  const patterns = [...text.matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)].map(([, pattern = '""']) => z.string().parse(JSON.parse(pattern)));

  expect(patterns.length).toBeGreaterThan(5);
  for (const pattern of patterns) {
    expect(pattern).not.toMatch(/\\[pPuk]|\(\?</);
    // Without the flag u, as most other dialects.
    const read = new RegExp(pattern);
    if (pattern.startsWith('^(https?'))
      for (const domain of ['cups.example', 'https://чаши.бг/a?b', 'cups.example:8443/x', 'a-b.c-d.example']) expect(domain).toMatch(read);
  }
});

test('service F12: deleting a shop names the months whose file was made and not filed', async () => {
  const id = String((await call('POST', '/shop', { body: shopDto({ name: 'За изтриване' }) })).body['id']);
  await server.pool.query(
    `insert into compliance.audit_months (shop_id, month, state) values ($1, '2026-09-01', 'filed'), ($1, '2026-10-01', 'generated'), ($1, '2026-11-01', 'open')`,
    [id],
  );

  const { body } = await call('DELETE', `/shop/${id}`, { body: { name: 'За изтриване' } });

  expect(body['warnings']).toEqual([{ path: 'id', message: expect.stringContaining('2026-10') }]);
});

test('service F12: the figures of a blocked month say how many orders are in no sum', async () => {
  await call('POST', '/order', { body: orderDto(shopId, { internalId: 'a', transactionId: 'pi_a' }) });
  await call('POST', '/order', { body: orderDto(shopId, { internalId: 'b', transactionId: 'pi_b', currency: 'CHF' }) });

  const { body } = await extension('GET', `/shops/${shopId}/months/2026-11`);

  expect(body).toMatchObject({ situation: { kind: 'blocked' }, figures: { orders: 2, withoutRate: 1, total: '59.45' } });
});
