import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let postgres: TestPostgres;
let server: ComplianceServer;
let clock = new Date('2026-11-20T10:00:00.000Z');
let call: Call;
let stranger: Call;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url, now: () => clock });
  stranger = await newCaller();
});
beforeEach(async () => {
  clock = new Date('2026-11-20T10:00:00.000Z');
  call = await newCaller();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const newCaller = async (multiShop = true): Promise<Call> => callerOf(server.baseUrl, await sharingKey(server, { multiShop }));

async function newShop(changes: Record<string, unknown> = {}, by = call): Promise<string> {
  const { body } = await by('POST', '/shop', { body: shopDto(changes) });
  return String(body['id']);
}

describe('creating a shop', () => {
  test('returns every field, the defaults of those left out, the id and the times', async () => {
    const answer = await call('POST', '/shop', { body: shopDto() });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      ...shopDto(),
      vatGroup: 'GROUP_B',
      auditGenerationDay: 10,
      auditRecipientEmails: [],
      auditNoReceiptOrders: true,
      returnPaymentMethod: 'IBAN',
      receiptStartNumber: 1,
      createdAt: '2026-11-20T10:00:00.000Z',
      updatedAt: '2026-11-20T10:00:00.000Z',
      warnings: [{ path: 'receiptStartNumber', message: expect.stringContaining('was left out') }],
    });
  });

  test('takes every documented field', async () => {
    const all = shopDto({
      vatGroup: 'GROUP_D',
      auditGenerationDay: 28,
      auditRecipientEmails: ['a@audit.example', 'b@audit.example'],
      auditNoReceiptOrders: false,
      returnPaymentMethod: 'CARD',
      receiptStartNumber: 9_000_000_000,
    });

    expect((await call('POST', '/shop', { body: all })).body).toMatchObject(all);
  });

  test.each([
    ['name', '', 'must not be empty'],
    ['name', 'x'.repeat(251), 'must be 250 characters at most'],
    ['name', 'a\u0000b', 'must not contain control characters or broken Unicode'],
    ['name', 'a\ud800b', 'must not contain control characters or broken Unicode'],
    ['name', 7, 'must be a string'],
    ['domain', 'not a domain', 'must be a domain name such as shop.example, or the address of the shop in its platform'],
    ['domain', 'localhost', 'must be a domain name such as shop.example, or the address of the shop in its platform'],
    ['customerPhone', '0888123456', 'must be a phone number in international format, such as +359888123456'],
    ['customerPhone', '+359 888 12/3456', 'must be a phone number in international format, such as +359888123456'],
    ['customerEmail', 'shop.example', 'must be an e-mail address'],
    ['nraNumber', 'RF000012345', 'must be 10 characters at most'],
    ['companyUic', '206770509', 'must be a company identification number (ЕИК) of 9, 10 or 13 digits whose check digit fits'],
    ['companyUic', '000000000', 'must be a company identification number (ЕИК) of 9, 10 or 13 digits whose check digit fits'],
    ['companyUic', 206770508, 'must be a string'],
    ['companyName', 'x'.repeat(251), 'must be 250 characters at most'],
    ['companyAddress', ' ', 'must not be empty'],
    ['vatGroup', 'GROUP_E', 'must be one of GROUP_A, GROUP_B, GROUP_C, GROUP_D'],
    ['auditGenerationDay', 0, 'must be 1 to 28'],
    ['auditGenerationDay', 29, 'must be 1 to 28'],
    ['auditGenerationDay', 1.5, 'must be a whole number'],
    ['auditRecipientEmails', 'a@audit.example', 'must be an array'],
    ['auditRecipientEmails[1]', ['a@audit.example', 'b'], 'must be an e-mail address'],
    ['auditRecipientEmails', Array(21).fill('a@audit.example'), 'must hold 20 addresses at most'],
    ['auditNoReceiptOrders', 'yes', 'must be a boolean'],
    ['returnPaymentMethod', 'PAYPAL', 'must be one of IBAN, CARD, CASH, OTHER'],
    ['receiptStartNumber', 0, 'must be above zero'],
    ['receiptStartNumber', 10_000_000_000, 'must have ten digits at most'],
    ['color', 'red', 'is not a known field'],
  ])('%s: %j is refused by name', async (path, value, message) => {
    const answer = await call('POST', '/shop', { body: shopDto({ [path.replace(/\[.*/, '')]: value }) });

    expect(answer).toMatchObject({ status: 400, body: { type: 'urn:compliance-service:problem:body-invalid', errors: [{ path, message }] } });
  });

  test.each(['name', 'domain', 'customerPhone', 'customerEmail', 'nraNumber', 'companyUic', 'companyName', 'companyAddress'])(
    '%s is required',
    async (path) => {
      const answer = await call('POST', '/shop', { body: shopDto({ [path]: undefined }) });

      expect(answer.body).toMatchObject({ status: 400, errors: [{ path, message: 'is required' }] });
    },
  );

  test('all bad fields are named at once', async () => {
    const { body } = await call('POST', '/shop', { body: { name: '', auditGenerationDay: 40, x: 1, y: 2 } });

    expect(body['detail']).toBe('11 fields are not right: see errors, correct them and send again');
    expect(body['errors']).toEqual(expect.arrayContaining([expect.objectContaining({ path: 'x' }), expect.objectContaining({ path: 'y' })]));
  });

  test('a body that is no object is refused as such', async () => {
    expect((await call('POST', '/shop', { body: [] })).body['errors']).toEqual([{ path: '', message: 'must be an object' }]);
  });

  test('a number that is not RF and seven digits is only warned about', async () => {
    const answer = await call('POST', '/shop', { body: shopDto({ nraNumber: '1234567' }) });

    expect(answer.status).toBe(200);
    expect(answer.body['warnings']).toContainEqual({ path: 'nraNumber', message: expect.stringContaining('RF and seven digits') });
  });
});

describe('how many shops a key may have', () => {
  test('a key for several gets several', async () => {
    const ids = [await newShop(), await newShop(), await newShop()];

    expect(new Set(ids).size).toBe(3);
  });

  test('a key for one gets 403 for its second, and may create one again when the first is deleted', async () => {
    const single = await newCaller(false);
    const id = await newShop({}, single);

    const second = await single('POST', '/shop', { body: shopDto() });
    await single('DELETE', `/shop/${id}`, { body: { name: shopDto().name } });
    const third = await single('POST', '/shop', { body: shopDto() });

    expect(second).toMatchObject({ status: 403, body: { type: 'urn:compliance-service:problem:one-shop-only' } });
    expect(third.status).toBe(200);
  });

  test('a key for one gets 403 while its owner has a shop that another key made', async () => {
    const owner = await sharingKey(server, { multiShop: true });
    const first = callerOf(server.baseUrl, owner);
    const issued = await server.service.keys.add(owner.id, { multiShop: false });
    const single = callerOf(server.baseUrl, issued ?? owner);
    const id = await newShop({}, first);

    expect(await single('POST', '/shop', { body: shopDto() })).toMatchObject({ status: 403, body: { code: 'one-shop-only' } });
    await first('DELETE', `/shop/${id}`, { body: { name: shopDto().name } });
    expect((await single('POST', '/shop', { body: shopDto() })).status).toBe(200);
    expect((await first('POST', '/shop', { body: shopDto() })).status).toBe(200);
  });

  test('of creates at the same time, a key for one gets one', async () => {
    const single = await newCaller(false);

    const answers = await Promise.all(Array.from({ length: 8 }, () => single('POST', '/shop', { body: shopDto() })));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(403)]);
  });
});

