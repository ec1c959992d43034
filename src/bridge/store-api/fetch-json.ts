import type { IncomingHttpHeaders } from 'node:http';
import type { Got } from 'got';
import { ownValue } from '../../contract/own-value.ts';
import { codeOf } from '../../platform/error-words.ts';
import { isPrivateLiteral, NOT_PUBLIC } from '../../platform/http/public-only.ts';
import { openStrictHttp } from '../../platform/http/strict-http.ts';
import { insecureWords } from '../../platform/may-carry-secrets.ts';
import { retryAfterMs } from '../client/signed-call.ts';
import { Failure } from '../order/facts/failure.ts';
import type { FetchJson, StoreAnswer, StoreRequest } from '../storefronts/contract.ts';
import { type NoAnswerWhy, NoStoreAnswer } from '../storefronts/store-failure.ts';

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
  const http = openStrictHttp({
    publicOnly: !allowPrivateAddresses,
    timeout: { lookup: connectMs, connect: connectMs, secureConnect: connectMs, response: headersMs, request: totalMs },
    headers: { accept: 'application/json' },
  });
  return async (request) => {
    const url = checkUrl(request.url, allowPrivateAddresses);
    const insecure = insecureWords(url.href, trustedHttpHosts);
    if (insecure !== null) throw new Failure('storefront.refused', insecure);
    const { status, body, headers } = await send(http, url, request);
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity')
      throw unreachable(url.host, 'it sends compressed answers, which were not requested; turn that off for its REST API');
    const parsed = parse(body);
    return { status, body: parsed.ok ? parsed.value : null, ...headersOf(status, headers) };
  };
}

function checkUrl(text: string, allowPrivate: boolean): URL {
  const url = URL.parse(text);
  if (url === null) throw unreachable('the store', 'its address is not a URL');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw unreachable(url.host, 'its address is neither http nor https');
  if (!allowPrivate && isPrivateLiteral(url)) throw unreachable(url.host, NOT_PUBLIC, 'private');
  // Credentials in an address would take the place of those that are given beside it.
  url.username = '';
  url.password = '';
  return url;
}

type Received = { status: number; body: Buffer; headers: IncomingHttpHeaders };

const LONGEST_LINK = 2_000;

/** What the headers of an answer say. */
function headersOf(status: number, headers: IncomingHttpHeaders): Omit<StoreAnswer, 'status' | 'body'> {
  const { location, link } = headers;
  const waitMs = retryAfterMs(headers['retry-after']);
  const pages = headers['x-wp-totalpages'];
  const version = Object.entries(headers).find(([name]) => name.endsWith('-api-version'))?.[1];
  // Cloudflare's own pages in place of the store's.
  const isChallenge = headers['cf-mitigated'] === 'challenge' || ((status === 403 || status === 503) && headers['cf-ray'] !== undefined);
  return {
    ...(waitMs === null ? {} : { retryAfterMs: waitMs }),
    ...(location === undefined ? {} : { location }),
    ...(typeof pages === 'string' && /^\d{1,9}$/.test(pages) ? { totalPages: Number(pages) } : {}),
    ...(typeof link === 'string' && link.length <= LONGEST_LINK ? { link } : {}),
    ...(typeof version === 'string' ? { apiVersion: version } : {}),
    ...(isChallenge ? { isChallenge } : {}),
  };
}

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
    return { status: statusCode, body: Buffer.from(rawBody), headers };
  } catch (thrown) {
    if (tooLarge.signal.aborted) throw unreachable(url.host, 'its answer is over 5 MB');
    if (signal?.aborted === true) throw unreachable(url.host, 'all that was to be read did not come in time', 'slow');
    throw unreachable(url.host, thrown instanceof Error ? thrown.message : 'unknown error', whyOf(thrown));
  }
}

const whys: Readonly<Record<string, NoAnswerWhy>> = {
  ...{ ENOTFOUND: 'unknown-host', EAI_AGAIN: 'unknown-host', EAI_NODATA: 'unknown-host' },
  ...{ ECONNREFUSED: 'refused', EHOSTUNREACH: 'refused', ENETUNREACH: 'refused', ETIMEDOUT: 'slow', EPROTO: 'no-tls' },
};

/** By the code of Node or OpenSSL that the client's error has. */
function whyOf(thrown: unknown): NoAnswerWhy {
  const code = codeOf(thrown);
  if (thrown instanceof Error && thrown.message.includes(NOT_PUBLIC)) return 'private';
  if (code.startsWith('ERR_SSL_')) return 'no-tls';
  if (/CERT|UNABLE_TO_|SELF_SIGNED|ERR_TLS/.test(code)) return 'certificate';
  return ownValue(whys, code) ?? 'cut-off';
}

/** Without a cause: the client's errors carry the keys of the store. */
function unreachable(host: string, words: string, why: NoAnswerWhy = 'cut-off'): NoStoreAnswer {
  return new NoStoreAnswer(why, `${host} gave no answer: ${words}; check the store's address and keys`);
}
