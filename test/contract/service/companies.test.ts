import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssuedKey } from '../../../src/service/keys/api-keys.ts';
import { grantMerchant } from '../../../src/service/keys/company-owners.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Answered, type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

const UIC = '206770508';
const BRANCH = '2067705080005';
const OTHER = '131071587';
const claimed = { status: 422, body: { type: 'urn:compliance-service:problem:company-claimed' } };

type Tenant = IssuedKey & { call: Call };

let postgres: TestPostgres;
let server: ComplianceServer;
let merchant: Tenant;
let stranger: Tenant;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  server = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service') });
  [merchant, stranger] = [await newTenant(), await newTenant()];
  return () => server[Symbol.asyncDispose]();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function newTenant(): Promise<Tenant> {
  const issued = await server.service.keys.create({ multiShop: true });
  return { ...issued, call: callerOf(server.baseUrl, issued) };
}

const shopOf = ({ call }: Tenant, changes: Record<string, unknown> = {}): Promise<Answered> => call('POST', '/shop', { body: shopDto(changes) });
const numberOf = async ({ call }: Tenant, shop: Answered, internalId: string): Promise<unknown> =>
  (await call('POST', '/order', { body: orderDto(String(shop.body['id']), { internalId }) })).body['documentNumber'];
const grant = ({ id }: Tenant, { move = false } = {}) =>
  grantMerchant(server.pool, { keyId: id, merchant: UIC, move, now: new Date(), said: { by: 'cli:test@host' } });

describe('a company belongs to the owner whose key used its number first', () => {
  test('D7: another key can’t begin the sequence at its end, so that the company’s first order gets its number', async () => {
    const shop = await shopOf(merchant);

    const attack = await shopOf(stranger, { receiptStartNumber: 9_000_000_000 });

    expect(attack).toMatchObject(claimed);
    expect(await numberOf(merchant, shop, '1')).toBe('0000000001');
  });

  test('D7: another key can take no number out of the sequence, neither by a new shop nor by moving one', async () => {
    const shop = await shopOf(merchant);
    await numberOf(merchant, shop, '1');
    const own = await shopOf(stranger, { companyUic: OTHER });

    const attacks = [
      await shopOf(stranger),
      await shopOf(stranger, { receiptStartNumber: 1 }),
      await stranger.call('PUT', `/shop/${String(own.body['id'])}`, { body: { companyUic: UIC } }),
    ];

    for (const attack of attacks) expect(attack).toMatchObject(claimed);
    expect((await server.pool.query('select details ->> $1 as uic from compliance.shops order by created_at', ['companyUic'])).rows).toEqual([
      { uic: UIC },
      { uic: OTHER },
    ]);
    expect(await numberOf(merchant, shop, '2')).toBe('0000000002');
  });

  test('a branch is the same company', async () => {
    await shopOf(merchant);

    expect(await shopOf(stranger, { companyUic: BRANCH })).toMatchObject(claimed);
    expect((await shopOf(merchant, { companyUic: BRANCH })).status).toBe(200);
  });

  test('security 2: the answer names the key that the operator would let in, and says nothing of the owner or their numbers', async () => {
    const shop = await shopOf(merchant, { name: 'Тайна', receiptStartNumber: 47 });
    await numberOf(merchant, shop, '1');

    const { body } = await shopOf(stranger);

    expect(body['detail']).toBe(
      `this companyUic is in use by another owner of keys; if the company is yours, ask the operator of this service for \`orderbridge service keys grant ${stranger.id} ${UIC}\``,
    );
    expect(JSON.stringify(body)).not.toMatch(/Тайна|0000000048|cups\.example/);
    expect(JSON.stringify(body)).not.toContain(merchant.id);
  });

  test('security 2: whether another owner’s shop has a number of the agency is not told', async () => {
    await shopOf(merchant);

    const { body } = await shopOf(stranger, { companyUic: OTHER, receiptStartNumber: 1 });
    const { body: own } = await shopOf(merchant);

    expect(body['warnings']).toEqual([]);
    expect(own['warnings']).toContainEqual({ path: 'nraNumber', message: expect.stringContaining('another shop here') });
  });

  test('of owners that claim it at the same moment one gets it, with all its shops', async () => {
    const tenants = await Promise.all(Array.from({ length: 5 }, newTenant));

    const answers = await Promise.all(tenants.flatMap((tenant) => [shopOf(tenant), shopOf(tenant)]));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(8).fill(422)]);
    expect((await server.pool.query('select distinct api_key_id from compliance.shops')).rowCount).toBe(1);
  });

  test('a refused shop leaves nothing, so that a key for one may create another', async () => {
    await shopOf(merchant);
    const single = await server.service.keys.create({ multiShop: false });
    const call = callerOf(server.baseUrl, single);

    const refused = await call('POST', '/shop', { body: shopDto() });
    const own = await call('POST', '/shop', { body: shopDto({ companyUic: OTHER }) });

    expect([refused.status, own.status]).toEqual([422, 200]);
  });

  test('an update that is refused claims nothing', async () => {
    const shop = await shopOf(merchant);
    await numberOf(merchant, shop, '1');

    const sold = await merchant.call('PUT', `/shop/${String(shop.body['id'])}`, { body: { companyUic: OTHER } });
    const unknown = await merchant.call('PUT', `/shop/${stranger.id}`, { body: { companyUic: OTHER } });

    expect([sold.status, unknown.status]).toEqual([400, 404]);
    expect((await shopOf(stranger, { companyUic: OTHER })).status).toBe(200);
  });
});

