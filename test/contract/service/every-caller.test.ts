import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Dialect } from '../../../src/contract/dialect.ts';
import type { TaxRecord } from '../../../src/contract/record.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { callerOf, dialectWith, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type MakeOrderCaller, type OrderCaller, overRawHttp, throughTheClient } from '../../support/worlds/order-callers.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NIL = '00000000-0000-0000-0000-000000000000';

const record: TaxRecord = {
  internalId: '5001',
  internalNumber: '#1042',
  internalCreatedAt: '2026-11-20T10:15:00+02:00',
  lineItems: [
    { name: 'Чаша', quantity: 3, price: '12.90', discount: '1.05', vatRate: '20', vatGroup: 'GROUP_B' },
    { name: 'Книга', quantity: 1, price: '21.80', discount: '0.00', vatRate: '9', vatGroup: 'GROUP_D' },
  ],
  paymentType: 'PAYMENT_PROCESSOR',
  paymentProcessorName: 'Stripe',
  transactionId: 'pi_1',
  precision: 2,
  currency: 'EUR',
};

const callers: [string, MakeOrderCaller][] = [
  ['raw HTTP', overRawHttp],
  ['the bridge’s client', throughTheClient],
];
const dialects: [string, Partial<Dialect>][] = [
  ['as usual', {}],
  ['in minor units and fractions', { amounts: 'minor', vatRate: 'fraction' }],
  ['signed with SHA-512 in base64', { signatureAlgorithm: 'sha512', signatureEncoding: 'base64' }],
  ['signed with SHA-1, and not at all without a body', { signatureAlgorithm: 'sha1', signatureEmptyBody: 'omit' }],
];
const all = callers.flatMap(([caller, make]) => dialects.map(([how, changes]) => ({ caller, make, how, changes })));

let postgres: TestPostgres;
let server: ComplianceServer;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

describe.each(all)('orders through $caller, $how', ({ make, changes }) => {
  let orders: OrderCaller;
  let shopId: string;

  beforeEach(async () => {
    ({ orders, shopId } = await newShop());
  });

  async function newShop() {
    const dialect = dialectWith(changes);
    const { idempotencyKey: _, ...ofKey } = dialect;
    const credentials = await sharingKey(server, { multiShop: true, ...ofKey });
    const { body } = await callerOf(server.baseUrl, credentials)('POST', '/shop', { body: shopDto(), dialect });
    return { orders: make(server.baseUrl, credentials, dialect), shopId: String(body['id']), credentials, dialect };
  }

  const create = (some: Partial<TaxRecord> = {}, key = 'k1') => orders.create({ record: { ...record, ...some }, shopId, key });

  test('a create is recorded to the cent, and returns its id', async () => {
    const { status, id } = await create();

    expect([status, id]).toEqual([200, expect.stringMatching(UUID)]);
    expect(await server.service.records({ shopId })).toMatchObject([
      { id, record, totals: { total: '59.45', netTotal: '51.37', totalVat: '8.08', totalDiscount: '1.05' } },
    ]);
  });

  test('a second create of the same order names the recorded one', async () => {
    const first = await create();

    expect(await create({}, 'k2')).toMatchObject({ status: 409, id: null, current: first.id });
  });

  test('a repeat with the same key gets the same id, another order with it is refused', async () => {
    const first = await create();

    expect(await create()).toMatchObject({ status: 200, id: first.id });
    expect(await create({ internalId: '5002' })).toMatchObject({ status: 422, id: null });
    expect(await server.service.records({ shopId })).toHaveLength(1);
  });

  test('a bad field is named', async () => {
    const answer = await create({ currency: 'QQQ' });

    expect(answer).toMatchObject({ status: 400, id: null, words: expect.stringContaining('currency') });
    expect(await server.service.records({ shopId })).toEqual([]);
  });

  test('a delete is done once, and then the order may be created again', async () => {
    const first = await create();

    const statuses = [(await orders.remove(first.id ?? '')).status, (await orders.remove(first.id ?? '')).status];
    const again = await create({}, 'k2');

    expect(statuses).toEqual([200, 404]);
    expect(again.status).toBe(200);
    expect(again.id).not.toBe(first.id);
  });

  test('a receipt is issued once, and a repeated request returns it', async () => {
    const { id } = await create();

    const [first, second] = [await orders.receipt(id ?? ''), await orders.receipt(id ?? '')];

    expect(first).toMatchObject({ status: 200, id: expect.stringMatching(UUID) });
    expect(second.id).toBe(first.id);
  });

  test('an order paid by postal payment has no receipt', async () => {
    const { id } = await create({ paymentType: 'POSTAL_PAYMENT', paymentProcessorName: null, transactionId: null });

    expect(await orders.receipt(id ?? '')).toMatchObject({ status: 422, id: null });
  });

  test('another key’s shop and orders are not found', async () => {
    const { id } = await create();
    const { orders: stranger } = await newShop();

    const answers = [
      await stranger.create({ record, shopId, key: 'k' }),
      await stranger.remove(id ?? ''),
      await stranger.receipt(id ?? ''),
      await orders.remove(NIL),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(await server.service.records({ shopId })).toHaveLength(1);
  });

  test('a wrong secret gives no access', async () => {
    const { credentials, dialect, shopId: own } = await newShop();
    const thief = make(server.baseUrl, { ...credentials, apiSecret: 'cs_guessed' }, dialect);

    expect(await thief.create({ record, shopId: own, key: 'k' })).toMatchObject({ status: 401, id: null });
    expect(await server.service.records({ shopId: own })).toEqual([]);
  });
});
