import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { until } from '../../support/worlds/settled.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => new Date('2027-08-20T10:00:00Z') });
  call = callerOf(server.baseUrl, await server.service.keys.create({ multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

describe('D18: a time of ISO 8601 with an offset is read into the form of RFC 3339', () => {
  test.each([
    ['2026-11-20T10:00:00+0200', '2026-11-20T10:00:00+02:00'],
    ['2026-11-20T10:00:00+03', '2026-11-20T10:00:00+03:00'],
    ['2027-08-01T10:00+03:00', '2027-08-01T10:00:00+03:00'],
    ['2027-08-01T10:00Z', '2027-08-01T10:00:00Z'],
    ['2027-08-01T10:00-0330', '2027-08-01T10:00:00-03:30'],
    ['2027-08-01T10:00:00.123Z', '2027-08-01T10:00:00.123Z'],
    ['2027-08-01T10:00', '2027-08-01T10:00'],
  ])('%s', async (sent, read) => {
    const { status, body } = await call('POST', '/order', { body: orderDto(shopId, { internalId: sent, internalNumber: sent, internalCreatedAt: sent }) });

    expect({ status, at: body['internalCreatedAt'] }).toEqual({ status: 200, at: read });
  });

  test.each(['2027-08-01', '2027-08-01T25:00+0300', '2027-08-01T10:00:00+3', '2027-02-30T10:00:00+0200', '20270801T100000Z'])('%s is none', async (sent) => {
    const { status } = await call('POST', '/order', { body: orderDto(shopId, { internalId: sent, internalCreatedAt: sent }) });

    expect(status).toBe(400);
  });

  test('and its day is that of Bulgaria', async () => {
    await call('POST', '/order', { body: orderDto(shopId, { internalId: 'night', internalNumber: '#night', internalCreatedAt: '2027-07-31T23:30+0000' }) });

    const { rows } = await server.pool.query(`select to_char(month, 'YYYY-MM') as month from compliance.orders where internal_id = 'night'`);
    expect(rows).toEqual([{ month: '2027-08' }]);
  });
});

describe('D19: a shop', () => {
  test('may have mail under a domain in Cyrillic, which is kept as it is written', async () => {
    const mails = { customerEmail: 'shop@поща.бг', auditRecipientEmails: ['books@сметки.бг'] };

    expect(await call('POST', '/shop', { body: shopDto(mails) })).toMatchObject({ status: 200, body: mails });
  });

  test.each(['shop@поща .бг', 'shop@поща.бг/x', 'shop@поща.бг:25', 'shop@@поща.бг', '@поща.бг', 'поща.бг', 'shop@поща', 'Иван@поща.бг'])(
    'may not have mail at %s',
    async (address) => {
      expect(await call('POST', '/shop', { body: shopDto({ customerEmail: address }) })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'customerEmail' }] },
      });
    },
  );

  test('may write its phone with spaces and hyphens', async () => {
    const { status, body } = await call('POST', '/shop', { body: shopDto({ customerPhone: '+359 888 12-34 56' }) });

    expect({ status, phone: body['customerPhone'] }).toEqual({ status: 200, phone: '+359888123456' });
  });
});

test('D19: deleting a shop counts the orders that were being recorded', async () => {
  const { body } = await call('POST', '/shop', { body: shopDto({ name: 'Бърз' }) });
  const id = String(body['id']);
  await call('POST', '/order', { body: orderDto(id, { internalId: 'first' }) });
  const other = await server.pool.connect();
  await other.query('begin');
  const late = `{"id": "${randomUUID()}", "internal_id": "second", "document_number": 77}`;
  await other.query('insert into compliance.orders select (jsonb_populate_record(o, $2)).* from compliance.orders o where o.shop_id = $1', [id, late]);

  const deleting = call('DELETE', `/shop/${id}`, { body: { name: 'Бърз' } });
  await until(
    async () => (await server.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`)).rowCount === 1,
    {
      what: 'the delete to wait',
    },
  );
  await other.query('commit');
  other.release();

  expect(await deleting).toMatchObject({ status: 200, body: { deletedOrders: 2 } });
});

describe('D14: creating a shop with an Idempotency-Key', () => {
  const create = (key: string, changes: Record<string, unknown> = {}) => call('POST', '/shop', { body: shopDto(changes), headers: { 'idempotency-key': key } });
  const shops = async () => Number((await server.pool.query('select count(*)::int as n from compliance.shops')).rows[0]?.n);

  test('makes one shop however often it is sent, twins included', async () => {
    const before = await shops();

    const twins = await Promise.all(Array.from({ length: 5 }, () => create('new-shop')));
    const again = await create('new-shop');

    expect(new Set([...twins, again].map(({ status, body }) => `${status} ${body['id']}`)).size).toBe(1);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(twins.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await shops()).toBe(before + 1);
  });

  test('answers with the shop as it is now', async () => {
    const { body } = await create('changed');
    await call('PUT', `/shop/${String(body['id'])}`, { body: { companyName: 'Нови чаши ЕООД' } });

    expect(await create('changed')).toMatchObject({ status: 200, body: { id: body['id'], companyName: 'Нови чаши ЕООД' } });
  });

  test('makes no second shop after the first was deleted', async () => {
    const { body } = await create('deleted', { name: 'Кратък' });
    await call('DELETE', `/shop/${String(body['id'])}`, { body: { name: 'Кратък' } });
    const before = await shops();

    expect(await create('deleted', { name: 'Кратък' })).toMatchObject({
      status: 404,
      body: { code: 'not-found', detail: expect.stringContaining('was deleted; use a new key') },
    });
    expect(await shops()).toBe(before);
  });

  test('is refused for another shop, and for a key of an order', async () => {
    await create('mine');
    await call('POST', '/order', { body: orderDto(shopId, { internalId: 'o1' }), headers: { 'idempotency-key': 'of-an-order' } });

    const refused = await Promise.all([create('mine', { name: 'Друг' }), create('of-an-order')]);
    const crossed = await call('POST', '/order', { body: orderDto(shopId, { internalId: 'o2' }), headers: { 'idempotency-key': 'mine' } });

    for (const { status, body } of [...refused, crossed]) {
      expect({ status, type: body['type'] }).toEqual({ status: 422, type: 'urn:compliance-service:problem:idempotency-key-reused' });
    }
  });

  test('that was refused leaves the key free', async () => {
    expect((await create('first-wrong', { customerEmail: 'nobody' })).status).toBe(400);
    expect(await create('first-wrong')).toMatchObject({ status: 200 });
  });
});
