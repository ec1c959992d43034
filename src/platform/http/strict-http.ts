import got, { type Delays, type Got } from 'got';
import { publicLookup } from './public-only.ts';

/** `publicOnly`: names are looked up to public addresses alone; who calls checks literal ones. `timeout` in ms. */
type StrictHttpOptions = { publicOnly: boolean; timeout: Delays; headers?: Record<string, string> };

/** Requests to addresses that others chose: once each, no redirect followed, any status an answer, its bytes as they came. */
export function openStrictHttp({ publicOnly, timeout, headers = {} }: StrictHttpOptions): Got {
  return got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    responseType: 'buffer',
    // Compression is not requested, and not undone: a small answer may become a large one.
    decompress: false,
    headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'orderbridge' },
    timeout,
    ...(publicOnly ? { dnsLookup: publicLookup } : {}),
  });
}
