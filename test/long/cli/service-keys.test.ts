import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDestinationStore } from '../../../src/bridge/ledger/connections/destination-store.ts';
import type { IssuedKey } from '../../../src/service/keys/api-keys.ts';
import { type KeyProcess, openKeyProcess } from '../../support/keys/key-process.ts';
import { newCompany } from '../../support/samples/new-company.ts';
import { type ComplianceServer, SEALING_KEY, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';

const NIL = '00000000-0000-4000-8000-000000000000';

let postgres: TestPostgres;
let opened: KeyProcess;
let server: ComplianceServer;
let program: Program;
/** The company of the test, its owner, and its shop. */
let uic: string;
let merchant: IssuedKey;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres('whole');
  opened = await openKeyProcess(postgres.url, SEALING_KEY.toString('base64'));
  server = await startComplianceServer({ databaseUrl: postgres.url, migrated: true, sealing: opened.keys.sealer });
  program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS: SEALING_KEY.toString('base64') });
});
beforeEach(async () => {
  uic = newCompany();
  merchant = await server.service.keys.create({ multiShop: true, label: 'merchant' });
  shopId = String((await call('POST', '/shop', { body: shopDto({ companyUic: uic, receiptStartNumber: 10 }) })).body['id']);
  await call('POST', '/order', { body: orderDto(shopId) });
});
afterAll(async () => {
  await opened[Symbol.asyncDispose]();
  await program[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const call: ReturnType<typeof callerOf> = (...request) => callerOf(server.baseUrl, merchant)(...request);
const keys = (...args: string[]) => program.run(['service', 'keys', ...args]);
const numbers = (...args: string[]) => program.run(['service', 'numbers', ...args]);
const createdBy = (key: { apiKey: string; apiSecret: string }) => callerOf(server.baseUrl, key)('POST', '/shop', { body: shopDto({ companyUic: uic }) });

describe('service keys', () => {
  test('add makes another key of an owner, and the list says whose', async () => {
    const added = await program.json<IssuedKey>(['service', 'keys', 'add', '--owner', merchant.id, '--label', 'second', '--multi-shop']);

    expect((await createdBy(added)).status).toBe(200);
    expect((await keys('list')).out).toMatch(new RegExp(`^second +\\S+ +several +- +merchant .*${added.id}$`, 'm'));
    expect(await keys('add', '--owner', NIL)).toMatchObject({ code: 1, err: expect.stringContaining(`there is no key ${NIL}`) });
  });

  test('rotate prints the new key once, and until when the old one is live', async () => {
    const { code, out } = await keys('rotate', merchant.id);

    const [apiKey = '', apiSecret = ''] = [/ck_\w{48}/, /cs_\w{64}/].map((key) => key.exec(out)?.[0] ?? '');
    expect([code, out]).toEqual([0, expect.stringContaining(`The old key ${merchant.id} is valid until`)]);
    expect([(await createdBy({ apiKey, apiSecret })).status, (await createdBy(merchant)).status]).toEqual([200, 200]);
    const listed = await keys('list', '--json');
    expect(listed.out).not.toContain(apiSecret);
    expect(await keys('rotate', NIL)).toMatchObject({ code: 1, err: expect.stringContaining(`there is no live key ${NIL}`) });
  });

  test('rotate of the key of orderbridge itself prints no secret, and its destination calls with the new one', async () => {
    const { pool, end } = openPool(postgres.url, { options: '-c search_path=bridge' });
    await using _ = { [Symbol.asyncDispose]: end };
    const destinations = createDestinationStore(pool, server.sealing);
    const destination = await destinations.ensureEmbedded(() => Promise.resolve(merchant));

    const { out } = await keys('rotate', merchant.id);

    expect(out).toMatch(/^orderbridge itself uses the new key .+ within 10 s; there is nothing else to do\.$/m);
    expect(out).not.toMatch(/c[ks]_\w{20}/);
    expect(await destinations.ensureEmbedded(() => Promise.reject(new Error('it is known')))).toBe(destination);
    const credentials = (await destinations.find(destination))?.credentials;
    if (credentials === undefined) throw new Error('the destination is gone');
    expect(credentials.apiKey).not.toBe(merchant.apiKey);
    await server.service.keys.revoke(merchant.id);
    expect((await createdBy(credentials)).status).toBe(200);
  });

  test('create --test makes a test key, and its shops are listed as such', async () => {
    const key = await program.json<IssuedKey>(['service', 'keys', 'create', '--test']);

    expect((await createdBy(key)).body).toMatchObject({ test: true });
    expect((await keys('list')).out).toMatch(new RegExp(` test .*${key.id}$`, 'm'));
    expect((await program.run(['service', 'shops', 'list'])).out).toContain('Магазин за чаши (test)');
  });

  test('grant lets another owner in, and --move takes the company from the others', async () => {
    const other = await server.service.keys.create({ multiShop: true, label: 'other' });
    expect((await createdBy(other)).status).toBe(422);

    expect((await keys('grant', other.id, uic)).out).toBe(`The owner of the key ${other.id} may create shops of the company ${uic}.\n`);
    expect((await createdBy(other)).status).toBe(200);
    const moved = await keys('grant', other.id, uic, '--move');

    expect(moved.out).toContain(`The owner of the key ${merchant.id} no longer may.`);
    expect(moved.err).toContain(`the owner of the key ${merchant.id} has a shop of this company, which takes no new orders`);
    expect((await createdBy(merchant)).status).toBe(422);
    expect(await keys('grant', other.id, '206770509')).toMatchObject({ code: 1, err: expect.stringContaining('its check digit does not fit') });
    expect(await keys('grant', NIL, uic)).toMatchObject({ code: 1, err: expect.stringContaining(`there is no key ${NIL}`) });
    const test = await server.service.keys.create({ multiShop: true, test: true });
    expect(await keys('grant', test.id, uic)).toMatchObject({ code: 1, err: expect.stringContaining('is a test key') });
  });
});

describe('service numbers', () => {
  test('advance skips numbers with a reason, and show tells all of it', async () => {
    const advanced = await numbers('advance', uic, '--to', '0000000500', '--why', 'backup restored');
    await call('POST', '/order', { body: orderDto(shopId, { internalId: '2' }) });
    const { out } = await numbers('show', uic);

    expect(advanced.out).toBe(`The next document number of the company ${uic} is 0000000500.\n0000000011 to 0000000499 are skipped, and kept as voided.\n`);
    expect(out).toMatch(/^next +0000000501$/m);
    expect(out).toMatch(/^0000000010–0000000010 +-$/m);
    expect(out).toMatch(/^0000000500–0000000500 +-$/m);
    expect(out).toMatch(/^0000000011–0000000499 .+ cli:\S+ +backup restored$/m);
    expect(out).toMatch(new RegExp(`^Магазин за чаши +2 +${merchant.id} +${shopId}$`, 'm'));
    expect(await program.json(['service', 'numbers', 'show', uic])).toMatchObject({ next: 501, skipped: [{ first: 11, last: 499 }] });
    const { out: activity } = await program.run(['activity', '--json']);
    expect(JSON.parse(activity)).toContainEqual(expect.objectContaining({ act: 'numbers.advanced', subject: uic, why: 'backup restored' }));
  });

  test('F5: take-back undoes the last skip with a reason, as long as no number above it was given', async () => {
    await numbers('advance', uic, '--to', '500', '--why', 'a typo');
    expect((await numbers('take-back', uic, '--why', 'a typo')).out).toBe(
      `0000000011 to 0000000499 are no longer skipped.\nThe next document number of the company ${uic} is 0000000011.\n`,
    );
    await numbers('advance', uic, '--to', '500', '--why', 'indeed');
    await call('POST', '/order', { body: orderDto(shopId, { internalId: '2' }) });
    expect(await numbers('take-back', uic, '--why', 'no')).toMatchObject({ code: 1, err: expect.stringContaining('0000000500 was given after them') });
    const { out: activity } = await program.run(['activity', '--json']);
    expect(JSON.parse(activity)).toContainEqual(expect.objectContaining({ act: 'numbers.taken-back', subject: uic, why: 'a typo' }));
  });

  test.each([
    [['take-back', 'UIC'], '--why'],
    [['advance', 'UIC', '--to', '5', '--why', 'try'], 'numbers only rise, the next is 0000000011'],
    [['advance', 'UIC', '--to', '5'], '--why'],
    [['advance', 'UIC', '--to', '12345678901', '--why', 'try'], 'It must be a number of ten digits at most.'],
    [['advance', '131071587', '--to', '5', '--why', 'try'], 'no shop here is of the company 131071587'],
    [['show', '1'], 'is no company number'],
  ])('%j is refused in words', async (args, words) => {
    const named = args.map((arg) => (arg === 'UIC' ? uic : arg));

    expect(await numbers(...named)).toMatchObject({ code: 1, err: expect.stringContaining(words) });
  });
});