describe('updating a shop', () => {
  test('changes the named fields, keeps the rest, and of the times only updatedAt', async () => {
    const id = await newShop({ auditGenerationDay: 5 });
    clock = new Date('2026-11-21T08:00:00.000Z');

    const answer = await call('PUT', `/shop/${id}`, { body: { name: 'Ново име' } });

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      ...shopDto({ name: 'Ново име' }),
      id,
      auditGenerationDay: 5,
      createdAt: '2026-11-20T10:00:00.000Z',
      updatedAt: '2026-11-21T08:00:00.000Z',
    });
  });

  test('does not bring defaults back', async () => {
    const id = await newShop({ returnPaymentMethod: 'CASH', receiptStartNumber: 77 });

    await call('PUT', `/shop/${id}`, { body: { name: 'A' } });

    expect((await call('PUT', `/shop/${id}`, { body: { name: 'B' } })).body).toMatchObject({ returnPaymentMethod: 'CASH', receiptStartNumber: 77 });
  });

  test.each([
    [{}, '', 'must name at least one field to change'],
    [{ id: 'x', name: 'A' }, 'id', 'is not a known field'],
    [{ companyUic: '1' }, 'companyUic', 'must be a company identification number (ЕИК) of 9, 10 or 13 digits whose check digit fits'],
    [{ name: null }, 'name', 'must be a string'],
  ])('%j is refused', async (body, path, message) => {
    const id = await newShop();

    expect(await call('PUT', `/shop/${id}`, { body })).toMatchObject({ status: 400, body: { errors: [{ path, message }] } });
  });

  test('another key’s shop is not found', async () => {
    const id = await newShop();

    const answer = await stranger('PUT', `/shop/${id}`, { body: { name: 'Mine now' } });

    expect(answer).toMatchObject({ status: 404, body: { detail: 'this API key has no shop with this id' } });
    expect((await call('PUT', `/shop/${id}`, { body: { domain: 'new.example' } })).body).toMatchObject({ name: shopDto().name });
  });
});

