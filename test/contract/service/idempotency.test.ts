import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { until } from '../../support/worlds/settled.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const DAY_MS = 24 * 3_600_000;

let postgres: TestPostgres;
let server: ComplianceServer;
let clock: Date;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => clock });
});
beforeEach(async () => {
  clock = new Date('2026-11-20T10:00:00.000Z');
  [call, shopId] = await newShop();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function newShop(): Promise<[Call, string]> {
  const by = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));
  const { body } = await by('POST', '/shop', { body: shopDto() });
  return [by, String(body['id'])];
}

function create(key: string, changes: Record<string, unknown> = {}, by = call) {
  return by('POST', '/order', { body: orderDto(shopId, changes), headers: { 'idempotency-key': key } });
}

describe('the same key with the same order', () => {
  test('gets the stored answer, marked as replayed', async () => {
    const first = await create('k');
    clock = new Date('2026-11-21T10:00:00.000Z');

    const again = await create('k');

    expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true']);
    const { customer, ...fiscal } = first.body;
    expect(customer).toEqual(orderDto(shopId).customer);
    expect(again).toMatchObject({ status: 200, body: fiscal });
    expect(again.body).not.toHaveProperty('customer');
    expect(await server.service.records({ shopId })).toHaveLength(1);
  });

  test('is replayed even if the order was deleted since', async () => {
    const first = await create('k');
    await call('DELETE', `/order/${String(first.body['id'])}`);

    const again = await create('k');

    expect(again).toMatchObject({ status: 200, body: { id: first.body['id'] } });
    expect(await server.service.records({ shopId })).toEqual([]);
  });

  test('is the same in any notation of its amounts and order of its fields', async () => {
    const { shopId: id, ...rest } = orderDto(shopId);
    const first = await create('k');

    const again = await call('POST', '/order', {
      body: JSON.stringify({ shopId: id, ...rest })
        .replace('12.9,', '12.900,')
        .replace('"quantity":3', '"quantity":3.0'),
      headers: { 'idempotency-key': 'k' },
    });

    expect([again.status, again.body['id']]).toEqual([200, first.body['id']]);
  });

  test.each([{ customer: undefined }, { customer: { email: 'other@buyer.example' } }])('is the same with another buyer: %j', async (changes) => {
    const first = await create('k');

    const again = await create('k', changes);

    expect([again.status, again.body['id']]).toEqual([200, first.body['id']]);
  });

  test('sent several times at once, all get the same order', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create('twin')));

    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
    expect(await server.service.records({ shopId })).toHaveLength(1);
  });

  test('a repeat that comes while the first is not committed waits for it', async () => {
    const blocker = await server.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table compliance.orders in share mode');
    const [first, second] = [create('k'), create('k')];

    await waitingBackends(2);
    await blocker.query('commit');
    blocker.release();

    const answers = await Promise.all([first, second]);
    expect(answers[0]?.body['id']).toBe(answers[1]?.body['id']);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('survives a restart of the service', async () => {
    const created = await sharingKey(server, { multiShop: true });
    const before = callerOf(server.baseUrl, created);
    shopId = String((await before('POST', '/shop', { body: shopDto() })).body['id']);
    const first = await create('k', {}, before);

    const other = await startComplianceServer({ databaseUrl: postgres.url, sealing: server.sealing });
    await using _ = other;

    expect((await create('k', {}, callerOf(other.baseUrl, created))).body['id']).toBe(first.body['id']);
  });
});

async function waitingBackends(count: number): Promise<void> {
  const waiting = async () =>
    (await server.pool.query<{ n: number }>(`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`)).rows[0]?.n ?? 0;
  await until(async () => (await waiting()) >= count, { what: `${count} creates that wait` });
}

describe('the same key with something else', () => {
  test.each([
    { internalNumber: '#1043' },
    { internalId: '5002' },
    { transactionId: 'pi_2' },
    { currency: 'BGN' },
    { lineItems: [{ name: 'Чаша', quantity: 3, price: 12.9, discount: 1.06, vatRate: 20, vatGroup: 'GROUP_B' }] },
  ])('is 422: %j', async (changes) => {
    await create('k');

    expect(await create('k', changes)).toMatchObject({ status: 422, body: { type: 'urn:compliance-service:problem:idempotency-key-reused' } });
    expect(await server.service.records({ shopId })).toHaveLength(1);
  });

  test('another API key may use it: each has its own keys', async () => {
    await create('k');
    const [other, otherShop] = await newShop();

    expect((await create('k', { shopId: otherShop, internalNumber: '#1043' }, other)).headers.get('idempotency-replayed')).toBeNull();
  });
});

test('without a key a repeated order is a conflict', async () => {
  await call('POST', '/order', { body: orderDto(shopId) });

  expect((await call('POST', '/order', { body: orderDto(shopId) })).status).toBe(409);
});

test('a conflict is not stored: when the recorded order is deleted, the same key creates', async () => {
  const first = await create('first');
  const conflict = await create('second');
  await call('DELETE', `/order/${String(first.body['id'])}`);

  const after = await create('second');

  expect([conflict.status, after.status]).toEqual([409, 200]);
  expect(after.headers.get('idempotency-replayed')).toBeNull();
});

test.each(['', 'x'.repeat(256)])('a key of no or too many characters is 400', async (key) => {
  expect(await create(key)).toMatchObject({ status: 400, body: { type: 'urn:compliance-service:problem:request-invalid' } });
});

test('a key of 255 characters is fine', async () => {
  expect((await create('x'.repeat(255))).status).toBe(200);
});

test('keys are kept for 90 days, then forgotten a few with each new one', async () => {
  await using own = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service'), now: () => clock });
  const by = callerOf(own.baseUrl, await own.service.keys.create({ multiShop: true }));
  shopId = String((await by('POST', '/shop', { body: shopDto() })).body['id']);
  for (const i of [1, 2, 3]) await create(`old-${i}`, { internalId: `old-${i}` }, by);
  clock = new Date(clock.getTime() + 89 * DAY_MS);
  const inTime = await create('old-1', { internalId: 'old-1' }, by);
  clock = new Date(clock.getTime() + 2 * DAY_MS);

  await create('new-1', { internalId: 'new-1' }, by);
  const afterOne = await keptKeys(own);
  await create('new-2', { internalId: 'new-2' }, by);

  expect(inTime.headers.get('idempotency-replayed')).toBe('true');
  expect(afterOne).toEqual(['new-1', 'old-3']);
  expect(await keptKeys(own)).toEqual(['new-1', 'new-2']);
});

async function keptKeys({ pool }: ComplianceServer): Promise<string[]> {
  const { rows } = await pool.query<{ key: string }>('select key from compliance.idempotency_keys order by key');
  return rows.map(({ key }) => key);
}
