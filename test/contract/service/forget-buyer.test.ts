import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import { readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { shopMails } from '../../../src/service/mail/shop-mails.ts';
import { transportTo } from '../../support/samples/sample-mail.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import { type Call, type Credentials, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { mailJobs } from '../../support/worlds/mail-jobs.ts';
import { readerOf } from '../../support/worlds/reader.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const NIL = '00000000-0000-0000-0000-000000000000';
let postgres: TestPostgres;
let server: ComplianceServer;
let smtp: SmtpHandle;
let key: Credentials;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: await postgres.createDatabase('service') });
  smtp = await startSmtp();
});
beforeEach(async () => {
  smtp.taken.length = 0;
  key = await sharingKey(server, { multiShop: true });
  call = callerOf(server.baseUrl, key);
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await smtp[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function order(): Promise<string> {
  return String((await call('POST', '/order', { body: orderDto(shopId) })).body['id']);
}

async function forget(id: string, { apiKey, apiSecret } = key, method = 'POST') {
  const headers = { 'x-api-key': apiKey, 'x-signature': sign('', apiSecret, embeddedDialect) };
  const response = await fetch(`${server.baseUrl}/service/v1/orders/${id}/forget-buyer`, { method, headers });
  return { status: response.status, body: await response.json() };
}

function mailer() {
  return mailJobs({
    ...{ pool: server.pool, outbox: shopMails, transport: transportTo(smtp.url), builders: server.service.mails },
    now: () => new Date(),
  });
}

async function sendDue(): Promise<string[]> {
  const { due, send } = mailer();
  const sent = [];
  for (const id of await due(10)) sent.push((await send(id)).outcome);
  return sent;
}

/** Where words of the buyer are left in the schema, or the buyer, sealed, by table. */
async function traces(): Promise<string[]> {
  const tables = await readRows(server.pool, rowsOf('tables', z.object({ name: z.string() })), {
    text: `select table_name as name from information_schema.tables where table_schema = 'compliance' and table_type = 'BASE TABLE'`,
  });
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const { rowCount } = await server.pool.query(`select from compliance.${name} t
        where t::text ~ 'buyer\\.example|Иван|Петров|0888 123 456' or to_jsonb(t) ->> 'customer' is not null limit 1`);
      return rowCount === 0 ? [] : [name];
    }),
  );
  return found.flat();
}

describe('forgetting the buyer of an order', () => {
  test('takes name, address and number from every table; amounts, document, month and receipt stay; a repeat changes nothing', async () => {
    const id = await order();
    await call('POST', `/order/${id}/receipt`);
    await sendDue();
    const read = readerOf(server.baseUrl, key);
    const before = await read(`/orders/${id}`);
    const receipts = (await read(`/receipts?shopId=${shopId}`)).body;
    expect(await traces()).toEqual(['orders']);

    expect(await forget(id)).toEqual({ status: 200, body: { id, forgotten: true } });
    expect(await forget(id)).toEqual({ status: 200, body: { id, forgotten: true } });

    expect(await traces()).toEqual([]);
    const { customer: _gone, ...amounts } = z.record(z.string(), z.unknown()).parse(before.body);
    expect((await read(`/orders/${id}`)).body).toEqual(amounts);
    expect((await read(`/receipts?shopId=${shopId}`)).body).toEqual(receipts);
    const marks = await server.pool.query(`select from compliance.mails where delivered <> '{}'`);
    expect(marks.rowCount).toBe(0);
  });

  test('is written once in the audit log, by the key', async () => {
    const id = await order();
    await forget(id);
    await forget(id);

    const acts = rowsOf('compliance.acts', z.object({ who: z.string(), subject: z.string() }));
    expect(
      await readRows(server.pool, acts, {
        text: `select who, subject from compliance.acts where act = 'order.buyer-forgotten' and subject = $1`,
        values: [id],
      }),
    ).toEqual([{ who: expect.stringMatching(/^key:[0-9a-f-]{36}$/), subject: id }]);
  });

  test('before the receipt is mailed: nobody gets it', async () => {
    const id = await order();
    await call('POST', `/order/${id}/receipt`);

    await forget(id);

    expect(await sendDue()).toEqual(['not-due']);
    expect(smtp.taken).toEqual([]);
    expect(await call('POST', `/order/${id}/receipt`)).toMatchObject({ status: 200, body: { orderId: id } });
    expect(await sendDue()).toEqual([]);
  });

  test('of a deleted order is 200; of another key’s, an unknown one and what is no id 404; other methods are 405', async () => {
    const id = await order();
    const other = await sharingKey(server, { multiShop: true });
    expect((await forget(id, other)).status).toBe(404);
    await call('DELETE', `/order/${id}`);

    expect(await forget(id)).toEqual({ status: 200, body: { id, forgotten: true } });
    expect((await forget(id, other)).status).toBe(404);
    for (const unknown of [NIL, 'mine']) expect((await forget(unknown)).status).toBe(404);
    expect((await forget(id, key, 'PUT')).status).toBe(405);
  });
});
