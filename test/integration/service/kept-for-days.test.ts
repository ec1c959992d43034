import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

const DAY_MS = 86_400_000;
const BEGAN = Date.parse('2026-11-20T10:00:00Z');
const days = { buyers: 365, outbox: 30 };
let postgres: TestPostgres;
let server: ComplianceServer;
let time = BEGAN;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => new Date(time) });
  call = callerOf(server.baseUrl, await server.service.keys.create({ multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function order(internalId: string): Promise<string> {
  return String((await call('POST', '/order', { body: orderDto(shopId, { internalId }) })).body['id']);
}

const buyers = async () =>
  (
    await readRows(server.pool, rowsOf('orders', z.object({ id: z.string() })), {
      text: 'select internal_id as id from compliance.orders where customer is not null',
    })
  ).map(({ id }) => id);

const keptOn = async (day: number) => {
  time = BEGAN + day * DAY_MS + 60_000;
  await server.service.work.dropOld(days);
};

test('the buyer of an order is kept for its days from when it was recorded; everything else stays', async () => {
  time = BEGAN;
  const old = await order('old');
  await call('POST', `/order/${old}/receipt`);
  time = BEGAN + 100 * DAY_MS;
  await order('young');

  await keptOn(364);
  expect((await buyers()).toSorted()).toEqual(['old', 'young']);
  await keptOn(365);
  expect(await buyers()).toEqual(['young']);
  const { rows } = await server.pool.query('select total::text, document_number::int as number from compliance.orders order by document_number');
  expect(rows).toEqual([
    { total: '59.45', number: 1 },
    { total: '59.45', number: 2 },
  ]);
  expect(await call('POST', `/order/${old}/receipt`)).toMatchObject({ status: 200, body: { total: 59.45 } });
});

test('mails that were sent or given up are listed for their days; what waits stays, and receipts keep what became of theirs', async () => {
  time = BEGAN;
  const receipts = await Promise.all(
    ['sent', 'failed', 'waiting'].map(async (id) => String((await call('POST', `/order/${await order(id)}/receipt`)).body['id'])),
  );
  const [sent, failed] = receipts;
  await server.pool.query(`update compliance.mails set sent_at = $2 where dedup_key = 'receipt/' || $1`, [sent, new Date(BEGAN)]);
  await server.pool.query(`update compliance.mails set failed_at = $2 where dedup_key = 'receipt/' || $1`, [failed, new Date(BEGAN)]);
  const states = async () => {
    const { body } = await call('POST', `/order/${await orderOfReceipt(sent)}/receipt`);
    return body['emailed'];
  };
  const listed = async () => (await server.pool.query(`select from compliance.mails where ref ->> 'receiptId' = any($1)`, [receipts])).rowCount;
  const before = await states();

  await keptOn(29);
  expect(await listed()).toBe(3);
  await keptOn(30);
  expect(await listed()).toBe(1);
  expect(await states()).toEqual(before);
  const { rows } = await server.pool.query('select mail_state from compliance.receipts where id = any($1) order by mail_state', [receipts]);
  expect(rows).toEqual([{ mail_state: 'failed' }, { mail_state: 'sent' }, { mail_state: null }]);
});

async function orderOfReceipt(id: string | undefined): Promise<string> {
  const { rows } = await server.pool.query<{ id: string }>('select order_id as id from compliance.receipts where id = $1', [id]);
  return rows[0]?.id ?? '';
}