describe('deleting a shop', () => {
  test('deletes its orders for good', async () => {
    const id = await newShop({ name: 'Краткотраен' });
    const order = await call('POST', '/order', { body: orderDto(id), headers: { 'idempotency-key': 'k1' } });

    const answer = await call('DELETE', `/shop/${id}`, { body: { name: 'Краткотраен' } });

    expect(answer).toMatchObject({ status: 200, body: { id, name: 'Краткотраен', deletedAt: '2026-11-20T10:00:00.000Z', deletedOrders: 1 } });
    expect(await server.service.records({ shopId: id })).toEqual([]);
    const after = await Promise.all([
      call('DELETE', `/order/${String(order.body['id'])}`),
      call('DELETE', `/shop/${id}`, { body: { name: 'Краткотраен' } }),
      call('PUT', `/shop/${id}`, { body: { name: 'A' } }),
      call('POST', '/order', { body: orderDto(id), headers: { 'idempotency-key': 'k1' } }),
    ]);
    expect(after.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test('needs its exact name', async () => {
    const id = await newShop({ name: 'Точно име' });

    const answers = await Promise.all([
      call('DELETE', `/shop/${id}`, { body: { name: 'точно име' } }),
      call('DELETE', `/shop/${id}`, { body: {} }),
      call('DELETE', `/shop/${id}`),
      call('DELETE', `/shop/${id}`, { body: { name: 'Точно име', force: true } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([422, 400, 400, 400]);
    expect(answers[0]?.body).toMatchObject({
      type: 'urn:compliance-service:problem:shop-name-mismatch',
      detail: expect.stringContaining('nothing was deleted'),
    });
    expect((await call('PUT', `/shop/${id}`, { body: { name: 'B' } })).status).toBe(200);
  });

  test('is not allowed for other keys, even with the name', async () => {
    const id = await newShop();

    expect((await stranger('DELETE', `/shop/${id}`, { body: { name: shopDto().name } })).status).toBe(404);
    expect((await call('PUT', `/shop/${id}`, { body: { name: 'B' } })).status).toBe(200);
  });
});
