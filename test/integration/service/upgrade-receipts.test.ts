import { expect, test } from 'vitest';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { createShopDto } from '../../../src/contract/shop-dto.ts';
import { migrateService } from '../../../src/service/database/migrate-service.ts';
import { readReceipt } from '../../../src/service/receipts/read-receipts.ts';
import { makeOldSchema } from '../../support/servers/old-database.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { shopDto } from '../../support/worlds/compliance-caller.ts';

const BEFORE_OPTIONS = 9;
const KEY = '11111111-1111-4111-8111-111111111111';
const SHOP = '22222222-2222-4222-8222-222222222222';
const MAILED = '33333333-3333-4333-8333-333333333333';
const FAILED = '44444444-4444-4444-8444-444444444444';
const UNADDRESSED = '55555555-5555-4555-8555-555555555555';

test('receipts from before they were issued without being asked for stay as their buyers have them', async () => {
  await using postgres = await startPostgres();
  const { pool, end } = openPool(postgres.url);
  await using _ = { [Symbol.asyncDispose]: end };
  await makeOldSchema(pool, 'compliance', BEFORE_OPTIONS);
  await pool.query(
    `insert into compliance.api_keys (id, key_hash, hint, sealed_secret, multi_shop, dialect, created_at) values ($1, '\\x01', 'ck_', 'sealed', true, '{}', now())`,
    [KEY],
  );
  const details = createShopDto.parse(shopDto());
  await pool.query('insert into compliance.shops (id, api_key_id, details, created_at, updated_at) values ($1, $2, $3, now(), now())', [SHOP, KEY, details]);
  const issued = async (id: string, [number, edition]: [number, number]) => {
    await pool.query(
      `insert into compliance.orders (id, shop_id, internal_id, internal_number, internal_created_at, line_items, payment_type, precision, currency, total, net_total,
         total_vat, total_discount, created_at, merchant, document_number, document_date, edition, month, accounting_currency, accounting_total, accounting_vat)
       values ($1::uuid, $2, $1::uuid::text, '#1', '2026-11-02T10:00:00Z', $3, 'BANK_TRANSFER', 2, 'EUR', 12, 10, 2, 0, now(), '206770508', $4, '2026-11-02', $5, '2026-11-01', 'EUR', 12, 2)`,
      [id, SHOP, JSON.stringify([{ name: 'Чаша', quantity: 1, price: '12.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }]), number, edition],
    );
    await pool.query(
      `insert into compliance.receipts (id, order_id, shop_id, seller, created_at) values ($1::uuid, $1::uuid, $2, $3, '2026-11-02T10:00:00Z')`,
      [id, SHOP, details],
    );
  };
  const mailed = (id: string, done: 'sent_at' | 'failed_at') =>
    pool.query(
      `insert into compliance.mails (id, kind, ref, dedup_key, shop_id, created_at, ${done}) values ($1::uuid, 'receipt', '{}', 'receipt/' || $1::uuid, $2, now(), now())`,
      [id, SHOP],
    );
  await issued(MAILED, [1, 2]);
  await issued(FAILED, [2, 1]);
  await issued(UNADDRESSED, [3, 1]);
  await mailed(MAILED, 'sent_at');
  await mailed(FAILED, 'failed_at');

  await migrateService(pool);

  const read = async (id: string) => readReceipt(pool, { dialect: embeddedDialect, id });
  expect([await read(MAILED), await read(FAILED), await read(UNADDRESSED)]).toMatchObject([
    { dto: { emailed: 'sent', edition: 2 }, html: expect.stringContaining('заменя издадения по\u2011рано документ със същия номер (издание 2)') },
    { dto: { emailed: 'failed', edition: 1 }, html: expect.not.stringContaining('заменя') },
    { dto: { emailed: 'no-address', edition: 1 } },
  ]);
  const { rows } = await pool.query('select automatic_receipts as automatic, receipt_english as english, e_shop_type as type from compliance.shops');
  expect(rows).toEqual([{ automatic: false, english: false, type: null }]);
});
