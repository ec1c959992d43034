import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PAYMENT_TYPES } from '../../../src/contract/order-dto.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Answered, type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

/** What the document says of a body, as far as it depends on other fields. */
const bodySchema = z.looseObject({
  required: z.array(z.string()).default([]),
  minProperties: z.int().default(0),
  properties: z.record(z.string(), z.looseObject({ description: z.string().default(''), items: z.unknown().optional() })),
  allOf: z
    .array(
      z.strictObject({
        if: z.strictObject({ properties: z.record(z.string(), z.strictObject({ const: z.string() })), required: z.array(z.string()) }),
        then: z.strictObject({ required: z.array(z.string()) }),
      }),
    )
    .default([]),
});
const served = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let extension: Call;
let shopId: string;
let schemas: Record<string, unknown>;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
  schemas = served.parse(await (await fetch(`${server.baseUrl}/openapi.json`)).json()).components.schemas;
  const key = await sharingKey(server, { multiShop: true });
  [call, extension] = [callerOf(server.baseUrl, key), callerOf(server.baseUrl, key, '/service/v1')];
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

describe('the conditions of the OpenAPI document', () => {
  const bare = { paymentProcessorName: undefined, transactionId: undefined };
  const some = { paymentProcessorName: 'Stripe', transactionId: 'pi_1' };
  const given = [{}, { paymentProcessorName: some.paymentProcessorName }, { transactionId: some.transactionId }, some];
  const cases = PAYMENT_TYPES.flatMap((paymentType) => given.map((fields) => ({ paymentType, fields, named: Object.keys(fields).join(' and ') || 'neither' })));

  test('need a field for some ways of payment', () => {
    expect(schemaOf('CreateOrderDto').allOf.map(({ if: when, then }) => [when.properties['paymentType']?.const, then.required])).toEqual([
      ['PAYMENT_PROCESSOR', ['paymentProcessorName']],
      ['VIRTUAL_POS', ['transactionId']],
    ]);
  });

  test.each(cases)('hold for $paymentType with $named', async ({ paymentType, fields, named }) => {
    const body = orderDto(shopId, { ...bare, ...fields, paymentType, internalId: `${paymentType} ${named}` });

    const answer = await call('POST', '/order', { body });

    const lacking = missing('CreateOrderDto', body);
    expect(pathsOf(answer)).toEqual(lacking);
    expect(answer.status).toBe(lacking.length === 0 ? 200 : 400);
  });

  test.each([
    ['CreateShopDto', () => shopDto()],
    ['CreateOrderDto', () => orderDto(shopId, { internalId: 'required' })],
  ] as const)('of %s: what is required is refused if it is left out, and nothing else', async (name, whole) => {
    for (const field of Object.keys(schemaOf(name).properties)) {
      const { [field]: _, ...body }: Record<string, unknown> = whole();
      const needed = missing(name, body);
      // Only those that are refused: what is accepted would be recorded, and refuse the next.
      if (needed.length === 0) continue;
      expect.soft(pathsOf(await call('POST', name === 'CreateShopDto' ? '/shop' : '/order', { body })), field).toEqual(needed);
    }
    const least = Object.fromEntries(Object.entries(whole()).filter(([field]) => missing(name, { ...whole(), [field]: undefined }).includes(field)));
    expect((await call('POST', name === 'CreateShopDto' ? '/shop' : '/order', { body: least })).status).toBe(200);
  });

  test('of a change: it names a field at least', async () => {
    const put = (body: unknown) => call('PUT', `/shop/${shopId}`, { body });
    const patch = (body: unknown) => extension('PATCH', `/shops/${shopId}`, { body });

    expect([schemaOf('UpdateShopDto'), schemaOf('ShopOptionsDto')].map(({ minProperties, required }) => ({ minProperties, required }))).toEqual([
      { minProperties: 1, required: [] },
      { minProperties: 1, required: [] },
    ]);
    expect([await put({}), await patch({})].map(({ status }) => status)).toEqual([400, 400]);
    expect([await put({ companyAddress: 'Варна' }), await patch({ receiptEnglish: true })].map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('conditions that JSON Schema can’t say are in the words of their field', () => {
  const line = { name: 'Чаша', quantity: 1, price: 10, vatRate: 20, vatGroup: 'GROUP_B' };
  test.each([
    { field: 'precision', words: /no more than the currency/, sent: { currency: 'JPY', precision: 2, lineItems: [line] }, path: 'precision' },
    { field: 'price', words: /no more decimals than `precision`/, sent: { precision: 1, lineItems: [{ ...line, price: 10.25 }] }, path: 'lineItems[0].price' },
    {
      field: 'discount',
      words: /no more decimals than `precision`/,
      sent: { precision: 1, lineItems: [{ ...line, discount: 0.25 }] },
      path: 'lineItems[0].discount',
    },
    { field: 'discount', words: /at most price × quantity/, sent: { lineItems: [{ ...line, discount: 10.01 }] }, path: 'lineItems[0].discount' },
    {
      field: 'vatGroup',
      words: /its rate on the day of the order must be `vatRate`/,
      sent: { lineItems: [{ ...line, vatRate: 9 }] },
      path: 'lineItems[0].vatRate',
    },
    { field: 'lineItems', words: /less than 100000000000 together/, sent: { lineItems: [{ ...line, price: 999_999_999, quantity: 101 }] }, path: 'lineItems' },
    { field: 'internalCreatedAt', words: /from 2000 to tomorrow/, sent: { internalCreatedAt: '1999-12-31T12:00:00+02:00' }, path: 'internalCreatedAt' },
  ])('$field: $words', async ({ field, words, sent, path }) => {
    const answer = await call('POST', '/order', { body: orderDto(shopId, { internalId: String(words), ...sent }) });

    expect(wordsOf('CreateOrderDto', field)).toMatch(words);
    expect({ status: answer.status, paths: pathsOf(answer) }).toEqual({ status: 400, paths: [path] });
  });

  const entry = { month: '2026-10', orders: 1, total: '5.00', currency: 'EUR', oldest: '2026-10-03T08:00:00.000Z', codes: { queued: 1 } };
  test.each([
    { field: 'total', words: /with the decimals of the `currency`/, sent: [{ ...entry, currency: 'JPY' }], path: 'months[0].total' },
    { field: 'codes', words: /no more than `orders`/, sent: [{ ...entry, codes: { queued: 2 } }], path: 'months[0].codes.queued' },
    { field: 'months', words: /One entry for each month and currency/, sent: [entry, entry], path: 'months[1]' },
  ])('$field of what is outstanding: $words', async ({ field, words, sent, path }) => {
    const answer = await extension('PUT', `/shops/${shopId}/outstanding`, { body: { at: '2026-10-05T00:00:00Z', months: sent } });

    expect(wordsOf('OutstandingDto', field)).toMatch(words);
    expect({ status: answer.status, paths: pathsOf(answer) }).toEqual({ status: 400, paths: [path] });
  });
});

function schemaOf(name: string): z.output<typeof bodySchema> {
  return bodySchema.parse(schemas[name]);
}

/** The fields that a body lacks, as the document says. */
function missing(name: string, body: object): string[] {
  const { required, allOf } = schemaOf(name);
  const fields = new Map(Object.entries(body).filter(([, value]) => value !== undefined));
  const also = allOf.filter(({ if: when }) => Object.entries(when.properties).every(([field, { const: value }]) => fields.get(field) === value));
  return [...required, ...also.flatMap(({ then }) => then.required)].filter((field) => !fields.has(field));
}

/** The description of a field, or of one of its entries. */
function wordsOf(name: string, field: string): string {
  const { properties } = schemaOf(name);
  const nested = Object.values(properties).flatMap(({ items }) => {
    const entry = bodySchema.safeParse(items);
    return entry.success ? Object.entries(entry.data.properties) : [];
  });
  return new Map([...Object.entries(properties), ...nested]).get(field)?.description ?? '';
}

function pathsOf({ body }: Answered): string[] {
  const errors = z.array(z.object({ path: z.string() })).default([]);
  return errors.parse(body['errors']).map(({ path }) => path);
}
