import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sofiaDay } from '../../../src/service/law/calendar.ts';
import { allMissingRates, fillInMissing, missingRates } from '../../../src/service/rates/missing-rates.ts';
import { createRateLookup } from '../../../src/service/rates/stored-rates.ts';
import { publish } from '../../support/samples/rates.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const TODAY = new Date('2026-11-21T10:00:00Z');
const MONTH = '2026-11';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let shopId: string;
let now: Date;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => now });
});
beforeEach(async () => {
  now = TODAY;
  await server.pool.query('truncate compliance.rate_sheets, compliance.shops cascade');
  call = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function create(internalId: string, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await call('POST', '/order', {
    body: orderDto(shopId, { internalId, internalNumber: `#${internalId}`, currency: 'USD', ...changes }),
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return String(body['id']);
}

async function accounts() {
  const { rows } = await server.pool.query(
    'select internal_id as id, accounting_currency as currency, accounting_total::text as total, accounting_vat::text as vat, exchange from compliance.orders order by 1',
  );
  return rows;
}

function fillIn() {
  return fillInMissing(server.pool, createRateLookup({ pool: server.pool }));
}

test('an order waits for its rate, and gets it when it is known', async () => {
  await create('1');
  const before = [await fillIn(), await accounts()];
  await publish(server.pool, { '2026-11-20': { USD: '1.1735' } });

  const after = await fillIn();

  expect(before).toEqual([{ filled: 0, missing: 1 }, [{ id: '1', currency: 'EUR', total: null, vat: null, exchange: null }]]);
  expect(after).toEqual({ filled: 1, missing: 0 });
  // 12.90 ÷ 1.1735 = 10.99, 1.05 → 0.89, 21.80 → 18.58: 3 × 10.99 − 0.89 + 18.58.
  expect(await accounts()).toEqual([
    {
      id: '1',
      currency: 'EUR',
      total: '50.66',
      vat: '6.88',
      exchange: { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1735', publishedOn: '2026-11-20', source: 'BNB' },
    },
  ]);
  expect(await fillIn()).toEqual({ filled: 0, missing: 0 });
});

test('the rate is that of the order’s day in Bulgaria', async () => {
  await create('1', { internalCreatedAt: '2026-11-19T21:59:59Z' });
  await create('2', { internalCreatedAt: '2026-11-19T22:00:00Z' });
  await create('3', { internalCreatedAt: '2026-11-21T09:00:00' });
  await publish(server.pool, { '2026-11-19': { USD: '1.1' }, '2026-11-20': { USD: '1.2' } });

  await fillIn();

  expect((await accounts()).map(({ exchange }) => exchange.divide)).toEqual(['1.1', '1.2', '1.2']);
});

test('the day is that of `sofiaDay` for every offset, also for one that PostgreSQL does not read', async () => {
  const id = await create('1');
  const times = ['2026-11-19T12:30:00', '2026-10-25T03:59:59.5'].flatMap((time) =>
    ['', 'Z', '+02:00', '-03:30', '+14:00', '+16:00', '+20:00', '-23:59'].map((offset) => `${time}${offset}`),
  );
  const days = [];
  for (const time of times) {
    await server.pool.query('update compliance.orders set internal_created_at = $2 where id = $1', [id, time]);
    days.push((await allMissingRates(server.pool)).map(({ day }) => day));
  }

  expect(days).toEqual(times.map((time) => [sofiaDay(time)]));
});

test('orders from before, in leva and euro, get their amounts without a daily rate', async () => {
  await create('1', { currency: 'EUR' });
  await create('2', { currency: 'BGN' });
  await server.pool.query('update compliance.orders set accounting_total = null, accounting_vat = null');

  expect(await fillIn()).toEqual({ filled: 2, missing: 0 });
  expect(await accounts()).toEqual([
    { id: '1', currency: 'EUR', total: '59.45', vat: '8.08', exchange: null },
    { id: '2', currency: 'EUR', total: '30.40', vat: '4.13', exchange: null },
  ]);
});

test('an order that can’t be read keeps waiting, and the others get their amounts', async () => {
  const [bad] = [await create('1', { currency: 'EUR' }), await create('2', { currency: 'EUR' })];
  await server.pool.query('update compliance.orders set accounting_total = null, accounting_vat = null');
  await server.pool.query(`update compliance.orders set line_items = line_items - 0 || '{}' where id = $1`, [bad]);

  expect(await fillIn()).toEqual({ filled: 1, missing: 1 });
  expect(await accounts()).toMatchObject([
    { id: '1', total: null },
    { id: '2', total: '59.45' },
  ]);
});

test('several processes fill in many pages together, each order once', async () => {
  await create('1');
  await server.pool.query(`
    insert into compliance.orders
    select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'internal_id', n, 'document_number', o.document_number + n,
      'currency', case when n % 7 = 0 then 'GBP' else 'USD' end))).*
    from compliance.orders o, generate_series(1000, 1999) n`);
  await publish(server.pool, { '2026-11-20': { USD: '1.1735' } });

  const results = await Promise.all([fillIn(), fillIn(), fillIn()]);

  expect(results.reduce((sum, { filled }) => sum + filled, 0)).toBe(858);
  expect(await fillIn()).toEqual({ filled: 0, missing: 143 });
});

test('a rate that is stored comes to an order that did not get it; one that the sheet of the day lacks never does', async () => {
  await publish(server.pool, { '2026-11-20': { USD: '1.1735' } });
  await create('1', { internalCreatedAt: '2026-11-20T10:00:00Z' });
  await create('2', { internalCreatedAt: '2026-11-20T10:00:00Z', currency: 'GBP' });
  // As of an order whose amounts were computed just before the import.
  await server.pool.query('update compliance.orders set accounting_total = null, accounting_vat = null, exchange = null');

  const [gbp, usd] = ['GBP', 'USD'].map((currency) => ({ currency, day: '2026-11-20', orders: 1 }));
  expect(await allMissingRates(server.pool)).toEqual([{ ...gbp, never: true }, usd]);
  expect(await missingRates(server.pool, { shopId, month: MONTH })).toEqual([
    { ...gbp, numbers: ['#2'], never: true },
    { ...usd, numbers: ['#1'] },
  ]);
});

test('the missing rates of a month are listed by currency and day, with the first twenty orders', async () => {
  for (let n = 1; n <= 22; n += 1) await create(String(n), { internalCreatedAt: '2026-11-18T21:59:00Z' });
  await create('a', { internalCreatedAt: '2026-11-19T00:00:00+02:00' });
  await create('b', { internalCreatedAt: '2026-11-18T23:59:59', currency: 'GBP' });
  await create('c', { internalCreatedAt: '2026-11-18T10:00:00Z', currency: 'EUR' });
  await create('d', { internalCreatedAt: '2026-10-18T10:00:00Z' });
  await publish(server.pool, { '2026-11-20': { USD: '1.1735' } });
  await fillIn();

  // October's file is closed, so its late order is listed by November's.
  expect(await missingRates(server.pool, { shopId, month: MONTH })).toEqual([
    { currency: 'USD', day: '2026-10-18', orders: 1, numbers: ['#d'] },
    { currency: 'GBP', day: '2026-11-18', orders: 1, numbers: ['#b'] },
    { currency: 'USD', day: '2026-11-18', orders: 22, numbers: Array.from({ length: 20 }, (_, i) => `#${i + 1}`) },
    { currency: 'USD', day: '2026-11-19', orders: 1, numbers: ['#a'] },
  ]);
  expect(await missingRates(server.pool, { shopId, month: '2026-12' })).toEqual([]);
});

test('the missing rate of a replacement in a closed month counts where its return is shown', async () => {
  now = new Date('2026-11-10T10:00:00Z');
  const id = await create('1', { internalCreatedAt: '2026-10-20T10:00:00Z', currency: 'EUR' });
  now = TODAY;
  await call('DELETE', `/order/${id}`);
  await create('1', { internalCreatedAt: '2026-10-20T10:00:00Z' });

  expect(await missingRates(server.pool, { shopId, month: MONTH })).toEqual([{ currency: 'USD', day: '2026-10-20', orders: 1, numbers: ['#1'] }]);
  expect(await missingRates(server.pool, { shopId, month: '2026-10' })).toEqual([]);
  await publish(server.pool, { '2026-10-20': { USD: '1.1735' } });
  expect(await fillIn()).toEqual({ filled: 1, missing: 0 });
  expect(await missingRates(server.pool, { shopId, month: MONTH })).toEqual([]);
});
