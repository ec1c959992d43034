import { embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import type { Answered, Credentials } from './compliance-caller.ts';

/** Calls our extension under /service/v1 with a signed body, or with none. */
export function extensionCallerOf(baseUrl: string, { apiKey, apiSecret }: Credentials) {
  return async (method: string, path: string, body?: unknown): Promise<Answered> => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      'x-api-key': apiKey,
      'x-signature': sign(text, apiSecret, embeddedDialect),
      ...(text === '' ? {} : { 'content-type': 'application/json' }),
    };
    const response = await fetch(`${baseUrl}/service/v1${path}`, { method, headers, body: text === '' ? null : text });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  };
}
