import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let shopId: string;
let made = 0;

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

const x = (length: number) => 'x'.repeat(length);
const email = (length: number) => `${x(40)}@${`${x(60)}.`.repeat(3)}${x(length - 40 - 1 - 61 * 3)}`;
const line = { name: 'Чаша', quantity: 1, price: 10, vatRate: 20, vatGroup: 'GROUP_B' };
const lines = (changes: Record<string, unknown>) => ({ lineItems: [{ ...line, ...changes }] });

type Edge = [path: string, atTheEdge: Record<string, unknown>, beyond: Record<string, unknown>];

describe('a shop is accepted at the limit and refused beyond it', () => {
  test.each<Edge>([
    ['name', { name: x(250) }, { name: x(251) }],
    ['name', { name: 'я' }, { name: '' }],
    ['domain', { domain: `${x(60)}.${x(60)}.${x(60)}.${x(17)}` }, { domain: `${x(60)}.${x(60)}.${x(60)}.${x(18)}` }],
    ['domain', { domain: 'https://platform.example/shops/cups' }, { domain: 'https://platform.example/shops/my cups' }],
    ['domain', { domain: 'чаши.бг' }, { domain: 'чаши' }],
    ['customerPhone', { customerPhone: '+3591234' }, { customerPhone: '+359123' }],
    ['customerPhone', { customerPhone: '+359123456789012' }, { customerPhone: '+3591234567890123' }],
    ['customerEmail', { customerEmail: email(254) }, { customerEmail: email(255) }],
    ['nraNumber', { nraNumber: x(10) }, { nraNumber: x(11) }],
    ['companyUic', { companyUic: '206770508' }, { companyUic: '2067705080' }],
    ['companyName', { companyName: x(250) }, { companyName: x(251) }],
    ['companyAddress', { companyAddress: x(500) }, { companyAddress: x(501) }],
    ['auditGenerationDay', { auditGenerationDay: 1 }, { auditGenerationDay: 0 }],
    ['auditGenerationDay', { auditGenerationDay: 28 }, { auditGenerationDay: 29 }],
    ['auditRecipientEmails', { auditRecipientEmails: Array(20).fill('a@audit.example') }, { auditRecipientEmails: Array(21).fill('a@audit.example') }],
    ['auditRecipientEmails[0]', { auditRecipientEmails: [email(254)] }, { auditRecipientEmails: [email(255)] }],
    ['receiptStartNumber', { receiptStartNumber: 1 }, { receiptStartNumber: 0 }],
    ['receiptStartNumber', { receiptStartNumber: 9_000_000_000 }, { receiptStartNumber: 9_000_000_001 }],
  ])('%s', async (path, atTheEdge, beyond) => {
    const taken = await call('POST', '/shop', { body: shopDto(atTheEdge) });
    const refused = await call('POST', '/shop', { body: shopDto(beyond) });

    expect(taken).toMatchObject({ status: 200, body: atTheEdge });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });
});

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

