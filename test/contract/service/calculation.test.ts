import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LineExample, lineExamples, orderExamples } from '../../support/samples/worked-examples.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const CURRENCIES = ['JPY', 'EUR', 'EUR', 'KWD'];
const GROUPS: Record<string, string> = { '0': 'GROUP_A', '9': 'GROUP_D', '20': 'GROUP_B' };

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let shopId: string;
let orders = 0;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
  call = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

async function answerFor(examples: readonly LineExample[], precision: number): Promise<Record<string, unknown>> {
  const lineItems = examples.map(({ name, line: { quantity, price, discount, vatRate } }) => ({
    name,
    quantity: Number(quantity),
    price: Number(price),
    discount: Number(discount),
    vatRate: Number(vatRate),
    vatGroup: GROUPS[vatRate],
  }));
  orders += 1;
  const { body } = await call('POST', '/order', {
    body: orderDto(shopId, { internalId: String(orders), lineItems, precision, currency: CURRENCIES[precision] }),
  });
  return body;
}

function numbersOf(texts: Readonly<Record<string, string>>): Record<string, number> {
  return Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, Number(value)]));
}

describe('over HTTP, the sums of the documented examples are those of', () => {
  test.each(lineExamples)('line $name', async (example) => {
    const { lineItems } = await answerFor([example], example.precision);

    expect(lineItems).toMatchObject([numbersOf(example.totals)]);
  });

  test.each(orderExamples)('an order of the lines $name', async ({ lines, totals }) => {
    expect(await answerFor(lines, 2)).toMatchObject(numbersOf(totals));
  });
});
