import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { createApiKeys } from '../../src/compliance/service/keys/api-keys.ts';
import { openApiRouter } from '../../src/compliance/service/openapi/openapi-router.ts';
import { readingRouter } from '../../src/compliance/service/reading/reading-router.ts';
import { type ServiceLog, silentLog } from '../../src/compliance/service/service-log.ts';
import { type Dialect, embeddedDialect } from '../../src/compliance/wire/dialect.ts';
import { sign } from '../../src/compliance/wire/signature.ts';
import type { Credentials } from './compliance-caller.ts';
import type { ComplianceServer } from './compliance-server.ts';

/** What is read beside the interface, /service/v1 and /openapi, on the database of a running service. */
export async function startReadingServer({ pool, sealing, service }: ComplianceServer, log: ServiceLog = silentLog) {
  const keys = createApiKeys({ pool, sealing, dialectDefaults: embeddedDialect, now: () => new Date() });
  const app = express()
    .use('/service/v1', readingRouter({ pool, keys, rehearsal: service.rehearsal, log }))
    .use(openApiRouter());
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type ReadingServer = Awaited<ReturnType<typeof startReadingServer>>;

type Sent = { method?: string; headers?: Record<string, string>; dialect?: Dialect; signed?: boolean };

/** Reads with the signature of the empty body. */
export function readerOf({ baseUrl }: Pick<ReadingServer, 'baseUrl'>, { apiKey, apiSecret }: Credentials) {
  return async (path: string, { method = 'GET', headers = {}, dialect = embeddedDialect, signed = true }: Sent = {}) => {
    const signature = signed ? { 'x-signature': sign('', apiSecret, dialect) } : {};
    const response = await fetch(`${baseUrl}/service/v1${path}`, { method, headers: { 'x-api-key': apiKey, ...signature, ...headers } });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = /json/.test(response.headers.get('content-type') ?? '') && bytes.length > 0;
    const body: Record<string, unknown> = isJson ? JSON.parse(bytes.toString('utf8')) : {};
    return { status: response.status, headers: response.headers, bytes, body };
  };
}

export type Read = ReturnType<typeof readerOf>;
