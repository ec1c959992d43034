import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createShopDto } from '../../../src/contract/shop-dto.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { migrateService } from '../../../src/service/database/migrate-service.ts';
import { grantMerchant, sharedMerchants } from '../../../src/service/keys/company-owners.ts';
import { createRateLookup } from '../../../src/service/rates/create-rate-lookup.ts';
import { fillInMissing } from '../../../src/service/rates/fill-in-missing.ts';
import { startComplianceServer } from '../../support/servers/compliance-server.ts';
import { makeOldSchema } from '../../support/servers/old-database.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

const KEY = '11111111-1111-4111-8111-111111111111';
const SHOP = '22222222-2222-4222-8222-222222222222';
const BEFORE_NUMBERS = 2;
const BEFORE_RATES = 9;
const BEFORE_OWNERS = 9;
const sealing = sealer(randomBytes(32));

const line = { name: 'Чаша', quantity: 1, price: '12.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' };

test('returns of sales whose rows are kept get their VAT by rate, those of several rates stay unknown', async () => {
  const { pool, end } = openPool(await postgres.createDatabase());
  await using _ = { [Symbol.asyncDispose]: end };
  await makeOldSchema(pool, 'compliance', BEFORE_RATES);
  await pool.query(
    `insert into compliance.api_keys (id, key_hash, hint, sealed_secret, multi_shop, dialect, created_at) values ($1, '\\x01', 'ck_', 'sealed', true, '{}', now())`,
    [KEY],
  );
  await pool.query('insert into compliance.shops (id, api_key_id, details, created_at, updated_at) values ($1, $2, $3, now(), now())', [SHOP, KEY, shopDto()]);
  const insert = async (n: number, lines: readonly object[], base = '24.00') => {
    const entry = { line_items: lines, accounting_total: 24, accounting_vat: 4 };
    await pool.query(
      `with sale as (
         insert into compliance.filed_sales (id, shop_id, merchant, order_number, document_number, document_date, month, currency, entry)
         values (gen_random_uuid(), $1, '206770508', $2::text, $2::int, '2026-10-01', '2026-10-01', 'EUR', $3) returning id
       )
       insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, changed_at)
       select gen_random_uuid(), id, $1, '2026-11-01', '2026-11-20', 'IBAN', $4, now() from sale`,
      [SHOP, n, JSON.stringify(entry), base],
    );
  };
  await insert(1, [line, line]);
  await insert(2, [line, { ...line, vatRate: '9' }]);
  // The second return of a sale: its row is that of the first.
  await insert(3, [line, line], '12.00');

  await migrateService(pool);

  const { rows } = await pool.query(
    'select base_by_rate as rates from compliance.returns r join compliance.filed_sales s on s.id = r.sale_id order by document_number',
  );
  expect(rows).toEqual([{ rates: [{ rate: '20', total: '24', vat: '4' }] }, { rates: null }, { rates: null }]);
});

test('a month whose last version tells nothing of orders paid by post leaves them out as the shop says, others as that version did', async () => {
  const { pool, end } = openPool(await postgres.createDatabase());
  await using _ = { [Symbol.asyncDispose]: end };
  await makeOldSchema(pool, 'compliance', BEFORE_RATES);
  await pool.query(
    `insert into compliance.api_keys (id, key_hash, hint, sealed_secret, multi_shop, dialect, created_at) values ($1, '\\x01', 'ck_', 'sealed', true, '{}', now())`,
    [KEY],
  );
  await pool.query('insert into compliance.shops (id, api_key_id, details, created_at, updated_at) values ($1, $2, $3, now(), now())', [
    SHOP,
    KEY,
    { ...shopDto(), auditNoReceiptOrders: false },
  ]);
  const months: [string, number[], number][] = [
    ['2026-06', [4], 0],
    ['2026-07', [3, 4], 0],
    ['2026-08', [4], 2],
  ];
  for (const [month, payments, leftOut] of months) {
    const summary = {
      figures: { byPayment: payments.map((payment) => ({ payment, orders: 1, total: '24.00' })) },
      leftOut: { orders: leftOut, total: '0.00' },
    };
    await pool.query(
      `with file as (
         insert into compliance.audit_files (id, shop_id, month, version, created_at, cut_at, sha256, bytes, sums, findings, summary)
         values (gen_random_uuid(), $1, to_date($2, 'YYYY-MM'), 1, now(), now(), '', 1, '{}', '[]', $3) returning shop_id, month
       )
       insert into compliance.audit_months (shop_id, month, state) select shop_id, month, 'generated' from file`,
      [SHOP, month, summary],
    );
  }

  await migrateService(pool);

  const { rows } = await pool.query(
    `select to_char(month, 'YYYY-MM') as month, compliance.left_out(shop_id, month, '2026-10-01', '{POSTAL_PAYMENT}') as types from compliance.audit_months order by 1`,
  );
  expect(rows).toEqual([
    { month: '2026-06', types: ['POSTAL_PAYMENT'] },
    { month: '2026-07', types: [] },
    { month: '2026-08', types: ['POSTAL_PAYMENT'] },
  ]);
});

