import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { unknownShops } from '../../../src/service/keys/api-keys.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type Read, readerOf } from '../../support/worlds/reader.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-20T10:00:00.000Z');

let postgres: TestPostgres;
let server: ComplianceServer;
let clock = START;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  clock = START;
  server = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service'), now: () => new Date(clock) });
  return () => server[Symbol.asyncDispose]();
});
afterAll(() => postgres[Symbol.asyncDispose]());

type Client = { call: Call; read: Read };
const clientOf = (key: { apiKey: string; apiSecret: string }): Client => ({ call: callerOf(server.baseUrl, key), read: readerOf(server.baseUrl, key) });
const status = async (call: Call): Promise<number> => (await call('DELETE', `/order/${randomUUID()}`)).status;
const whole = [{ name: 'Чаша', quantity: 1, price: 1200, vatRate: 20, vatGroup: 'GROUP_B' }];
const text = (value: unknown): string => String(value);

async function madeOne<T>(made: Promise<T | null>): Promise<T> {
  const one = await made;
  if (one === null) throw new Error('no key was made');
  return one;
}

/** A shop with an order and its receipt, by the first key of an owner; and the other keys. */
async function tenant() {
  const first = await server.service.keys.create({ multiShop: true });
  const { call } = clientOf(first);
  const shopId = text((await call('POST', '/shop', { body: shopDto() })).body['id']);
  const orderId = text((await call('POST', '/order', { body: orderDto(shopId), headers: { 'idempotency-key': 'k1' } })).body['id']);
  const receiptId = text((await call('POST', `/order/${orderId}/receipt`)).body['id']);
  const second = clientOf(await madeOne(server.service.keys.add(first.id, { multiShop: true, amounts: 'minor' })));
  return { first, call, shopId, orderId, receiptId, second, stranger: clientOf(await server.service.keys.create({ multiShop: true })) };
}

describe('keys of one owner', () => {
  test('each reaches every shop, order, receipt and file of the owner, and another owner’s key reaches none', async () => {
    const { shopId, orderId, receiptId, second, stranger } = await tenant();
    const paths = [
      ...[`/shops/${shopId}`, `/orders/${orderId}`, `/receipts/${receiptId}`, `/orders/${orderId}/receipt`],
      ...[`/orders?shopId=${shopId}`, `/receipts?shopId=${shopId}`, `/audit-files?shopId=${shopId}`],
    ];

    for (const path of paths) {
      expect([path, (await second.read(path)).status, (await stranger.read(path)).status]).toEqual([path, 200, 404]);
    }
    for (const list of ['/shops', '/orders', '/receipts']) {
      expect((await second.read(list)).body['items']).toHaveLength(1);
      expect((await stranger.read(list)).body['items']).toEqual([]);
    }
    const changes = async ({ call }: Client) => [
      (await call('PUT', `/shop/${shopId}`, { body: { name: 'Чаши' } })).status,
      (await call('POST', '/order', { body: orderDto(shopId, { internalId: randomUUID(), lineItems: whole }) })).status,
      (await call('POST', `/order/${orderId}/receipt`)).status,
      (await call('DELETE', `/order/${orderId}`)).status,
      (await call('DELETE', `/shop/${shopId}`, { body: { name: 'Чаши' } })).status,
    ];
    expect(await changes(stranger)).toEqual([404, 404, 404, 404, 404]);
    expect(await changes(second)).toEqual([200, 200, 200, 200, 200]);
  });

  test('each speaks as it was made', async () => {
    const { orderId, second } = await tenant();

    expect((await second.read(`/orders/${orderId}`)).body).toMatchObject({ total: 5945 });
  });

  test('share the company, and the one shop of keys for one', async () => {
    const first = await server.service.keys.create({ multiShop: false });
    const second = await madeOne(server.service.keys.add(first.id, { multiShop: false }));

    const answers = [await clientOf(first).call('POST', '/shop', { body: shopDto() }), await clientOf(second).call('POST', '/shop', { body: shopDto() })];

    expect(answers.map((one) => one.status)).toEqual([200, 403]);
  });

  test('are made from any key of the owner, and from no unknown one', async () => {
    const { first, shopId } = await tenant();
    const second = await madeOne(server.service.keys.add(first.id, { multiShop: false }));

    const third = await madeOne(server.service.keys.add(second.id, { multiShop: true }));

    expect((await clientOf(third).read(`/shops/${shopId}`)).status).toBe(200);
    expect(await server.service.keys.add(randomUUID(), { multiShop: true })).toBeNull();
    const owners = (await server.service.keys.list()).filter(({ id }) => [first.id, second.id, third.id].includes(id)).map(({ ownerId }) => ownerId);
    expect(owners).toEqual([first.id, first.id, first.id]);
  });

  test('a revoked first key leaves the others everything', async () => {
    const { first, shopId, second } = await tenant();

    await server.service.keys.revoke(first.id);

    expect((await second.read(`/shops/${shopId}`)).status).toBe(200);
  });
});

