import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { advanceTo, takeBack } from '../../../src/operations/service/numbers.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

const UIC = '206770508';
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

const put = (shop: string, receiptStartNumber: number, changes = {}) => call('PUT', `/shop/${shop}`, { body: { receiptStartNumber, ...changes } });
const refused = (message: RegExp) => ({ status: 400, body: { errors: [{ path: 'receiptStartNumber', message: expect.stringMatching(message) }] } });

test('F5: a mistyped start number does not end the numbers of a company', async () => {
  const shop = await newShop();
  for (const id of ['1', '2']) await numberOf(shop, id);

  expect(await put(shop, 9_999_999_999)).toMatchObject(refused(/more than 100000 above 0000000002, .+ numbers advance 206770508 --to 9999999999 --why/));

  expect(await numberOf(shop, '3')).toBe('0000000003');
});

test('F5: a start number is at most 100,000 above the highest number ever given, in however many steps', async () => {
  const shop = await newShop();
  const { body } = await call('POST', '/order', { body: orderDto(shop, { internalId: '1' }) });
  await call('DELETE', `/order/${String(body['id'])}`);

  expect((await put(shop, 60_000)).status).toBe(200);
  expect(await put(shop, 100_002)).toMatchObject(refused(/more than 100000 above 0000000001/));
  expect((await put(shop, 100_001)).status).toBe(200);
  expect(await put(shop, 100_002)).toMatchObject(refused(/more than 100000/));
  expect(await numberOf(shop, '2')).toBe('0000100001');
  expect((await put(shop, 200_001)).status).toBe(200);
});

test('F5: the first start is free up to 9,000,000,000, in whichever way it comes to a merchant without numbers', async () => {
  const high = { receiptStartNumber: 9_000_000_001 };
  expect(await call('POST', '/shop', { body: shopDto(high) })).toMatchObject(refused(/must be 9000000000 or below/));
  const shop = await newShop({ receiptStartNumber: 9_000_000_000 });
  expect(await put(shop, 9_000_000_001)).toMatchObject(refused(/must be 9000000000 or below/));
  await numberOf(shop, '1');
  const second = await newShop(high);
  expect(await call('PUT', `/shop/${second}`, { body: { companyUic: '208149507' } })).toMatchObject(refused(/must be 9000000000 or below/));

  expect(await numberOf(second, '1')).toBe('9000000001');
});

test('F5: a first start can be lowered until a number was given, though a first order was refused', async () => {
  const shop = await newShop({ receiptStartNumber: 5_000 });
  const once = { 'idempotency-key': 'once' };
  await call('POST', '/shop', { body: shopDto({ name: 'B' }), headers: once });
  expect((await call('POST', '/order', { body: orderDto(shop, { internalId: '1' }), headers: once })).status).toBe(422);

  expect((await put(shop, 40)).body).toMatchObject({ warnings: [] });

  expect(await numberOf(shop, '1')).toBe('0000000040');
});

test('F5: where the operator said that numbers begin, no key moves them', async () => {
  const shop = await newShop();
  await advanceTo(server, { companyUic: UIC, to: 3_000, why: 'the backup', by });

  expect(await put(shop, 2_999)).toMatchObject(refused(/can’t be lowered/));
  expect(await put(shop, 3_001)).toMatchObject(refused(/another one than the operator/));
  expect((await put(shop, 3_000)).status).toBe(200);
  await advanceTo(server, { companyUic: UIC, to: 700, why: 'a better look', by });
  expect(await numberOf(shop, '1')).toBe('0000000700');
});

test('F5: a skip of which no number was given can be taken back, the last one first, with a reason that stays', async () => {
  const shop = await newShop();
  await numberOf(shop, '1');
  await put(shop, 700);
  await put(shop, 900);

  const back = () => takeBack(server, { companyUic: UIC, why: 'mistyped', by });
  expect([await back(), await back()]).toEqual([
    { first: 700, last: 899 },
    { first: 2, last: 699 },
  ]);

  await expect(back()).rejects.toThrow('no numbers of the company 206770508 are skipped');
  expect(await numberOf(shop, '2')).toBe('0000000002');
  const { rows } = await server.pool.query(`select who, why, after from compliance.acts where act = 'numbers.taken-back' order by id`);
  expect(rows).toEqual([700, 2].map((next) => ({ who: by, why: 'mistyped', after: { next } })));
});

test('F5: a skip is not taken back once a number above it was given, though its order was deleted', async () => {
  const shop = await newShop();
  await numberOf(shop, '1');
  await put(shop, 700);
  const { body } = await call('POST', '/order', { body: orderDto(shop, { internalId: '2' }) });
  await call('DELETE', `/order/${String(body['id'])}`);

  await expect(takeBack(server, { companyUic: UIC, why: 'mistyped', by })).rejects.toThrow('0000000700 was given after them');
  expect(await numberOf(shop, '3')).toBe('0000000701');
});
