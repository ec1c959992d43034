import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Got } from 'got';
import { sign } from '../../contract/dialect.ts';
import { type Agents, exchange } from './exchange.ts';
import type { Endpoint, RequestTimeouts } from './port.ts';

/** A server that says to wait for days is called again after an hour. */
const LONGEST_WAIT_MS = 3_600_000;

/** How long a `Retry-After` header says to wait, from 0 ms to an hour; null: it is absent, or neither seconds nor a date. */
export function retryAfterMs(header: string | string[] | undefined): number | null {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WAIT_MS) : null;
}

/**
 * How the compliance API is called; `streams` is for what must not be held in memory whole. `whyInsecure`: why an address may not be called, for the
 * key would go in the clear; null: it may.
 */
export type Caller = { agents: Agents; timeouts: RequestTimeouts; streams: Got; whyInsecure(address: string): string | null };

/** One request to the documented interface, or, with `extension`, to what our own service offers beside it. */
export type Call = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: string; headers?: Record<string, string>; extension?: true };
/** `leftMs`: for all of it, in place of the usual time. `mostBytes`: of the answer, before and after it is decompressed. */
export type CallRequest = { endpoint: Endpoint; call: Call; signal?: AbortSignal | undefined; leftMs?: number; mostBytes?: number };
export type Answered = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

const PATH = '/public-api/v1';
const EXTENSION_PATH = '/service/v1';
const LARGEST_ANSWER = 1024 * 1024;

/** The key would go in the clear, so nothing was sent. */
export class NotSecure extends Error {}

/** Sends a signed request, once; any status is an answer. Throws `NotSecure`, `NoAnswer`, or an error if the answer can't be decompressed. */
export async function sendCall(caller: Caller, { endpoint, call, signal, leftMs, mostBytes = LARGEST_ANSWER }: CallRequest): Promise<Answered> {
  const { method, body } = call;
  const url = addressOf(caller, endpoint, call);
  const timeouts = { ...caller.timeouts, ...(leftMs === undefined ? {} : { totalMs: leftMs }) };
  const answer = await exchange(caller.agents, { url, method, headers: headersOf(endpoint, call), body, timeouts, mostBytes, signal });
  return { status: answer.status, text: decodeAnswer(answer.body, answer.headers['content-encoding'], mostBytes), headers: answer.headers };
}

/** Where a call goes; throws `NotSecure` if the key would go in the clear. */
export function addressOf({ whyInsecure }: Caller, { baseUrl }: Endpoint, { path, extension }: Call): string {
  const insecure = whyInsecure(baseUrl);
  if (insecure !== null) throw new NotSecure(insecure);
  return `${baseUrl}${extension === true ? EXTENSION_PATH : PATH}${path}`;
}

export function headersOf(endpoint: Endpoint, { body, headers }: Call): Record<string, string> {
  return {
    ...authentication(endpoint, body),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'orderbridge',
    ...headers,
  };
}

function authentication({ apiKey, apiSecret, dialect }: Endpoint, body: string | undefined): Record<string, string> {
  if (body === undefined && dialect.signatureEmptyBody === 'omit') return { 'x-api-key': apiKey };
  return { 'x-api-key': apiKey, 'x-signature': sign(body ?? '', apiSecret, dialect) };
}

/** Code and message alone: the errors of a stream carry the request with its headers. */
export function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  return `${code}${error.message}`.slice(0, 300);
}

/** Parsed JSON, or the text if it is none. */
export function parsedText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** The text of an answer, decompressed if needed; throws if that is more than `maxBytes`, broken, or compressed in a way we did not request. */
function decodeAnswer(body: Uint8Array, encoding: string | undefined, maxBytes: number): string {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return Buffer.from(body).toString('utf8');
  const decode = Object.entries(decoders).find(([name]) => name === encoding.toLowerCase())?.[1];
  if (decode === undefined) throw new Error(`the answer is compressed as ${encoding.slice(0, 20)}, which was not requested`);
  return decode(body, { maxOutputLength: maxBytes }).toString('utf8');
}
