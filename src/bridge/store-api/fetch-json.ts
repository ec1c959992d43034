import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import got, { type Got } from 'got';
import { isPublicAddress } from '../../platform/http/public-address.ts';
import { insecureWords } from '../../platform/may-carry-secrets.ts';
import { retryAfterMs } from '../client/retry-after.ts';
import { Failure } from '../order/failure.ts';
import type { FetchJson, StoreRequest } from '../storefronts/contract.ts';

export type FetchJsonOptions = {
  allowPrivateAddresses: boolean;
  /** Hosts to which keys may go over http, beside private ones. */
  trustedHttpHosts?: readonly string[];
  timeouts: { connectMs: number; headersMs: number; totalMs: number };
  /** Reads a body; `ok: false` if it is not JSON. */
  parse(body: Buffer): { ok: true; value: unknown } | { ok: false };
};

const LARGEST = 5 * 1024 * 1024;

/**
 * Requests JSON from a merchant's address, which must be a public one: that is checked at the moment the socket connects. Any status is an answer,
 * its body null if it is not JSON; no answer, or more than 5 MB, is `Failure('storefront.unreachable')`. An address to which the keys would go
 * in the clear is not called: `Failure('storefront.refused')`.
 */
export function createFetchJson({ allowPrivateAddresses, trustedHttpHosts = [], timeouts, parse }: FetchJsonOptions): FetchJson {
  const { connectMs, headersMs, totalMs } = timeouts;
  const http = got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    responseType: 'buffer',
    // Compression is not requested, and not undone: a small answer may become a large one.
    decompress: false,
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'orderbridge' },
    timeout: { lookup: connectMs, connect: connectMs, secureConnect: connectMs, response: headersMs, request: totalMs },
    ...(allowPrivateAddresses ? {} : { dnsLookup: publicLookup }),
  });
  return async (request) => {
    const url = checkUrl(request.url, allowPrivateAddresses);
    const insecure = insecureWords(url.href, trustedHttpHosts);
    if (insecure !== null) throw new Failure('storefront.refused', insecure);
    const { status, body, encoding, retryAfter, location, totalPages } = await send(http, url, request);
    if (encoding !== undefined && encoding !== 'identity')
      throw unreachable(url.host, 'it sends compressed answers, which were not requested; turn that off for its REST API');
    const parsed = parse(body);
    const waitMs = retryAfterMs(retryAfter);
    return {
      status,
      body: parsed.ok ? parsed.value : null,
      ...(waitMs === null ? {} : { retryAfterMs: waitMs }),
      ...(location === undefined ? {} : { location }),
      ...(totalPages === undefined ? {} : { totalPages }),
    };
  };
}

// A literal address is connected to without a look-up. The URL parser has put every spelling of one (0x7f.1, 2130706433) into its plain form.
function checkUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.parse(text);
  if (url === null) throw unreachable('the store', 'its address is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw unreachable(url.host, 'its address is neither http nor https');
  const literal = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowPrivate && isIP(literal) !== 0 && !isPublicAddress(literal)) throw unreachable(url.host, notPublic);
  // Credentials in an address would take the place of those that are given beside it.
  url.username = '';
  url.password = '';
  return url;
}

const notPublic = 'it is not a public address (ALLOW_PRIVATE_ADDRESSES is for development)';

type Received = {
  status: number;
  body: Buffer;
  encoding: string | undefined;
  retryAfter: string | undefined;
  location: string | undefined;
  totalPages: number | undefined;
};

async function send(http: Got, url: URL, { authorization, method = 'GET', headers: given = {}, body, signal }: StoreRequest): Promise<Received> {
  const tooLarge = new AbortController();
  const stop = signal === undefined ? tooLarge.signal : AbortSignal.any([tooLarge.signal, signal]);
  const keys = authorization === undefined ? {} : { authorization };
  const request = http(url, { method, signal: stop, headers: { ...given, ...keys }, ...(body === undefined ? {} : { json: body }) });
  request.on('downloadProgress', ({ transferred }) => {
    if (transferred > LARGEST) tooLarge.abort();
  });
  try {
    const { statusCode, rawBody, headers } = await request;
    const { 'content-encoding': encoding, 'retry-after': retryAfter, location } = headers;
    const pages = headers['x-wp-totalpages'];
    const totalPages = typeof pages === 'string' && /^\d{1,9}$/.test(pages) ? Number(pages) : undefined;
    return { status: statusCode, body: Buffer.from(rawBody), encoding, retryAfter, location, totalPages };
  } catch (thrown) {
    if (tooLarge.signal.aborted) throw unreachable(url.host, 'its answer is over 5 MB');
    if (signal?.aborted === true) throw unreachable(url.host, 'all that was to be read did not come in time');
    throw unreachable(url.host, thrown instanceof Error ? thrown.message : 'unknown error');
  }
}

// The name can't resolve differently between this check and the connection: these are the addresses that the socket gets.
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (first === undefined) return callback(new Error(notPublic), []);
    return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
  });
};

/** Without a cause: the client's errors carry the keys of the store. */
function unreachable(host: string, why: string): Failure {
  return new Failure('storefront.unreachable', `${host} gave no answer: ${why}; check the store's address and keys`);
}
