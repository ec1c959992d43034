import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ordersInEndedCurrency } from '../../../src/service/orders/questionable-orders.ts';
import { publish } from '../../support/samples/rates.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Answered, type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const ONE = { lineItems: [{ name: 'Чаша', quantity: 1, price: 37.65, vatRate: 20, vatGroup: 'GROUP_B' }] };

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let extension: Call;
let orders = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => NOW });
  const key = await sharingKey(server, { multiShop: true });
  call = callerOf(server.baseUrl, key);
  extension = callerOf(server.baseUrl, key, '/service/v1');
  await publish(server.pool, { '2026-11-20': { USD: '1.1735' } });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function newShop(): Promise<string> {
  return String((await call('POST', '/shop', { body: shopDto() })).body['id']);
}

/** Each order has an id, a number and a payment of its own. */
function create(shopId: string, changes: Record<string, unknown> = {}, key?: string): Promise<Answered> {
  orders += 1;
  const own = { internalId: `${orders}`, internalNumber: `#${orders}`, transactionId: `pi_${orders}` };
  return call('POST', '/order', {
    body: { ...orderDto(shopId, { ...own, ...changes }) },
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });
}

const without = (name: string) => ({ [name]: undefined });
const warned = ({ body }: Pick<Answered, 'body'>) => (Array.isArray(body['warnings']) ? body['warnings'].map(({ path }) => path) : body);

async function monthOf(shopId: string, month = '2026-11') {
  return (await extension('GET', `/shops/${shopId}/months/${month}`)).body;
}

describe('service F3: an order in a currency that had ended when it was made', () => {
  test('is taken, with a warning in its answer, wherever it is read, in its month and for the health status', async () => {
    const shopId = await newShop();
    const created = await create(shopId, { ...ONE, currency: 'BGN', internalNumber: '#lev' });

    const read = await extension('GET', `/orders/${String(created.body['id'])}`);

    expect(created.status).toBe(200);
    expect(created.body['warnings']).toMatchObject([{ path: 'currency', message: expect.stringContaining('BGN ended on 2026-01-31') }]);
    expect(String(JSON.stringify(created.body['warnings']))).toContain('1.95583');
    expect(read.body['warnings']).toEqual(created.body['warnings']);
    expect((await monthOf(shopId))['questionable']).toEqual([{ why: 'currency-ended', currency: 'BGN', orders: 1, numbers: ['#lev'] }]);
    expect(await ordersInEndedCurrency(server.pool, NOW)).toContainEqual({ month: '2026-11', currency: 'BGN', orders: 1 });
  });

  test('is judged by its own time', async () => {
    const shopId = await newShop();

    const last = await create(shopId, { currency: 'BGN', internalCreatedAt: '2026-01-31T21:59:59Z' });
    const first = await create(shopId, { currency: 'BGN', internalCreatedAt: '2026-01-31T22:00:00Z' });

    expect([warned(last), warned(first)]).toEqual([[], ['currency']]);
  });

  test('without any rate to come says that, and so does its month', async () => {
    const shopId = await newShop();

    const kuna = await create(shopId, { currency: 'HRK' });
    const dinar = await create(shopId, { currency: 'RSD' });
    const dollar = await create(shopId, { currency: 'USD', internalCreatedAt: '2026-11-21T11:00:00+02:00' });

    for (const { body } of [kuna, dinar]) expect(JSON.stringify(body['warnings'])).toContain('no rate of it will ever come');
    expect(warned(dollar)).toEqual([]);
    expect((await monthOf(shopId))['situation']).toMatchObject({
      kind: 'blocked',
      missingRates: [
        { currency: 'HRK', never: true },
        { currency: 'RSD', never: true },
      ],
    });
  });

  describe('of a shop that refuses such orders', () => {
    const refusing = async () => {
      const shopId = await newShop();
      return { shopId, refuse: (is: boolean) => extension('PATCH', `/shops/${shopId}`, { body: { refuseEndedCurrencies: is } }) };
    };

    test('is 422, by its own time and never by the day of the call', async () => {
      const { shopId, refuse } = await refusing();
      expect((await refuse(true)).body['refuseEndedCurrencies']).toBe(true);

      const late = await create(shopId, { currency: 'BGN' });
      const december = await create(shopId, { currency: 'BGN', internalCreatedAt: '2025-12-10T10:00:00+02:00' });

      expect([late.status, late.body['type']]).toEqual([422, 'urn:compliance-service:problem:currency-ended']);
      expect([december.status, (await create(shopId)).status]).toEqual([200, 200]);
    });

    test('passes if it was recorded before: repeated, replaced and put back', async () => {
      const { shopId, refuse } = await refusing();
      const dto = { ...ONE, currency: 'BGN', internalId: 'before', transactionId: 'pi_before', internalNumber: '#before' };
      const recorded = await create(shopId, dto, 'key-before');
      await refuse(true);

      const repeated = await create(shopId, dto, 'key-before');
      const again = await create(shopId, dto);
      await call('DELETE', `/order/${String(recorded.body['id'])}`);
      const replaced = await create(shopId, { ...dto, lineItems: [{ ...ONE.lineItems[0], price: 20 }] });
      await call('DELETE', `/order/${String(replaced.body['id'])}`);
      const createdAgain = await create(shopId, dto);

      expect([repeated, again, replaced, createdAgain].map(({ status }) => status)).toEqual([200, 409, 200, 200]);
      expect(repeated.headers.get('idempotency-replayed')).toBe('true');
    });
  });
});

