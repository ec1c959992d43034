import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { advanceTo } from '../../../src/operations/service/numbers.ts';
import { grantMerchant } from '../../../src/service/keys/company-owners.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { until } from '../../support/worlds/settled.ts';

const by = 'cli:test@host';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(async () => {
  server = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service') });
  call = callerOf(server.baseUrl, await server.service.keys.create({ multiShop: true }));
  return () => server[Symbol.asyncDispose]();
});
afterAll(() => postgres[Symbol.asyncDispose]());

async function newShop(changes: Record<string, unknown> = {}): Promise<string> {
  return String((await call('POST', '/shop', { body: shopDto(changes) })).body['id']);
}

async function numberOf(shopId: string, internalId: string): Promise<unknown> {
  return (await call('POST', '/order', { body: orderDto(shopId, { internalId }) })).body['documentNumber'];
}

test('before the first order the start may be moved, and numbers begin there', async () => {
  const shop = await newShop({ receiptStartNumber: 5 });

  const moved = await call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 700 } });

  expect(moved).toMatchObject({ status: 200, body: { receiptStartNumber: 700 } });
  expect([await numberOf(shop, '1'), await numberOf(shop, '2')]).toEqual(['0000000700', '0000000701']);
});

test('once numbers have begun a lower one is refused, and the next number is named', async () => {
  const shop = await newShop({ receiptStartNumber: 700 });
  await numberOf(shop, '1');

  const answer = await call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 1, name: 'Ново име' } });

  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'receiptStartNumber', message: 'can’t be lowered: the merchant’s document numbers have begun, the next is 0000000701' }] },
  });
  expect((await call('PUT', `/shop/${shop}`, { body: { domain: 'new.example' } })).body).toMatchObject({ name: shopDto().name, receiptStartNumber: 700 });
});

test('sending the same value again changes nothing', async () => {
  const shop = await newShop({ receiptStartNumber: 700 });
  await numberOf(shop, '1');

  expect((await call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 700, name: 'B' } })).body).toMatchObject({ name: 'B', receiptStartNumber: 700 });
});

test('numbers of another shop of the merchant have begun too, branches included', async () => {
  await numberOf(await newShop(), '1');
  const second = await newShop({ receiptStartNumber: 50, companyUic: '2067705080005' });

  expect((await call('PUT', `/shop/${second}`, { body: { receiptStartNumber: 1 } })).status).toBe(400);
  expect(await numberOf(second, '1')).toBe('0000000002');
});

test('D8: a higher one is the next number, those between are kept as voided with who did it, and sending it again changes nothing', async () => {
  const shop = await newShop();
  await numberOf(shop, '1');

  const raise = () => call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 700 } });
  const [raised, again] = [await raise(), await raise()];

  const skips = { path: 'receiptStartNumber', message: 'skips the numbers 0000000002 to 0000000699: they are kept as voided' };
  expect(raised).toMatchObject({ status: 200, body: { receiptStartNumber: 700, warnings: [skips] } });
  expect(again).toMatchObject({ status: 200, body: { receiptStartNumber: 700, warnings: [] } });
  expect([await numberOf(shop, '2'), await numberOf(shop, '3')]).toEqual(['0000000700', '0000000701']);
  const { rows } = await server.pool.query('select merchant, first::int, last::int, why, who from compliance.skipped_numbers');
  const who = `key:${(await server.service.keys.list())[0]?.id}`;
  expect(rows).toEqual([{ merchant: '206770508', first: 2, last: 699, why: 'receiptStartNumber was raised', who }]);
  const acts = await server.pool.query(`select who, before, after from compliance.acts where act = 'numbers.advanced'`);
  expect(acts.rows).toEqual([{ who, before: { next: 2 }, after: { next: 700, skipped: { first: 2, last: 699 } } }]);
});

test('D7: an owner from whom the company was moved can’t use up its numbers', async () => {
  const shop = await newShop();
  await numberOf(shop, '1');
  const raise = () => call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 900 } });
  const own = String((await server.service.keys.list())[0]?.id);
  const { id: other } = await server.service.keys.create({ multiShop: false });
  const grant = (keyId: string, move: boolean) => grantMerchant(server.pool, { keyId, merchant: '206770508', move, now: new Date(), said: { by: 'test' } });

  await grant(other, true);
  expect(await raise()).toMatchObject({ status: 422, body: { type: 'urn:compliance-service:problem:company-claimed' } });

  await grant(own, true);
  expect((await raise()).status).toBe(200);
});