describe('F2: a claim without a recorded order', () => {
  const remove = ({ call }: Tenant, { body }: Answered) => call('DELETE', `/shop/${String(body['id'])}`, { body: { name: shopDto().name } });
  const moveTo = ({ call }: Tenant, { body }: Answered, companyUic: string) => call('PUT', `/shop/${String(body['id'])}`, { body: { companyUic } });

  test('lapses with its last shop', async () => {
    const [first, second] = [await shopOf(stranger), await shopOf(stranger, { companyUic: BRANCH })];
    await remove(stranger, first);
    expect(await shopOf(merchant)).toMatchObject(claimed);

    await remove(stranger, second);

    expect((await shopOf(merchant)).status).toBe(200);
    expect(await shopOf(stranger)).toMatchObject(claimed);
  });

  test('lapses when its shop moves to another company, so that a key for one shop holds one', async () => {
    const single = await server.service.keys.create({ multiShop: false });
    const squatter = { ...single, call: callerOf(server.baseUrl, single) };
    const shop = await shopOf(squatter);
    for (const uic of [OTHER, '831641791', '208149507']) expect((await moveTo(squatter, shop, uic)).status).toBe(200);

    for (const uic of [UIC, OTHER, '831641791']) expect((await shopOf(merchant, { companyUic: uic })).status).toBe(200);
    expect(await shopOf(merchant, { companyUic: '208149507' })).toMatchObject(claimed);
  });

  test('stays with a recorded order, though it and its shop are deleted', async () => {
    const shop = await shopOf(merchant);
    await numberOf(merchant, shop, '1');
    await remove(merchant, shop);

    expect(await shopOf(stranger)).toMatchObject(claimed);
    expect((await shopOf(merchant)).status).toBe(200);
  });

  test('stays if the operator gave it: who had the company before does not get it back', async () => {
    await shopOf(merchant, { companyUic: BRANCH });
    await grant(stranger, { move: true });
    await remove(stranger, await shopOf(stranger));

    expect(await shopOf(merchant)).toMatchObject(claimed);
  });

  test('of two who change to each other’s company at once none hangs, and each company has one owner', async () => {
    const [mine, theirs] = [await shopOf(merchant), await shopOf(stranger, { companyUic: OTHER })];

    const answers = await Promise.all([moveTo(merchant, mine, OTHER), moveTo(stranger, theirs, UIC)]);

    expect(answers.map(({ status }) => status)).toEqual([422, 422]);
  });
});

