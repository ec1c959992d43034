import { type Dialect, embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import type { Credentials } from './compliance-caller.ts';

type Sent = { method?: string; headers?: Record<string, string>; dialect?: Dialect; signed?: boolean };

/** Reads under /service/v1, with the signature of the empty body. */
export function readerOf(baseUrl: string, { apiKey, apiSecret }: Credentials) {
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