test('orders from before document numbers get theirs in the order in which they were recorded, and their amounts', async () => {
  const { pool, end } = openPool(postgres.url);
  await using _ = { [Symbol.asyncDispose]: end };
  await makeOldSchema(pool, 'compliance', BEFORE_NUMBERS);
  await pool.query(
    `insert into compliance.api_keys (id, key_hash, hint, sealed_secret, multi_shop, dialect, created_at) values ($1, '\\x01', 'ck_', 'sealed', true, '{}', now())`,
    [KEY],
  );
  const details = {
    ...shopDto(),
    vatGroup: 'GROUP_B',
    auditGenerationDay: 10,
    auditRecipientEmails: [],
    auditNoReceiptOrders: true,
    returnPaymentMethod: 'IBAN',
  };
  await pool.query('insert into compliance.shops (id, api_key_id, details, created_at, updated_at) values ($1, $2, $3, now(), now())', [
    SHOP,
    KEY,
    { ...details, receiptStartNumber: 500 },
  ]);
  const insert = (internalId: string, createdAt: string, currency = 'EUR') =>
    pool.query(
      `insert into compliance.orders (id, shop_id, internal_id, internal_number, internal_created_at, line_items, payment_type, precision, currency, total, net_total,
         total_vat, total_discount, created_at) values (gen_random_uuid(), $1, $2, $2, $3::text, $4, 'BANK_TRANSFER', 2, $5, 12, 10, 2, 0, ($3::text)::timestamptz)`,
      [SHOP, internalId, createdAt, JSON.stringify([line]), currency],
    );
  await insert('late', '2026-10-31T22:30:00Z');
  await insert('early', '2026-10-31T21:30:00Z');
  await insert('leva', '2025-12-05T10:00:00+02:00', 'BGN');
  await insert('dollars', '2026-11-01T10:00:00Z', 'USD');

  await migrateService(pool);

  expect(await fillInMissing(pool, createRateLookup({ pool }))).toEqual({ filled: 3, missing: 1 });
  const { rows } = await pool.query(
    `select internal_id as id, document_number::int as number, document_date::text as date, month::text, accounting_currency as currency,
       accounting_total::text as total, accounting_vat::text as vat, edition from compliance.orders order by document_number`,
  );
  expect(rows).toEqual([
    { id: 'leva', number: 500, date: '2025-12-05', month: '2025-12-01', currency: 'BGN', total: '12.00', vat: '2.00', edition: 1 },
    { id: 'early', number: 501, date: '2026-10-31', month: '2026-10-01', currency: 'EUR', total: '12.00', vat: '2.00', edition: 1 },
    { id: 'late', number: 502, date: '2026-11-01', month: '2026-11-01', currency: 'EUR', total: '12.00', vat: '2.00', edition: 1 },
    { id: 'dollars', number: 503, date: '2026-11-01', month: '2026-11-01', currency: 'EUR', total: null, vat: null, edition: 1 },
  ]);
  const next = await pool.query('select next_number::int as next from compliance.merchants');
  expect(next.rows).toEqual([{ next: 504 }]);
});

test('a company that keys of several owners use already belongs to each of them, is named until somebody confirms it, and its shops go on', async () => {
  const databaseUrl = await postgres.createDatabase();
  const { pool, end } = openPool(databaseUrl);
  await using _ = { [Symbol.asyncDispose]: end };
  await makeOldSchema(pool, 'compliance', BEFORE_OWNERS);
  const keys = ['a', 'b', 'c'].map((name) => ({ name, id: randomUUID(), apiKey: `ck_${name}`, apiSecret: `cs_${name}` }));
  const shops = new Map<string, string>();
  for (const [i, { id, apiKey, apiSecret }] of keys.entries()) {
    const sealed = sealing.seal(apiSecret, { table: 'compliance.api_keys', column: 'sealed_secret', id });
    await pool.query(
      `insert into compliance.api_keys (id, key_hash, hint, sealed_secret, multi_shop, dialect, created_at) values ($1, sha256($2::bytea), 'ck_', $3, true, '{}', now())`,
      [id, apiKey, sealed],
    );
    const details = { ...createShopDto.parse(shopDto({ companyUic: i === 2 ? '131071587' : '206770508', nraNumber: `RF000000${i}` })) };
    shops.set(id, randomUUID());
    await pool.query('insert into compliance.shops (id, api_key_id, details, created_at, updated_at) values ($1, $2, $3, now(), now())', [
      shops.get(id),
      id,
      details,
    ]);
  }

  await using server = await startComplianceServer({ databaseUrl, sealing });

  const [a, b, c] = keys.map((key) => ({ ...key, call: callerOf(server.baseUrl, key) }));
  if (a === undefined || b === undefined || c === undefined) throw new Error('there are three');
  const number = async ({ id, call }: typeof a) => (await call('POST', '/order', { body: orderDto(String(shops.get(id))) })).body['documentNumber'];
  expect([await number(a), await number(b), await number(c)]).toEqual(['0000000001', '0000000002', '0000000001']);
  const create = async ({ call }: typeof a) => (await call('POST', '/shop', { body: shopDto() })).status;
  expect([await create(a), await create(b), await create(c)]).toEqual([200, 200, 409]);
  const shared = async () => (await sharedMerchants(pool)).map(({ merchant, keys: named }) => ({ merchant, keys: named.toSorted() }));
  expect(await shared()).toEqual([{ merchant: '206770508', keys: [a.id, b.id].toSorted() }]);
  const grant = ({ id }: typeof a) => grantMerchant(pool, { keyId: id, merchant: '206770508', move: false, now: new Date(), said: { by: 'test' } });
  await grant(a);
  expect(await shared()).toEqual([{ merchant: '206770508', keys: [b.id] }]);
  await grant(b);
  expect(await shared()).toEqual([]);
});