describe('the operator', () => {
  test('lets another owner in, who then takes numbers of the one sequence', async () => {
    const first = await shopOf(merchant);
    await numberOf(merchant, first, '1');

    expect(await grant(stranger)).toEqual({ ok: true, ownerId: stranger.id, from: [] });

    const second = await shopOf(stranger);
    expect([await numberOf(stranger, second, '2'), await numberOf(merchant, first, '3')]).toEqual(['0000000002', '0000000003']);
  });

  test('moves it: the others create no more shops of it, and theirs take no new orders, but correct what they recorded', async () => {
    const first = await shopOf(merchant);
    const order = (internalId: string, changes = {}) =>
      merchant.call('POST', '/order', { body: orderDto(String(first.body['id']), { internalId, ...changes }) });
    const { body: recorded } = await order('1');

    expect(await grant(stranger, { move: true })).toEqual({ ok: true, ownerId: stranger.id, from: [{ ownerId: merchant.id, shops: 1 }] });

    expect(await shopOf(merchant)).toMatchObject(claimed);
    expect((await shopOf(stranger)).status).toBe(200);
    const refused = await order('2');
    expect(refused).toMatchObject(claimed);
    expect(refused.body['detail']).toMatch(new RegExp(`the operator of this service moved .* \`orderbridge service keys grant ${merchant.id} ${UIC}\``));
    expect((await Promise.all(['3', '4', '5'].map((id) => order(id)))).map(({ status }) => status)).toEqual([422, 422, 422]);
    expect((await merchant.call('DELETE', `/order/${String(recorded['id'])}`)).status).toBe(200);
    expect(await order('1')).toMatchObject({ status: 200, body: { documentNumber: '0000000001' } });
    const path = `/shop/${String(first.body['id'])}`;
    expect((await merchant.call('PUT', path, { body: { name: 'Нов', companyUic: UIC } })).status).toBe(200);
    expect(await merchant.call('PUT', path, { body: { receiptStartNumber: 900 } })).toMatchObject(claimed);
  });

  test('moves it before its first order: the former owner can’t begin its sequence', async () => {
    const first = await shopOf(merchant, { receiptStartNumber: 8_999_999_000 });
    await grant(stranger, { move: true });

    expect(await merchant.call('POST', '/order', { body: orderDto(String(first.body['id'])) })).toMatchObject(claimed);
    expect((await server.pool.query('select from compliance.merchants')).rowCount).toBe(0);
    expect(await numberOf(stranger, await shopOf(stranger), '1')).toBe('0000000001');
  });

  test('moves it: an order that was answered is answered again', async () => {
    const first = await shopOf(merchant);
    const request = { body: orderDto(String(first.body['id'])), headers: { 'idempotency-key': 'once' } };
    const before = await merchant.call('POST', '/order', request);
    await grant(stranger, { move: true });

    expect(await merchant.call('POST', '/order', request)).toMatchObject({ status: 200, body: { id: before.body['id'] } });
    await grant(merchant);
    expect(await numberOf(merchant, first, '2')).toBe('0000000002');
  });

  test('refuses an unknown key and a test key', async () => {
    const test = await server.service.keys.create({ multiShop: true, test: true });

    expect(await grant({ ...test, call: stranger.call })).toEqual({ ok: false, why: 'test-key' });
    expect(await grant({ ...stranger, id: '00000000-0000-4000-8000-000000000000' })).toEqual({ ok: false, why: 'no-key' });
  });

  test('is named in the audit log, with whom it was taken from', async () => {
    await shopOf(merchant);
    await grant(stranger, { move: true });

    const { rows } = await server.pool.query(`select who, subject, after from compliance.acts where act = 'company.granted'`);
    expect(rows).toEqual([{ who: 'cli:test@host', subject: UIC, after: { ownerId: stranger.id, from: [merchant.id] } }]);
  });
});