test('D8: the last number can be reached, and then none is left', async () => {
  const shop = await newShop();
  await numberOf(shop, '1');

  await advanceTo(server, { companyUic: '206770508', to: 9_999_999_998, why: 'from another system', by });
  expect(await numberOf(shop, '2')).toBe('9999999998');
  expect((await call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 9_999_999_999 } })).status).toBe(200);

  expect(await numberOf(shop, '4')).toBe('9999999999');
  expect((await call('POST', '/order', { body: orderDto(shop, { internalId: '3' }) })).status).toBe(422);
  expect(await call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 5 } })).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringMatching(/and none is left$/) }] },
  });
});

test('a shop that changes to a merchant without numbers before its first order may say where they begin', async () => {
  const shop = await newShop();

  const answer = await call('PUT', `/shop/${shop}`, { body: { companyUic: '208149507', receiptStartNumber: 300 } });

  expect(answer.status).toBe(200);
  expect(await numberOf(shop, '2')).toBe('0000000300');
});

test('a change waits for an order that is being recorded', async () => {
  const shop = await newShop();
  const blocker = await server.pool.connect();
  await blocker.query('begin');
  await blocker.query('lock table compliance.orders in share mode');
  const order = numberOf(shop, '1');
  await until(() => waiting(1), { what: 'the order to wait' });

  const change = call('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 700 } });
  await until(() => waiting(2), { what: 'the change to wait' });
  await blocker.query('commit');
  blocker.release();

  expect(await order).toBe('0000000001');
  expect((await change).body['warnings']).toEqual([{ path: 'receiptStartNumber', message: expect.stringContaining('0000000002 to 0000000699') }]);
});

async function waiting(count: number): Promise<boolean> {
  const { rows } = await server.pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return (rows[0]?.n ?? 0) >= count;
}

test('another key’s shop is not found, with or without numbers', async () => {
  const shop = await newShop();
  await numberOf(shop, '1');
  const stranger = callerOf(server.baseUrl, await server.service.keys.create({ multiShop: true }));

  expect((await stranger('PUT', `/shop/${shop}`, { body: { receiptStartNumber: 9 } })).status).toBe(404);
});

test('a shop that has sold can’t change to another company, but to a branch of its own', async () => {
  const shop = await newShop();
  expect(await call('PUT', `/shop/${shop}`, { body: { companyUic: '831641791' } })).toMatchObject({ status: 200 });
  await numberOf(shop, '1');

  const other = await call('PUT', `/shop/${shop}`, { body: { companyUic: '206770508', name: 'Друга' } });

  expect(other).toMatchObject({ status: 400, body: { errors: [{ path: 'companyUic', message: expect.stringContaining('create a shop of that company') }] } });
  expect((await call('PUT', `/shop/${shop}`, { body: { companyUic: '831641791' } })).status).toBe(200);
});

test('values that a new shop shares with others get a warning: a number of the agency, and a start that comes too late', async () => {
  await numberOf(await newShop(), '1');

  const { body } = await call('POST', '/shop', { body: shopDto({ receiptStartNumber: 500 }) });
  const { body: silent } = await call('POST', '/shop', { body: shopDto({ nraNumber: 'RF7654321' }) });

  expect(body['warnings']).toEqual([
    { path: 'receiptStartNumber', message: expect.stringMatching(/^has no effect: .+ the next is \d{10}$/) },
    { path: 'nraNumber', message: expect.stringContaining('the agency takes one file per number and month') },
  ]);
  expect(silent['warnings']).toEqual([]);
});

test('D8: a shop without a start number is warned as long as the merchant has none', async () => {
  const { body: first } = await call('POST', '/shop', { body: shopDto() });
  await numberOf(String(first['id']), '1');
  const { body: second } = await call('POST', '/shop', { body: shopDto({ nraNumber: 'RF7654321' }) });

  expect(first['warnings']).toEqual([{ path: 'receiptStartNumber', message: expect.stringContaining('begin with 0000000001') }]);
  expect(second['warnings']).toEqual([]);
});
