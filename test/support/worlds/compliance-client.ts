import { onTestFinished } from 'vitest';
import { createComplianceClient } from '../../../src/bridge/client/compliance-client.ts';
import type { ComplianceClient, Endpoint, RecordReader } from '../../../src/bridge/client/port.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { type Answerer, type RawServer, startHttpServer } from '../servers/raw-server.ts';

export const ID = '3f2f8b1e-7c1e-4b58-9a3e-0d3c1f5e8a11';
export const ORDER = '{"internalId":"7","customer":{"email":"ana@example.com"}}';
export const create = { body: ORDER, idempotencyKey: 'order-7-1' };

/** The client with short limits, closed when the test ends. */
export function clientWith(limits: { connectMs?: number; headersMs?: number; totalMs?: number } = {}): ComplianceClient & RecordReader {
  const client = createComplianceClient({ timeouts: { connectMs: 2_000, headersMs: 5_000, totalMs: 5_000, ...limits }, whyInsecure: () => null });
  onTestFinished(() => client[Symbol.asyncDispose]());
  return client;
}

export function endpointAt(baseUrl: string, dialect: Partial<Endpoint['dialect']> = {}): Endpoint {
  return { baseUrl, apiKey: 'the-key', apiSecret: 'the-secret', dialect: { ...embeddedDialect, ...dialect } };
}

/** A server that answers so, closed when the test ends. */
export async function serverThat(answer: Answerer): Promise<RawServer> {
  const server = await startHttpServer(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

export function answering(status: number, body = '', headers: Record<string, string> = {}): Answerer {
  return (response) => response.writeHead(status, headers).end(body);
}