describe('D9: a key is rotated', () => {
  test('both keys are live for 24 hours, then the new one alone', async () => {
    const { first, call, shopId } = await tenant();

    const rotated = await madeOne(server.service.keys.rotate(first.id));
    const next = clientOf(rotated);

    expect(rotated.endsAt).toBe('2026-11-21T10:00:00.000Z');
    expect([await status(call), await status(next.call)]).toEqual([404, 404]);
    clock += 24 * HOUR - 1;
    expect([await status(call), await status(next.call)]).toEqual([404, 404]);
    clock += 1;
    expect([await status(call), await status(next.call)]).toEqual([401, 404]);
    expect((await next.read(`/shops/${shopId}`)).status).toBe(200);
    expect(await server.service.keys.rotate(first.id)).toBeNull();
  });

  test('a server of another process takes the new key at once, and refuses the old one after its end', async () => {
    const { first, call } = await tenant();
    await using twin = await startComplianceServer({ databaseUrl: databaseUrl(), sealing: server.sealing, now: () => new Date(clock) });
    const there = callerOf(twin.baseUrl, first);
    expect(await status(there)).toBe(404);

    const rotated = await madeOne(server.service.keys.rotate(first.id));

    expect(await status(callerOf(twin.baseUrl, rotated))).toBe(404);
    clock += 24 * HOUR;
    expect([await status(there), await status(call)]).toEqual([401, 401]);
  });

  test('a create that is repeated with the new key is replayed, not recorded twice', async () => {
    const { first, shopId, orderId } = await tenant();

    const { call } = clientOf(await madeOne(server.service.keys.rotate(first.id)));
    const repeated = await call('POST', '/order', { body: orderDto(shopId), headers: { 'idempotency-key': 'k1' } });

    expect(repeated).toMatchObject({ status: 200, body: { id: orderId } });
    expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    expect(await server.service.records({ shopId })).toHaveLength(1);
  });

  test('the new key speaks and may do what the old one did', async () => {
    const old = await server.service.keys.create({ multiShop: false, label: 'shop', amounts: 'minor', signatureEmptyBody: 'omit' });
    await clientOf(old).call('POST', '/shop', { body: shopDto() });

    const rotated = await madeOne(server.service.keys.rotate(old.id));

    const listed = (await server.service.keys.list()).filter(({ ownerId }) => ownerId === old.id);
    expect(listed).toMatchObject([
      { id: old.id, endsAt: rotated.endsAt, label: 'shop', multiShop: false },
      { id: rotated.id, endsAt: null, label: 'shop', multiShop: false, dialect: { amounts: 'minor', signatureEmptyBody: 'omit' } },
    ]);
    expect((await clientOf(rotated).call('POST', '/shop', { body: shopDto() })).status).toBe(403);
    expect(JSON.stringify(listed)).not.toContain(rotated.apiSecret);
  });

  test('a leaked key is ended sooner by revoking it, and a second rotation gives it no more time', async () => {
    const { first, call } = await tenant();
    const rotated = await madeOne(server.service.keys.rotate(first.id));
    clock += HOUR;
    const again = await madeOne(server.service.keys.rotate(first.id));

    expect(again.endsAt).toBe(rotated.endsAt);
    await server.service.keys.revoke(first.id);
    expect([await status(call), await status(clientOf(again).call)]).toEqual([401, 404]);
  });

  test('the verdict on a connection’s shop knows the owner, and a key that has ended', async () => {
    const { first, shopId } = await tenant();
    const rotated = await madeOne(server.service.keys.rotate(first.id));
    await server.pool.query(`update compliance.api_keys set ends_at = now() - interval '1 second' where id = $1`, [first.id]);

    const verdicts = await unknownShops(
      server.pool,
      [first, rotated].map(({ apiKey }) => ({ apiKey, shopId })),
    );

    expect(verdicts).toEqual(['key', null]);
  });
});

function databaseUrl(): string {
  return text(server.pool.options.connectionString);
}
