import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ListedKey } from '../../../src/service/keys/api-keys.ts';
import { type KeyProcess, openKeyProcess } from '../../support/keys/key-process.ts';
import { type ComplianceServer, SEALING_KEY, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { type Call, callerOf, dialectWith, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let program: Program;
let process: KeyProcess;
let call: Call;
let shopId: string;
let orderId: string;

beforeAll(async () => {
  postgres = await startPostgres('whole');
  const key = SEALING_KEY.toString('base64');
  program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS: key });
  process = await openKeyProcess(postgres.url, key);
  server = await startComplianceServer({ databaseUrl: postgres.url, sealing: process.keys.sealer, now: () => new Date('2026-11-20T10:00:00Z') });
  call = callerOf(server.baseUrl, await server.service.keys.create({ multiShop: true, label: 'the shop’s' }));
  shopId = String(
    (await call('POST', '/shop', { body: shopDto({ nraNumber: 'odd', auditRecipientEmails: ['a@audit.example', 'b@audit.example'] }) })).body['id'],
  );
  orderId = String((await call('POST', '/order', { body: orderDto(shopId) })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await process[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

describe('keys', () => {
  test('are made with every setting of the dialect', async () => {
    const flags = [
      '--amounts',
      'minor',
      '--vat-rate',
      'fraction',
      '--signature-algorithm',
      'sha512',
      '--signature-encoding',
      'base64',
      '--signature-empty-body',
      'omit',
    ];
    const { id, apiKey, apiSecret } = await program.json<Record<string, string>>(['service', 'keys', 'create', '--multi-shop', '--label', 'agency', ...flags]);

    const listed = (await program.json<ListedKey[]>(['service', 'keys', 'list'])).find((key) => key.id === id);

    expect([apiKey, apiSecret]).toEqual([expect.stringMatching(/^ck_/), expect.stringMatching(/^cs_/)]);
    expect(listed).toMatchObject({
      label: 'agency',
      multiShop: true,
      dialect: dialectWith({
        amounts: 'minor',
        vatRate: 'fraction',
        signatureAlgorithm: 'sha512',
        signatureEncoding: 'base64',
        signatureEmptyBody: 'omit',
      }),
    });
    expect(await program.ok(['service', 'keys', 'list'])).toMatch(/agency +\S+ +several +sha512 base64 omit minor fraction /);
  });

  test('an unknown value is refused, with the list of valid ones', async () => {
    const { code, err } = await program.run(['service', 'keys', 'create', '--amounts', 'cents']);

    expect([code, err]).toEqual([1, expect.stringContaining('Allowed choices are decimal, minor')]);
  });

  test('are revoked once', async () => {
    const { id } = await program.json<{ id: string }>(['service', 'keys', 'create']);

    const first = await program.run(['service', 'keys', 'revoke', id]);
    const second = await program.run(['service', 'keys', 'revoke', id]);
    const none = await program.run(['service', 'keys', 'revoke', '42']);

    expect([first.code, first.out]).toEqual([0, `The key ${id} is revoked.\n`]);
    expect([second.code, none.code]).toEqual([1, 1]);
    expect(second.err).toContain(`there is no live key ${id}`);
  });
});

describe('shops', () => {
  test('are listed and shown, with warnings', async () => {
    const list = await program.ok(['service', 'shops', 'list']);
    const shown = await program.run(['service', 'shops', 'show', shopId]);

    expect(list).toMatch(new RegExp(`^Магазин за чаши +cups.example +206770508 +odd +10 +\\d\\d\\.11\\.\\d* [\\d:]{8} +${shopId}$`, 'm'));
    expect(shown.out).toMatch(/^auditRecipientEmails +a@audit.example, b@audit.example$/m);
    expect(shown.err).toContain('Warning: nraNumber:');
    expect(await program.json(['service', 'shops', 'show', shopId])).toMatchObject({ id: shopId, name: 'Магазин за чаши' });
    expect(await program.json(['service', 'shops', 'list'])).toMatchObject([{ id: shopId }]);
  });

  test.each([randomUUID(), '42'])('%s is no shop', async (id) => {
    expect(await program.run(['service', 'shops', 'show', id])).toMatchObject({ code: 1, err: expect.stringContaining(`there is no shop ${id}`) });
  });
});

describe('orders', () => {
  test('of a shop are listed with document and declared amount', async () => {
    const list = await program.ok(['service', 'orders', 'list', '--shop', shopId]);

    expect(list).toMatch(new RegExp(`^#1042 +\\d{10} +2026-11-20 +2026-11 +59.45 EUR +59.45 EUR +PAYMENT_PROCESSOR +${orderId}$`, 'm'));
    expect(await program.ok(['service', 'orders', 'list', '--shop', shopId, '--month', '2026-10'])).toBe('No order found.\n');
    expect(await program.json(['service', 'orders', 'list', '--shop', shopId, '--month', '2026-11'])).toMatchObject([{ id: orderId }]);
  });

  test('are shown with lines and sums, and without their buyer', async () => {
    const shown = await program.ok(['service', 'orders', 'show', orderId]);

    expect(shown).toMatch(/^total +59.45 EUR: net 51.37, VAT 8.08, discounts 1.05$/m);
    expect(shown).toMatch(/^Чаша +3 +12.90 +1.05 +20 % GROUP_B +6.28 +37.65$/m);
    expect(shown).not.toContain('buyer.example');
    expect(await program.json(['service', 'orders', 'show', orderId])).toMatchObject({ id: orderId, customer: { email: 'ivan@buyer.example' } });
  });

  test('whose rate is missing say so', async () => {
    const { body } = await call('POST', '/order', { body: orderDto(shopId, { internalId: 'usd', currency: 'USD' }) });

    expect(await program.ok(['service', 'orders', 'show', String(body['id'])])).toMatch(/^declared +not yet: the exchange rate is missing/m);
    expect(await program.ok(['service', 'orders', 'list', '--shop', shopId])).toContain('rate missing');
  });

  test('more than the limit are mentioned', async () => {
    await call('POST', '/order', { body: orderDto(shopId, { internalId: 'another' }) });

    expect((await program.run(['service', 'orders', 'list', '--shop', shopId, '--limit', '1'])).err).toContain('There are more than 1 orders');
  });

  test.each([
    [['list', '--shop', '42'], 'there is no shop 42'],
    [['list', '--shop', randomUUID()], 'there is no shop'],
    [['list', '--shop', randomUUID(), '--month', '10'], 'It must be a month such as 2026-10'],
    [['show', '42'], 'no order 42 is recorded here'],
  ])('%j is refused in words', async (args, words) => {
    expect(await program.run(['service', 'orders', ...args])).toMatchObject({ code: 1, err: expect.stringContaining(words) });
  });
});
