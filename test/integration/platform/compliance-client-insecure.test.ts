import { expect, test } from 'vitest';
import { openComplianceClient } from '../../../src/app/compliance-api.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { startHttpServer } from '../../support/servers/raw-server.ts';

const timeouts = { connectMs: 2_000, headersMs: 2_000, totalMs: 2_000 };
const keys = { apiKey: 'key', apiSecret: 'secret', dialect: embeddedDialect };
const stranger = { baseUrl: 'http://compliance.invalid', ...keys };

test('finding 11: no request with a key is made over http to a host that is neither private nor trusted', async () => {
  await using client = openComplianceClient({ timeouts, trustedHttpHosts: [] });
  const refused = { kind: 'not-sent', error: expect.stringContaining('TRUSTED_HTTP_HOSTS') };

  expect(await client.createOrder(stranger, { body: '{}', idempotencyKey: 'i' })).toEqual(refused);
  expect(await client.deleteOrder(stranger, 'id')).toEqual(refused);
  expect(await client.createReceipt(stranger, 'id')).toEqual(refused);
  await expect(client.shop(stranger, { method: 'POST', body: {} })).rejects.toThrow(/^compliance\.insecure: .*TRUSTED_HTTP_HOSTS/);
});

test('a trusted host is called', async () => {
  await using client = openComplianceClient({ timeouts, trustedHttpHosts: ['compliance.invalid'] });

  expect(await client.deleteOrder(stranger, 'id')).toEqual({ kind: 'not-sent', error: expect.stringContaining('compliance.invalid') });
});

test('so is this machine', async () => {
  await using server = await startHttpServer((response) => response.writeHead(404).end('{}'));
  await using client = openComplianceClient({ timeouts, trustedHttpHosts: [] });

  expect(await client.deleteOrder({ baseUrl: server.url, ...keys }, 'id')).toMatchObject({ kind: 'answered', status: 404 });
});
