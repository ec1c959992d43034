import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
});
beforeEach(async () => {
  [call, shopId] = await newShop();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function newShop(key: Parameters<ComplianceServer['service']['keys']['create']>[0] = { multiShop: true }): Promise<[Call, string]> {
  const by = callerOf(server.baseUrl, await sharingKey(server, key));
  const { body } = await by('POST', '/shop', { body: shopDto() });
  return [by, String(body['id'])];
}

const line = { name: 'Чаша', quantity: 1, price: 10, vatRate: 20, vatGroup: 'GROUP_B' };

describe('refused fields are named', () => {
  test.each<[string, Record<string, unknown>, string]>([
    ['internalId', { internalId: '' }, 'must not be empty'],
    ['internalId', { internalId: 5001 }, 'must be a string'],
    ['internalId', { internalId: 'x'.repeat(256) }, 'must be 255 characters at most'],
    ['internalNumber', { internalNumber: undefined }, 'is required'],
    ['internalCreatedAt', { internalCreatedAt: '20.11.2026' }, 'must be an ISO 8601 timestamp'],
    ['internalCreatedAt', { internalCreatedAt: '1999-11-20T10:15:00Z' }, expect.stringMatching(/^must be between 2000-01-01 and tomorrow/)],
    ['internalCreatedAt', { internalCreatedAt: '2026-11-20T10:15:00+20:00' }, 'must have an offset of 14 hours at most, such as +02:00'],
    ['internalCreatedAt', { internalCreatedAt: '9999-12-31T23:59:59-12:00' }, expect.stringMatching(/^must be between 2000-01-01 and tomorrow/)],
    ['customer.age', { customer: { age: 44 } }, 'is not a known field'],
    ['customer.email', { customer: { email: 'x'.repeat(255) } }, 'must be 254 characters at most'],
    ['paymentProcessorName', { paymentProcessorName: undefined }, 'is required with PAYMENT_PROCESSOR: the audit file must name the provider'],
    ['transactionId', { paymentType: 'VIRTUAL_POS', transactionId: undefined }, 'is required with VIRTUAL_POS: the audit file must bear it'],
    ['lineItems', { lineItems: [] }, 'must hold at least one line'],
    ['lineItems', { lineItems: Array(1001).fill(line) }, 'must hold 1000 lines at most'],
    ['lineItems', { lineItems: [{ ...line, price: 999_999_999, quantity: 1000 }] }, 'must cost less than 100000000000 together'],
    ['lineItems[0].name', { lineItems: [{ ...line, name: undefined }] }, 'is required'],
    ['lineItems[0].name', { lineItems: [{ ...line, name: 'x'.repeat(1001) }] }, 'must be 1000 characters at most'],
    ['lineItems[0].quantity', { lineItems: [{ ...line, quantity: 0 }] }, 'must be above zero'],
    ['lineItems[0].quantity', { lineItems: [{ ...line, quantity: 1_000_001 }] }, 'must be 1000000 at most'],
    ['lineItems[0].quantity', { lineItems: [{ ...line, quantity: 0.0001 }] }, 'must have 3 decimals at most'],
    ['lineItems[0].price', { lineItems: [{ ...line, price: '10.00' }] }, 'must be a number'],
    ['lineItems[0].price', { lineItems: [{ ...line, price: -1 }] }, 'must not be negative'],
    ['lineItems[0].price', { lineItems: [{ ...line, price: 1.005 }] }, 'must have 2 decimals at most, as precision says'],
    ['lineItems[0].price', { lineItems: [{ ...line, price: 1e-9 }] }, 'must have 2 decimals at most, as precision says'],
    ['lineItems[0].price', { lineItems: [{ ...line, price: 1_000_000_000 }] }, 'must be less than 1000000000'],
    ['lineItems[0].discount', { lineItems: [{ ...line, discount: 10.01 }] }, 'must not be more than price times quantity'],
    ['lineItems[0].discount', { lineItems: [{ ...line, discount: -1 }] }, 'must not be negative'],
    ['lineItems[1].vatRate', { lineItems: [line, { ...line, vatRate: 20.005 }] }, 'must have 2 decimals at most, in percent'],
    [
      'lineItems[0].vatRate',
      { internalCreatedAt: '2010-05-05T10:00:00Z', lineItems: [{ ...line, vatRate: 9, vatGroup: 'GROUP_D' }] },
      'GROUP_D had no rate on 2010-05-05',
    ],
    ['lineItems[0].vatGroup', { lineItems: [{ ...line, vatGroup: 'B' }] }, 'must be one of GROUP_A, GROUP_B, GROUP_C, GROUP_D'],
    ['lineItems[0].sku', { lineItems: [{ ...line, sku: 'C-1' }] }, 'is not a known field'],
    ['paymentType', { paymentType: 'CARD' }, 'must be one of PAYMENT_PROCESSOR, VIRTUAL_POS, POSTAL_PAYMENT, BANK_TRANSFER, FISCAL_RECEIPT, OTHER'],
    ['paymentProcessorName', { paymentProcessorName: '' }, 'must not be empty'],
    ['transactionId', { transactionId: 'x'.repeat(201) }, 'must be 200 characters at most'],
    ['precision', { precision: 3 }, 'must be 2 at most, for EUR has no smaller unit'],
    ['precision', { precision: 1.5 }, 'must be a whole number'],
    ['currency', { currency: 'eur' }, 'must be a currency code of three capital letters'],
    ['currency', { currency: 'QQQ' }, 'is not a currency code of ISO 4217'],
    ['shopId', { shopId: '42' }, 'must be a UUID'],
    ['note', { note: 'hello' }, 'is not a known field'],
  ])('%s of %j', async (path, changes, message) => {
    const answer = await call('POST', '/order', { body: orderDto(shopId, changes) });

    expect(answer).toMatchObject({ status: 400, body: { type: 'urn:compliance-service:problem:body-invalid', status: 400 } });
    expect(answer.body['errors']).toEqual([{ path, message }]);
  });

  test('an amount in minor units must be whole', async () => {
    const [minor, id] = await newShop({ multiShop: true, amounts: 'minor' });

    const answer = await minor('POST', '/order', { body: orderDto(id, { lineItems: [{ ...line, price: 12.9 }] }) });

    expect(answer.body['errors']).toEqual([{ path: 'lineItems[0].price', message: 'must be a whole number of minor units' }]);
  });

  test('nothing of a refused order is stored', async () => {
    await call('POST', '/order', { body: orderDto(shopId, { currency: 'QQQ' }), headers: { 'idempotency-key': 'refused' } });

    expect(await server.service.records({ shopId })).toEqual([]);
    expect((await call('POST', '/order', { body: orderDto(shopId), headers: { 'idempotency-key': 'refused' } })).status).toBe(200);
  });

  test('an order for another key’s shop, or for none', async () => {
    const [stranger] = await newShop();

    const answers = await Promise.all([
      stranger('POST', '/order', { body: orderDto(shopId) }),
      call('POST', '/order', { body: orderDto('00000000-0000-0000-0000-000000000000') }),
    ]);

    expect(answers.map(({ status, body }) => [status, body['detail']])).toEqual(Array(2).fill([404, 'this API key has no shop with this id']));
  });
});
