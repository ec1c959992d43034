import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NOW = '2026-11-20T10:00:00.000Z';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => new Date(NOW) });
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

/** Only the fields that every order needs. */
const BARE = { customer: undefined, paymentType: 'BANK_TRANSFER', paymentProcessorName: undefined, transactionId: undefined };

const line = { name: 'Чаша', quantity: 1, price: 10, vatRate: 20, vatGroup: 'GROUP_B' };

describe('creating an order', () => {
  test('returns what was sent, the id, the times, and every sum of the calculation rules', async () => {
    const answer = await call('POST', '/order', { body: orderDto(shopId) });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      ...orderDto(shopId),
      lineItems: [
        // 3 × 12.90 − 1.05 = 37.65; the VAT of 38.70 is 6.45, of 37.65 it is 6.275, half up.
        {
          name: 'Чаша',
          quantity: 3,
          price: 12.9,
          discount: 1.05,
          vatRate: 20,
          vatGroup: 'GROUP_B',
          netPrice: 10.75,
          subtotalNet: 32.25,
          priceVat: 2.15,
          subtotalVat: 6.28,
          subtotal: 37.65,
        },
        {
          name: 'Книга',
          quantity: 1,
          price: 21.8,
          discount: 0,
          vatRate: 9,
          vatGroup: 'GROUP_D',
          netPrice: 20,
          subtotalNet: 20,
          priceVat: 1.8,
          subtotalVat: 1.8,
          subtotal: 21.8,
        },
      ],
      total: 59.45,
      netTotal: 51.37,
      totalVat: 8.08,
      totalDiscount: 1.05,
      documentNumber: '0000000001',
      createdAt: NOW,
      updatedAt: NOW,
      warnings: [],
    });
  });

  test('needs no customer, processor, transaction or discount', async () => {
    const bare = orderDto(shopId, { ...BARE, lineItems: [line] });

    const { status, body } = await call('POST', '/order', { body: bare });

    expect(status).toBe(200);
    expect(body).not.toHaveProperty('customer');
    expect(body).toMatchObject({ lineItems: [{ discount: 0, subtotal: 10 }], total: 10 });
  });

  test('uses minor units and fractions with a key that does', async () => {
    const [minor, id] = await newShop({ multiShop: true, amounts: 'minor', vatRate: 'fraction' });
    const lineItems = [{ name: 'Чаша', quantity: 3, price: 1290, discount: 105, vatRate: 0.2, vatGroup: 'GROUP_B' }];

    const { body } = await minor('POST', '/order', { body: orderDto(id, { lineItems }) });

    expect(body).toMatchObject({
      lineItems: [{ price: 1290, discount: 105, vatRate: 0.2, netPrice: 1075, subtotalNet: 3225, priceVat: 215, subtotalVat: 628, subtotal: 3765 }],
    });
    expect(body).toMatchObject({ total: 3765, netTotal: 3137, totalVat: 628, totalDiscount: 105 });
    expect((await server.service.records({ shopId: id }))[0]).toMatchObject({
      record: { lineItems: [{ price: '12.90', vatRate: '20' }] },
      totals: { total: '37.65' },
    });
  });

  test('the public example, 15000 with a discount of 1000 at 20, is 150.00 leva less 10.00 in minor units', async () => {
    const [minor, id] = await newShop({ multiShop: true, amounts: 'minor' });
    const example = orderDto(id, { currency: 'BGN', lineItems: [{ ...line, price: 15000, discount: 1000 }] });

    expect((await minor('POST', '/order', { body: example })).body).toMatchObject({ total: 14000, totalVat: 2333, netTotal: 11667, totalDiscount: 1000 });
  });

  test.each(['PAYMENT_PROCESSOR', 'VIRTUAL_POS', 'POSTAL_PAYMENT', 'BANK_TRANSFER', 'FISCAL_RECEIPT', 'OTHER'])('can be paid by %s', async (paymentType) => {
    expect((await call('POST', '/order', { body: orderDto(shopId, { paymentType }) })).body).toMatchObject({ paymentType });
  });

  test.each([
    ['GROUP_A', 0],
    ['GROUP_B', 20],
    ['GROUP_C', 20],
    ['GROUP_D', 9],
  ])('a line of %s has %i percent', async (vatGroup, vatRate) => {
    const lineItems = [{ ...line, vatGroup, vatRate }];
    const otherRate = [{ ...line, vatGroup, vatRate: 19 }];

    expect((await call('POST', '/order', { body: orderDto(shopId, { lineItems }) })).status).toBe(200);
    expect((await call('POST', '/order', { body: orderDto(shopId, { lineItems: otherRate }) })).body['errors']).toEqual([
      { path: 'lineItems[0].vatRate', message: `must be ${vatRate}, the rate of ${vatGroup} on 2026-11-20` },
    ]);
  });

  test.each([
    ['EUR', 2, 1.25],
    ['JPY', 0, 125],
    ['KWD', 3, 1.255],
    ['BGN', 1, 1.5],
  ])('%s with precision %i takes %d', async (currency, precision, price) => {
    const body = orderDto(shopId, { currency, precision, lineItems: [{ ...line, price }] });

    expect((await call('POST', '/order', { body })).body).toMatchObject({ currency, precision, total: price });
  });
});

