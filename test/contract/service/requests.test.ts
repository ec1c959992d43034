import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { until } from '../../support/worlds/settled.ts';
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

describe('invalid bodies and addresses', () => {
  test('a body that is not JSON is 400, and the answer does not repeat it', async () => {
    const call = await caller();

    const answer = await call('POST', '/order', { body: '{"customer": {"email": "ivan@buyer.example"' });

    expect(answer).toMatchObject({ status: 400, body: { type: 'urn:compliance-service:problem:body-not-json' } });
    expect(JSON.stringify(answer.body)).not.toContain('ivan');
  });

  test('bytes that are not UTF-8 are not JSON', async () => {
    const call = await caller();

    expect((await call('POST', '/shop', { body: Uint8Array.of(0x22, 0xff, 0xfe, 0x22) })).status).toBe(400);
  });

  test('an empty body where one is needed is 400', async () => {
    const call = await caller();

    expect((await call('POST', '/shop')).body).toMatchObject({ type: 'urn:compliance-service:problem:body-not-json' });
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=windows-1251'])('content type %s is 415', async (type) => {
    const call = await caller();

    expect((await call('POST', '/shop', { body: shopDto(), headers: { 'content-type': type } })).status).toBe(415);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])('content type %s is fine', async (type) => {
    const call = await caller();

    expect((await call('POST', '/shop', { body: shopDto(), headers: { 'content-type': type } })).status).toBe(200);
  });

  test('no content type at all is fine too: the documentation names none', async () => {
    const call = await caller();

    expect((await call('POST', '/shop', { body: Buffer.from(JSON.stringify(shopDto())), headers: { 'content-type': undefined } })).status).toBe(200);
  });

  test('a compressed body is 415: the signature is over the sent bytes', async () => {
    const call = await caller();

    expect((await call('POST', '/shop', { body: shopDto(), headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
  });

  test('a body over 2 MiB is 413', async () => {
    const call = await caller();

    expect(await call('POST', '/shop', { body: shopDto({ name: 'x'.repeat(2 * 1024 * 1024) }) })).toMatchObject({
      status: 413,
      body: { type: 'urn:compliance-service:problem:body-too-large', detail: 'the body may have 2097152 bytes at most' },
    });
  });

  test('an address that the interface does not have is 404', async () => {
    const call = await caller();

    const answers = await Promise.all(['/orders', '/', '/order/x/y', '/order/%E0%A4%A'].map((path) => call('DELETE', path)));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(answers.map(({ headers }) => headers.get('content-type'))).toEqual(Array(4).fill('application/problem+json'));
  });

  test.each([
    ['GET', '/shop', 'POST'],
    ['GET', `/shop/${NIL}`, 'PUT, DELETE'],
    ['PATCH', '/order', 'POST'],
    ['GET', `/order/${NIL}`, 'DELETE'],
  ])('%s %s is 405 and says what is allowed', async (method, path, allow) => {
    const call = await caller();

    const answer = await call(method, path);

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
  });

  test('an id that is no UUID is not found', async () => {
    const call = await caller();

    const answers = await Promise.all([
      call('DELETE', '/order/42'),
      call('PUT', '/shop/42', { body: { name: 'A' } }),
      call('DELETE', '/shop/42', { body: { name: 'A' } }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test('a caller that breaks off in the middle of a body does no harm', async () => {
    const { apiKey } = await sharingKey(server, { multiShop: true });
    const { port } = new URL(server.baseUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST /public-api/v1/order HTTP/1.1\r\nHost: x\r\nx-api-key: ${apiKey}\r\nContent-Length: 1000\r\n\r\n{"half"`);
    socket.end();
    await text(socket);

    const call = await caller();
    expect((await call('DELETE', `/order/${NIL}`)).status).toBe(404);
  });
});

test('the log has a line for each request, and nothing personal or secret', async () => {
  const logged: string[] = [];
  const keep = (details: object) => logged.push(JSON.stringify(details));
  await using own = await startComplianceServer({ databaseUrl: postgres.url, sealing: server.sealing, log: { info: keep, error: keep } });
  const { apiKey, apiSecret } = await sharingKey(own, { multiShop: true });
  const call = callerOf(own.baseUrl, { apiKey, apiSecret });
  const { body } = await call('POST', '/shop', { body: shopDto() });
  await call('POST', '/order', { body: orderDto(String(body['id'])) });
  await call('POST', '/order', { body: '{"email":"ivan@buyer.example"' });
  await until(() => logged.length >= 3, { what: 'three lines' });

  expect(logged[1]).toMatch(
    /^{"operation":"create","method":"POST","keyId":"[0-9a-f-]{36}","client":"127.0.0.1","requestId":"[0-9a-f-]{36}","status":200,"ms":\d+}$/,
  );
  for (const word of ['buyer.example', 'Иван', 'Чаша', apiKey, apiSecret]) expect(logged.join()).not.toContain(word);
});