describe('an order is accepted at the limit and refused beyond it', () => {
  test.each<Edge>([
    ['internalId', { internalId: x(255) }, { internalId: x(256) }],
    ['internalNumber', { internalNumber: x(255) }, { internalNumber: x(256) }],
    ['internalCreatedAt', { internalCreatedAt: '2000-01-01T00:00:00', lineItems: [line] }, { internalCreatedAt: '1999-12-31T23:59:59' }],
    ['internalCreatedAt', { internalCreatedAt: inDays(1) }, { internalCreatedAt: inDays(3) }],
    ['internalCreatedAt', { internalCreatedAt: '2024-02-29T10:00:00Z' }, { internalCreatedAt: '2026-02-29T10:00:00Z' }],
    ['customer.email', { customer: { email: x(254) } }, { customer: { email: x(255) } }],
    ['customer.phone', { customer: { phone: x(50) } }, { customer: { phone: x(51) } }],
    ['customer.firstName', { customer: { firstName: x(255) } }, { customer: { firstName: x(256) } }],
    ['customer.lastName', { customer: { lastName: x(255) } }, { customer: { lastName: x(256) } }],
    ['lineItems', { lineItems: [line] }, { lineItems: [] }],
    ['lineItems', { lineItems: Array(1000).fill(line) }, { lineItems: Array(1001).fill(line) }],
    ['lineItems', lines({ price: 99_999_999.99, quantity: 1000 }), lines({ price: 100_000_000, quantity: 1000 })],
    ['lineItems[0].name', lines({ name: x(1000) }), lines({ name: x(1001) })],
    ['lineItems[0].quantity', lines({ quantity: 0.001 }), lines({ quantity: 0 })],
    ['lineItems[0].quantity', lines({ quantity: 1_000_000 }), lines({ quantity: 1_000_001 })],
    ['lineItems[0].quantity', lines({ quantity: 1.125 }), lines({ quantity: 1.1255 })],
    ['lineItems[0].price', lines({ price: 0 }), lines({ price: -0.01 })],
    ['lineItems[0].price', lines({ price: 999_999_999.99 }), lines({ price: 1_000_000_000 })],
    ['lineItems[0].price', lines({ price: 1.55 }), lines({ price: 1.555 })],
    ['lineItems[0].discount', lines({ discount: 10 }), lines({ discount: 10.01 })],
    ['lineItems[0].vatRate', lines({ vatRate: 9, vatGroup: 'GROUP_D' }), lines({ vatRate: 9.5, vatGroup: 'GROUP_D' })],
    ['paymentProcessorName', { paymentProcessorName: x(255) }, { paymentProcessorName: x(256) }],
    ['transactionId', { transactionId: x(200) }, { transactionId: x(201) }],
    ['precision', { precision: 2 }, { precision: 3 }],
    ['precision', { precision: 0, lineItems: [line] }, { precision: -1 }],
    ['currency', { currency: 'USD' }, { currency: 'USDT' }],
  ])('%s', async (path, atTheEdge, beyond) => {
    made += 1;
    const taken = await call('POST', '/order', { body: orderDto(shopId, { internalId: `edge-${made}`, ...atTheEdge }) });
    const refused = await call('POST', '/order', { body: orderDto(shopId, { internalId: `beyond-${made}`, ...beyond }) });

    expect(taken).toMatchObject({ status: 200, body: atTheEdge });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  test('in minor units the limits are the same amounts of money', async () => {
    const minor = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true, amounts: 'minor' }));
    const id = String((await minor('POST', '/shop', { body: shopDto() })).body['id']);

    const taken = await minor('POST', '/order', { body: orderDto(id, lines({ price: 99_999_999_999 })) });
    const refused = await minor('POST', '/order', { body: orderDto(id, { internalId: 'b', ...lines({ price: 100_000_000_000 }) }) });

    expect(taken).toMatchObject({ status: 200, body: { total: 99_999_999_999 } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'lineItems[0].price' }] } });
  });

  test('a body of 2 MiB is accepted, one byte more is not', async () => {
    const body = JSON.stringify(orderDto(shopId, { internalId: 'large' }));
    const padded = (bytes: number) => body.padEnd(bytes - Buffer.byteLength(body) + body.length, ' ');

    expect((await call('POST', '/order', { body: padded(2 * 1024 * 1024) })).status).toBe(200);
    expect((await call('POST', '/order', { body: padded(2 * 1024 * 1024 + 1) })).status).toBe(413);
  });
});

describe('the characters of a text', () => {
  test.each(['tab\tand\nline', '👍🏽 emoji', 'Ελληνικά', '“кавички”', '€ № ½'])('%j is accepted unchanged', async (name) => {
    made += 1;

    expect((await call('POST', '/order', { body: orderDto(shopId, { internalId: `text-${made}`, ...lines({ name }) }) })).body).toMatchObject({
      lineItems: [{ name }],
    });
  });

  test.each(['\u0007bell', '\u009fcontrol', 'lone \ud83d', '\uffff', ' \n'])('%j is refused', async (name) => {
    expect((await call('POST', '/order', { body: orderDto(shopId, lines({ name })) })).body).toMatchObject({ errors: [{ path: 'lineItems[0].name' }] });
  });
});