describe('one order per internalId', () => {
  test('a second one is 409 and names the recorded one', async () => {
    const first = await call('POST', '/order', { body: orderDto(shopId) });

    const second = await call('POST', '/order', { body: orderDto(shopId, { internalNumber: '#other' }) });

    expect(second).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:order-exists', id: first.body['id'] } });
    expect((await server.service.records({ shopId })).map(({ record }) => record.internalNumber)).toEqual(['#1042']);
  });

  test('two shops may use the same', async () => {
    const { body } = await call('POST', '/shop', { body: shopDto() });

    const answers = [await call('POST', '/order', { body: orderDto(shopId) }), await call('POST', '/order', { body: orderDto(String(body['id'])) })];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('after a delete it may be created again, with a new id', async () => {
    const first = await call('POST', '/order', { body: orderDto(shopId) });
    await call('DELETE', `/order/${String(first.body['id'])}`);

    const second = await call('POST', '/order', { body: orderDto(shopId) });

    expect(second.status).toBe(200);
    expect(second.body['id']).not.toBe(first.body['id']);
  });

  test('of creates at the same time one wins, and the others name it', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => call('POST', '/order', { body: orderDto(shopId, { internalNumber: `#${i}` }) })));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(new Set(answers.map(({ body }) => body['id'])).size).toBe(1);
  });

  test('creates and deletes that race leave one order or none, and never an error', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { body } = await call('POST', '/order', { body: orderDto(shopId) });
      const answers = await Promise.all([
        call('DELETE', `/order/${String(body['id'])}`),
        ...Array.from({ length: 3 }, () => call('POST', '/order', { body: orderDto(shopId) })),
      ]);
      expect(answers.every(({ status }) => [200, 409].includes(status))).toBe(true);
      for (const { id } of await server.service.records({ shopId })) await call('DELETE', `/order/${id}`);
    }
  });
});

describe('deleting an order', () => {
  test('returns its id and the time, and then it is not found', async () => {
    const { body } = await call('POST', '/order', { body: orderDto(shopId) });
    const path = `/order/${String(body['id'])}`;

    const answers = [await call('DELETE', path), await call('DELETE', path)];

    expect(answers[0]).toMatchObject({ status: 200, body: { id: body['id'], deletedAt: NOW } });
    expect(answers[1]).toMatchObject({ status: 404, body: { type: 'urn:compliance-service:problem:not-found' } });
  });

  test('finds an id in upper or lower case', async () => {
    const { body } = await call('POST', '/order', { body: orderDto(shopId) });

    expect((await call('DELETE', `/order/${String(body['id']).toUpperCase()}`)).body).toMatchObject({ id: body['id'] });
  });

  test('is only for the key that has the shop', async () => {
    const { body } = await call('POST', '/order', { body: orderDto(shopId) });
    const [stranger] = await newShop();

    expect((await stranger('DELETE', `/order/${String(body['id'])}`)).status).toBe(404);
    expect(await server.service.records({ shopId })).toHaveLength(1);
  });

  test('leaves nothing of its details in any table', async () => {
    // Not a word that a hash or an id may happen to contain.
    const secretive = { internalId: 'gone-wxyz', internalNumber: '#gone-wxyz', transactionId: 'pi_gone_wxyz', customer: { email: 'gone-wxyz@buyer.example' } };
    const { body } = await call('POST', '/order', { body: orderDto(shopId, secretive), headers: { 'idempotency-key': 'kwxyz' } });
    await call('DELETE', `/order/${String(body['id'])}`);

    const dump = await everything();

    expect(dump).toContain(String(body['id']));
    expect(dump.replace('kwxyz', '')).not.toContain('wxyz');
  });
});

async function everything(): Promise<string> {
  const { rows } = await server.pool.query(`select table_name from information_schema.tables where table_schema = 'compliance'`);
  const tables = await Promise.all(rows.map(({ table_name }) => server.pool.query(`select t::text as row from compliance.${table_name} t`)));
  return tables.flatMap((table) => table.rows.map(({ row }) => row)).join('\n');
}

test('recorded orders can be inspected, with sums in decimal text and without the buyer', async () => {
  await call('POST', '/order', { body: orderDto(shopId) });

  const [recorded] = await server.service.records({ shopId });

  expect(recorded).toMatchObject({ hasCustomer: true, createdAt: NOW, totals: { total: '59.45', netTotal: '51.37', totalVat: '8.08', totalDiscount: '1.05' } });
  expect(recorded?.record.lineItems[0]).toEqual({ name: 'Чаша', quantity: 3, price: '12.90', discount: '1.05', vatRate: '20', vatGroup: 'GROUP_B' });
  expect(JSON.stringify(recorded)).not.toContain('buyer.example');
});
