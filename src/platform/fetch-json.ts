import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import got from 'got';
import { Failure } from '../domain/failure.ts';

export type FetchJsonOptions = {
  allowPrivateAddresses: boolean;
  timeouts: { connectMs: number; headersMs: number; totalMs: number };
  parse(body: Buffer): { ok: true; value: unknown } | { ok: false };
};

type Request = { url: string; username: string; password: string };

const LARGEST = 5 * 1024 * 1024;

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  PRIVATE.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv6');
}

/** True for an address that anybody on the internet could call; v4-mapped ones are judged by what they map. */
export function isPublicAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  const version = isIP(plain);
  if (version === 0 || (version === 6 && /^::ffff:/i.test(plain))) return false;
  return !PRIVATE.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

/** Refuses private addresses at the moment the socket asks for one: a name can't change its mind in between. */
const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (first === undefined) return callback(Object.assign(new Error(`${hostname} is not a public address`), { code: 'EPRIVATE' }), []);
    return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
  });
};

/** GETs JSON from a merchant's address. Any status is an answer; no answer is `Failure('storefront.unreachable')`. */
export function createFetchJson({
  allowPrivateAddresses,
  timeouts,
  parse,
}: FetchJsonOptions): (request: Request) => Promise<{ status: number; body: unknown }> {
  const http = got.extend({
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    responseType: 'buffer',
    timeout: {
      lookup: timeouts.connectMs,
      connect: timeouts.connectMs,
      secureConnect: timeouts.connectMs,
      response: timeouts.headersMs,
      request: timeouts.totalMs,
    },
    ...(allowPrivateAddresses ? {} : { dnsLookup: publicLookup }),
  });
  return async ({ url, username, password }) => {
    const { hostname, protocol, host } = parseUrl(url);
    if (protocol !== 'http:' && protocol !== 'https:') throw unreachable(host, 'its address is neither http nor https');
    const literal = hostname.replace(/^\[|\]$/g, '');
    if (!allowPrivateAddresses && isIP(literal) !== 0 && !isPublicAddress(literal))
      throw unreachable(host, 'it is not a public address (ALLOW_PRIVATE_ADDRESSES is for development)');
    const tooLong = new AbortController();
    const request = http(url, {
      signal: tooLong.signal,
      headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`, accept: 'application/json', 'user-agent': 'orderbridge' },
    });
    request.on('downloadProgress', ({ transferred }) => {
      if (transferred > LARGEST) tooLong.abort();
    });
    try {
      const { statusCode, rawBody } = await request;
      const body = parse(Buffer.from(rawBody));
      return { status: statusCode, body: body.ok ? body.value : null };
    } catch (thrown) {
      throw unreachable(host, thrown instanceof Error ? thrown.message : 'unknown error');
    }
  };
}

function parseUrl(url: string): URL {
  if (!URL.canParse(url)) throw unreachable('the store', 'its address is not a URL');
  return new URL(url);
}

/** Without a cause: got's errors carry the keys of the store. */
function unreachable(host: string, why: string): Failure {
  return new Failure('storefront.unreachable', `${host} gave no answer: ${why}; check the store's address and keys`);
}