describe('service F4: a payment through a provider without its reference', () => {
  test('is warned about, and counted in its month', async () => {
    const shopId = await newShop();
    const missing = await create(shopId, { ...without('transactionId'), internalNumber: '#none' });
    const transfer = await create(shopId, { ...without('transactionId'), ...without('paymentProcessorName'), paymentType: 'BANK_TRANSFER' });

    expect([warned(missing), warned(transfer)]).toEqual([['transactionId'], []]);
    expect((await monthOf(shopId))['questionable']).toEqual([{ why: 'transaction-missing', currency: null, orders: 1, numbers: ['#none'] }]);
  });
});

describe('service F10: what looks wrong is said', () => {
  test('two orders of a shop with one transaction, in the second answer, in both when they are read, and in the month', async () => {
    const shopId = await newShop();
    const first = await create(shopId, { transactionId: 'pi_same', internalNumber: '#a' });
    const second = await create(shopId, { transactionId: 'pi_same', internalNumber: '#b' });
    const elsewhere = await create(await newShop(), { transactionId: 'pi_same' });

    const read = await extension('GET', `/orders?shopId=${shopId}`);

    expect([first, second, elsewhere].map(warned)).toEqual([[], ['transactionId'], []]);
    expect(JSON.stringify(second.body['warnings'])).toContain('the order #a of this shop');
    expect(read.body['items']).toMatchObject([{ warnings: [{ path: 'transactionId' }] }, { warnings: [{ path: 'transactionId' }] }]);
    expect((await monthOf(shopId))['questionable']).toEqual([{ why: 'transaction-shared', currency: null, orders: 2, numbers: ['#a', '#b'] }]);
  });

  test('also of twins that are recorded at the same moment', async () => {
    const shopId = await newShop();

    const twins = await Promise.all(Array.from({ length: 20 }, () => create(shopId, { transactionId: 'pi_at_once' })));

    expect(twins.filter((one) => warned(one).length === 0).length).toBeLessThanOrEqual(1);
  });

  test('a replacement is no twin of what it replaces', async () => {
    const shopId = await newShop();
    const first = await create(shopId, { internalId: 'r', transactionId: 'pi_r' });
    await call('DELETE', `/order/${String(first.body['id'])}`);

    expect(warned(await create(shopId, { internalId: 'r', transactionId: 'pi_r' }))).toEqual([]);
  });

  test.each([
    ['2000-01-02T10:00:00+02:00', ['internalCreatedAt']],
    ['2025-11-19T10:00:00+02:00', ['internalCreatedAt']],
    ['2025-11-21T10:00:00+02:00', []],
    ['2026-11-21T23:59:59+02:00', []],
    ['2026-11-22T00:00:00+02:00', ['internalCreatedAt']],
  ])('an order made on a day that is a year back or to come: %s', async (internalCreatedAt, paths) => {
    expect(warned(await create(await newShop(), { ...ONE, internalCreatedAt }))).toEqual(paths);
  });

  test('characters that turn the direction of text', async () => {
    expect(warned(await create(await newShop(), { internalNumber: '#1\u202e24' }))).toEqual(['internalNumber']);
  });
});

describe('service F10: what can’t be meant is refused by name', () => {
  test('a member that comes twice', async () => {
    const body = JSON.stringify(orderDto(await newShop())).replace('"price":12.9', String.raw`"price":12.9,"\u0070rice":1.29`);

    const { status, body: problem } = await call('POST', '/order', { body });

    expect([status, problem['errors']]).toEqual([400, [{ path: 'lineItems[0].price', message: 'comes twice' }]]);
  });

  test('a name without a visible character', async () => {
    const { status, body } = await create(await newShop(), { lineItems: [{ ...ONE.lineItems[0], name: '\u200b\u3164' }] });

    expect([status, body['errors']]).toEqual([400, [{ path: 'lineItems[0].name', message: 'must have a visible character' }]]);
  });
});
