import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sign } from '../../../src/contract/dialect.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { callerOf, dialectWith, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

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

async function caller(key: Parameters<ComplianceServer['service']['keys']['create']>[0] = { multiShop: true }) {
  return callerOf(server.baseUrl, await sharingKey(server, key));
}

describe('who may call', () => {
  test('a request with a good key and a good signature is served', async () => {
    const call = await caller();

    expect(await call('POST', '/shop', { body: shopDto() })).toMatchObject({ status: 200 });
  });

  test('an unknown key, a missing key, a missing and a wrong signature get one and the same answer', async () => {
    const call = await caller();
    const body = shopDto();

    const answers = await Promise.all([
      call('POST', '/shop', { body, headers: { 'x-api-key': 'ck_unknown' } }),
      call('POST', '/shop', { body, headers: { 'x-api-key': undefined } }),
      call('POST', '/shop', { body, headers: { 'x-signature': undefined } }),
      call('POST', '/shop', { body, headers: { 'x-signature': sign(JSON.stringify(body), 'another secret', dialectWith({})) } }),
      call('POST', '/shop', { body, headers: { 'x-signature': 'zz' } }),
      call('POST', '/shop', { body, headers: { 'x-signature': '' } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    expect(answers[0]?.headers.get('content-type')).toBe('application/problem+json');
    expect(answers[0]?.body).toMatchObject({ type: 'urn:compliance-service:problem:unauthorized', status: 401 });
  });

  test('finding 14: without a right signature, a live key and an unknown one get the same answers', async () => {
    const call = await caller();
    const tooLarge = 'x'.repeat(2 * 1024 * 1024 + 1);
    const asked = async (key: Record<string, string>) => [
      await call('POST', '/shop', { body: tooLarge, headers: { 'x-signature': 'zz', ...key } }),
      await call('POST', '/shop', { body: shopDto(), headers: { 'x-signature': 'zz', 'content-encoding': 'gzip', ...key } }),
      await call('POST', '/shop', { body: shopDto(), headers: { 'x-signature': 'zz', 'content-type': 'text/plain', ...key } }),
    ];

    const [live, unknown] = [await asked({}), await asked({ 'x-api-key': 'ck_unknown' })];

    expect(live.map(({ status }) => status)).toEqual([413, 415, 401]);
    expect(unknown.map(({ status, body }) => ({ status, body }))).toEqual(live.map(({ status, body }) => ({ status, body })));
  });

  test('finding 14: a body in pieces that turns out to be too large is answered for a live key as for an unknown one', async () => {
    const { apiKey } = await server.service.keys.create({ multiShop: true });
    const pieces = async (key: string) => {
      const body = new ReadableStream({
        start(stream) {
          for (let sent = 0; sent < 40; sent += 1) stream.enqueue(new Uint8Array(64 * 1024));
          stream.close();
        },
      });
      const headers = { 'x-api-key': key, 'x-signature': 'zz' };
      return (await fetch(`${server.baseUrl}/public-api/v1/shop`, { method: 'POST', headers, body, duplex: 'half' })).status;
    };

    expect([await pieces(apiKey), await pieces('ck_unknown')]).toEqual([401, 401]);
  });

  test('finding 14: no answer is to be taken for another type than its own', async () => {
    const call = await caller();
    const answers = [await call('POST', '/shop', { body: shopDto() }), await call('POST', '/shop', { body: {} }), await call('GET', '/nowhere')];

    expect(answers.map(({ headers }) => headers.get('x-content-type-options'))).toEqual(['nosniff', 'nosniff', 'nosniff']);
  });

  test('the signature is over the bytes as they were sent, not over what they mean', async () => {
    const created = await sharingKey(server, { multiShop: true });
    const call = callerOf(server.baseUrl, created);
    const spaced = JSON.stringify(shopDto(), null, 2);
    const compact = JSON.stringify(shopDto());

    const faithful = await call('POST', '/shop', { body: spaced });
    const other = await call('POST', '/shop', { body: spaced, headers: { 'x-signature': sign(compact, created.apiSecret, dialectWith({})) } });

    expect([faithful.status, other.status]).toEqual([200, 401]);
  });

  test('one key’s secret is no valid signature for another key', async () => {
    const [mine, other] = await Promise.all([server.service.keys.create({ multiShop: true }), server.service.keys.create({ multiShop: true })]);
    const call = callerOf(server.baseUrl, { apiKey: mine.apiKey, apiSecret: other.apiSecret });

    expect((await call('POST', '/shop', { body: shopDto() })).status).toBe(401);
  });

  test('a revoked key is not known any more', async () => {
    const created = await server.service.keys.create({ multiShop: true });
    const call = callerOf(server.baseUrl, created);
    const before = await call('DELETE', `/order/${NIL}`);

    const revoked = [await server.service.keys.revoke(created.id), await server.service.keys.revoke(created.id)];

    expect([before.status, (await call('DELETE', `/order/${NIL}`)).status]).toEqual([404, 401]);
    expect(revoked).toEqual([true, false]);
  });
});

describe('a request without a body', () => {
  test('signs the empty string', async () => {
    const call = await caller();

    expect((await call('DELETE', `/order/${NIL}`)).status).toBe(404);
  });

  test('may go unsigned only if the key was created that way', async () => {
    const [strict, lenient] = await Promise.all([caller(), caller({ multiShop: true, signatureEmptyBody: 'omit' })]);
    const unsigned = { headers: { 'x-signature': undefined } };

    expect((await strict('DELETE', `/order/${NIL}`, unsigned)).status).toBe(401);
    expect((await lenient('DELETE', `/order/${NIL}`, unsigned)).status).toBe(404);
    expect((await lenient('DELETE', `/order/${NIL}`)).status).toBe(404);
    expect((await lenient('DELETE', `/order/${NIL}`, { headers: { 'x-signature': 'wrong' } })).status).toBe(401);
  });

  test('a body never goes unsigned', async () => {
    const call = await caller({ multiShop: true, signatureEmptyBody: 'omit' });

    expect((await call('POST', '/shop', { body: shopDto(), headers: { 'x-signature': undefined } })).status).toBe(401);
  });
});

test.each([
  ['sha256', 'base64'],
  ['sha512', 'hex'],
  ['sha1', 'hex'],
] as const)('a key may sign with %s in %s', async (signatureAlgorithm, signatureEncoding) => {
  const call = await caller({ multiShop: true, signatureAlgorithm, signatureEncoding });

  const own = await call('POST', '/shop', { body: shopDto(), dialect: { signatureAlgorithm, signatureEncoding } });
  const usual = await call('POST', '/shop', { body: shopDto() });

  expect([own.status, usual.status]).toEqual([200, 401]);
});

describe('keys at rest', () => {
  test('neither the key nor its secret is in the database', async () => {
    const { apiKey, apiSecret } = await server.service.keys.create({ multiShop: false, label: 'agency' });

    const { rows } = await server.pool.query('select api_keys::text as row from compliance.api_keys');
    const stored = rows.map(({ row }) => row).join();

    expect(stored).toContain('agency');
    expect(stored).not.toContain(apiKey);
    expect(stored).not.toContain(apiSecret);
  });

  test('the list shows the beginning of a key, its permission and its dialect', async () => {
    const { id, apiKey } = await server.service.keys.create({ multiShop: false, label: 'listed', amounts: 'minor' });

    const listed = (await server.service.keys.list()).find((key) => key.id === id);

    expect(listed).toMatchObject({ label: 'listed', multiShop: false, revokedAt: null, dialect: dialectWith({ amounts: 'minor' }) });
    expect(apiKey.startsWith(listed?.hint ?? 'none')).toBe(true);
    expect(listed?.hint.length).toBeLessThan(12);
  });

  test('with another encryption key nothing can be verified, and the answer is an error of ours, not a 401', async () => {
    const created = await server.service.keys.create({ multiShop: true });
    await using other = await startComplianceServer({ databaseUrl: postgres.url, sealing: sealer(randomBytes(32)) });

    const answer = await callerOf(other.baseUrl, created)('DELETE', `/order/${NIL}`);

    expect(answer).toMatchObject({ status: 500, body: { type: 'urn:compliance-service:problem:internal-error' } });
  });
});

test('a database that is down is 503 with Retry-After, because nothing was done', async () => {
  await using lonely = await startComplianceServer({ databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing', migrated: true });

  const answer = await callerOf(lonely.baseUrl, { apiKey: 'ck_1', apiSecret: 'cs_1' })('POST', '/order', { body: orderDto(NIL) });

  expect(answer).toMatchObject({ status: 503, body: { type: 'urn:compliance-service:problem:unavailable' } });
  expect(answer.headers.get('retry-after')).toBe('5');
});

test('processes that start at once on an empty database do not get in each other’s way', async () => {
  const databaseUrl = await postgres.createDatabase();

  await using stack = new AsyncDisposableStack();
  const [first] = (await Promise.all(Array.from({ length: 4 }, () => startComplianceServer({ databaseUrl })))).map((one) => stack.use(one));

  const rows = (await first?.pool.query('select version from compliance.migrations order by version'))?.rows;
  expect(rows).toEqual([{ version: 1 }]);
});

test('a migration that fails leaves nothing half done', async () => {
  const databaseUrl = await postgres.createDatabase();
  await using lonely = await startComplianceServer({ databaseUrl, migrated: true });
  await lonely.pool.query('create schema compliance; create table compliance.orders (mine int)');

  await expect(lonely.service.migrate()).rejects.toThrow('relation "orders" already exists');

  const { rows } = await lonely.pool.query(`select table_name from information_schema.tables where table_schema = 'compliance'`);
  expect(rows).toEqual([{ table_name: 'orders' }]);
});
