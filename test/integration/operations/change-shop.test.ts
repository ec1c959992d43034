import { expect, test } from 'vitest';
import { createComplianceClient } from '../../../src/bridge/client/compliance-client.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { createShop, deleteShop, updateShop } from '../../../src/operations/service/shops.ts';
import { BY } from '../../support/samples/by.ts';
import { startHttpServer } from '../../support/servers/raw-server.ts';

type Answer = { status: number; body: string };

/** A compliance service that answers each request so. */
async function service({ status, body }: Answer) {
  await using setup = new AsyncDisposableStack();
  const server = setup.use(await startHttpServer((response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body)));
  const client = setup.use(createComplianceClient({ timeouts: { connectMs: 10_000, headersMs: 20_000, totalMs: 20_000 }, whyInsecure: () => null }));
  const owned = setup.move();
  const told: unknown[] = [];
  const endpoint = { baseUrl: server.url, apiKey: 'key', apiSecret: 'secret', dialect: embeddedDialect };
  return {
    server,
    deps: { client, endpoint, by: BY, tell: async (act: unknown) => void told.push(act) },
    told,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('a created shop is returned with its id, its fields and warnings about them', async () => {
  const body = JSON.stringify({ id: 's1', name: 'Corner', warnings: [{ path: 'nraNumber', message: 'looks odd' }] });
  await using it = await service({ status: 201, body });

  expect(await createShop(it.deps, { name: 'Corner' })).toEqual({
    ok: true,
    id: 's1',
    answer: JSON.parse(body),
    warnings: [{ path: 'nraNumber', message: 'looks odd' }],
  });
  expect(it.server.seen).toMatchObject([{ method: 'POST', body: '{"name":"Corner"}' }]);
});

test('an answer without an id is refused: that shop could not be connected', async () => {
  await using it = await service({ status: 201, body: '{}' });

  await expect(createShop(it.deps, { name: 'Corner' })).rejects.toMatchObject({ kind: 'conflict', what: expect.stringContaining('has no id') });
});

test('a refusal is a value: its status, its problem type, its words, and the fields that it names', async () => {
  const body = JSON.stringify({
    type: 'urn:compliance-service:problem:invalid-body',
    title: 'The body has invalid fields',
    errors: [{ path: 'companyUic', message: 'must be nine digits' }],
  });
  await using it = await service({ status: 400, body });

  expect(await updateShop(it.deps, 's1', { companyUic: '1' })).toEqual({
    ok: false,
    status: 400,
    type: 'urn:compliance-service:problem:invalid-body',
    words: 'The body has invalid fields',
    fields: [{ path: 'companyUic', message: 'must be nine digits' }],
  });
});

test.each([
  ['{"deletedOrders":7}', 7],
  ['{}', null],
])('a deleted shop, answered %s, took %s orders with it', async (body, orders) => {
  await using it = await service({ status: 200, body });

  expect(await deleteShop(it.deps, { id: 's1', name: 'Corner' })).toMatchObject({ ok: true, orders });
  expect(it.server.seen).toMatchObject([{ method: 'DELETE', body: '{"name":"Corner"}' }]);
});
