import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let shopId: string;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
});
beforeEach(async () => {
  call = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterEach(() => server.service.faultInjection.set([]));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

const create = () => call('POST', '/order', { body: orderDto(shopId), headers: { 'idempotency-key': 'k' } });

describe('an injected fault', () => {
  test.each([429, 500, 502])('answers %i as often as planned, and does nothing', async (status) => {
    server.service.faultInjection.set([{ on: 'create', times: 2, do: 'status', status, retryAfter: 2 }]);

    const answers = [await create(), await create()];

    expect(answers.map((answer) => answer.status)).toEqual([status, status]);
    expect(answers[0]?.headers.get('retry-after')).toBe('2');
    expect(answers[0]?.headers.get('content-type')).toBe('application/problem+json');
    expect(answers[0]?.body).toEqual({
      ...{ type: 'urn:compliance-service:problem:injected', code: 'injected' },
      ...{ title: 'An injected fault', status, detail: 'nothing was done' },
    });
    expect(await server.service.records({ shopId })).toEqual([]);
    expect((await create()).status).toBe(200);
  });

  test('loses the reply after the order is committed; a repeat with the same key returns its id', async () => {
    server.service.faultInjection.set([{ on: 'create', do: 'lose-reply' }]);

    await expect(create()).rejects.toThrow('fetch failed');

    const [recorded] = await server.service.records({ shopId });
    const again = await create();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body['id']).toBe(recorded?.id);
  });

  test('loses the reply of a delete: the order is gone, and a repeat says so', async () => {
    const path = `/order/${String((await create()).body['id'])}`;
    server.service.faultInjection.set([{ on: 'delete', do: 'lose-reply' }]);

    await expect(call('DELETE', path)).rejects.toThrow('fetch failed');

    expect((await call('DELETE', path)).status).toBe(404);
  });

  test('is slow, then does the work', async () => {
    server.service.faultInjection.set([{ on: 'create', do: 'slow', ms: 200 }]);
    const start = performance.now();

    const { status } = await create();

    expect(status).toBe(200);
    expect(performance.now() - start).toBeGreaterThanOrEqual(195);
  });

  test('is used only for its operation, in order', async () => {
    server.service.faultInjection.set([
      { on: 'delete', do: 'status', status: 502 },
      { on: 'create', do: 'status', status: 500 },
      { on: 'create', do: 'status', status: 429 },
      { do: 'status', status: 503 },
    ]);

    const statuses = [(await create()).status, (await create()).status, (await call('POST', '/shop', { body: shopDto() })).status, (await create()).status];

    expect(statuses).toEqual([500, 429, 503, 200]);
    expect(server.service.faultInjection.left()).toEqual([{ on: 'delete', times: 1, do: 'status', status: 502 }]);
  });
});

describe('over HTTP', () => {
  const injectFaults = (method: string, body?: string) =>
    fetch(`${server.baseUrl}/faults`, { method, ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }) });

  test('PUT sets the faults to come, GET shows the remaining ones', async () => {
    const put = await injectFaults(
      'PUT',
      JSON.stringify({
        faults: [
          { on: 'create', times: 3, do: 'status', status: 502 },
          { do: 'slow', ms: 0 },
        ],
      }),
    );
    await create();

    const left = {
      faults: [
        { on: 'create', times: 2, do: 'status', status: 502 },
        { on: 'any', times: 1, do: 'slow', ms: 0 },
      ],
    };
    expect(put.status).toBe(200);
    expect(await (await injectFaults('GET')).json()).toEqual(left);
  });

  test.each([
    ['{', 400, 'urn:compliance-service:problem:body-not-json'],
    ['{"faults":[{"do":"explode"}]}', 400, 'urn:compliance-service:problem:body-invalid'],
    ['{"faults":[{"do":"status"}]}', 400, 'urn:compliance-service:problem:body-invalid'],
    ['{"faults":[{"do":"slow","ms":5,"color":"red"}]}', 400, 'urn:compliance-service:problem:body-invalid'],
  ])('%s is refused in words', async (body, status, type) => {
    const answer = await injectFaults('PUT', body);

    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/problem+json']);
    expect(await answer.json()).toMatchObject({ type });
  });
});
