import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { publish } from '../../support/samples/rates.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type Read, readerOf } from '../../support/worlds/reader.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let clock: Date;
let call: Call;
let read: Read;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => clock });
  await publish(server.pool, { '2026-11-18': { USD: '1.1', JPY: '181.5' }, '2026-11-20': { USD: '1.1735' } });
});
beforeEach(async () => {
  clock = new Date('2026-11-23T10:00:00Z');
  const created = await sharingKey(server, { multiShop: true });
  call = callerOf(server.baseUrl, created);
  read = readerOf(server.baseUrl, created);
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const line = { name: 'Чаша', quantity: 3, price: 12.9, discount: 1.05, vatRate: 20, vatGroup: 'GROUP_B' };

/** The declared amounts of an order of this line. */
async function declared(changes: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { body } = await call('POST', '/order', { body: orderDto(shopId, { lineItems: [line], ...changes }) });
  return (await read(`/orders/${String(body['id'])}`)).body;
}

describe('an order is declared', () => {
  test('in euro as it is', async () => {
    expect(await declared({})).toMatchObject({ month: '2026-11', accountingCurrency: 'EUR', accountingTotal: 37.65, accountingVat: 6.28, exchange: null });
  });

  test('in euro at the fixed rate if it is in leva, each line separately', async () => {
    // 37.65 ÷ 1.95583 → 19.25, and 0.01 → 0.01 twice; 37.67 at once would be 19.26.
    const small = { ...line, quantity: 1, price: 0.01, discount: 0 };
    const order = await declared({ currency: 'BGN', lineItems: [line, small, small] });

    expect(order).toMatchObject({ accountingCurrency: 'EUR', accountingTotal: 19.27, accountingVat: 3.21, exchange: null });
  });

  test('at the bank’s rate of its day in any other currency, and the rate stays with it', async () => {
    const order = await declared({ currency: 'USD', internalCreatedAt: '2026-11-20T10:00:00' });

    // 3 × 12.90 − 1.05 = 37.65, ÷ 1.1735.
    expect(order).toMatchObject({
      currency: 'USD',
      total: 37.65,
      accountingCurrency: 'EUR',
      accountingTotal: 32.08,
      accountingVat: 5.35,
      exchange: { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1735', publishedOn: '2026-11-20', source: 'BNB' },
    });
  });

  test('at the last rate before it on a day without one', async () => {
    expect(await declared({ currency: 'USD', internalCreatedAt: '2026-11-22T10:00:00' })).toMatchObject({ exchange: { publishedOn: '2026-11-20' } });
  });

  test('from a currency without minor units to the cent', async () => {
    const order = await declared({
      currency: 'JPY',
      precision: 0,
      internalCreatedAt: '2026-11-18T10:00:00',
      lineItems: [{ ...line, price: 1290, discount: 105 }],
    });

    // 3765 ÷ 181.5 = 20.7438…
    expect(order).toMatchObject({ total: 3765, accountingTotal: 20.74, accountingVat: 3.46 });
  });

  test('D12: with the VAT that is answered, to the cent, also in whole euro', async () => {
    const whole = { ...line, quantity: 1, discount: 0 };
    const order = await declared({
      precision: 0,
      lineItems: [
        { ...whole, price: 100 },
        { ...whole, price: 37 },
      ],
    });

    expect(order).toMatchObject({ total: 137, totalVat: 22.83, netTotal: 114.17, accountingTotal: 137, accountingVat: 22.83 });
    expect(order['lineItems']).toMatchObject([
      { subtotal: 100, subtotalVat: 16.67 },
      { subtotal: 37, subtotalVat: 6.16 },
    ]);
  });
});

test('without a rate the order is recorded, and its declared amounts stay open', async () => {
  expect(await declared({ currency: 'SEK' })).toMatchObject({
    currency: 'SEK',
    total: 37.65,
    month: '2026-11',
    documentNumber: expect.stringMatching(/^\d{10}$/),
    accountingTotal: null,
    accountingVat: null,
    exchange: null,
  });
});

describe('the change to the euro', () => {
  const december = { internalCreatedAt: '2025-12-31T23:59:59+02:00' };

  beforeEach(() => {
    clock = new Date('2026-01-10T10:00:00Z');
  });

  test('an order of December 2025 is declared in leva while its file is open', async () => {
    // 37.65 × 1.95583 = 73.6369…
    expect(await declared(december)).toMatchObject({ month: '2025-12', accountingCurrency: 'BGN', accountingTotal: 73.64 });
    expect(await declared({ ...december, internalId: '2', currency: 'BGN' })).toMatchObject({ accountingCurrency: 'BGN', accountingTotal: 37.65 });
  });

  test('one that comes after the deadline of that file is declared in euro', async () => {
    clock = new Date('2026-02-02T10:00:00Z');

    expect(await declared({ ...december, currency: 'BGN' })).toMatchObject({ month: '2026-01', accountingCurrency: 'EUR', accountingTotal: 19.25 });
  });

  test('a second later it is an order of January', async () => {
    expect(await declared({ internalCreatedAt: '2025-12-31T22:00:00Z' })).toMatchObject({
      month: '2026-01',
      accountingCurrency: 'EUR',
      accountingTotal: 37.65,
    });
  });
});
