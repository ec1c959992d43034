import type { Got } from 'got';
import { sign } from '../../contract/signature.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { Endpoint } from './port.ts';

/** How the compliance API is called. `whyInsecure`: why an address may not be called, for the key would go in the clear; null: it may. */
export type Caller = { http: Got; whyInsecure(address: string): string | null };

/** One request to the documented interface, or, with `extension`, to what our own service offers beside it. */
export type Call = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: string; headers?: Record<string, string>; extension?: true };
export type CallRequest = { endpoint: Endpoint; call: Call; signal?: AbortSignal | undefined; leftMs?: number; mostBytes?: number };
export type Answered = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

const PATH = '/public-api/v1';
const EXTENSION_PATH = '/service/v1';
const LARGEST_ANSWER = 1024 * 1024;

/** The key would go in the clear, so nothing was sent. */
export class NotSecure extends Error {}

/** Sends a signed request; any status is an answer. Throws `NotSecure`, or what the network says: see `errorWords`. */
export async function sendCall(caller: Caller, { endpoint, call, signal, leftMs, mostBytes = LARGEST_ANSWER }: CallRequest): Promise<Answered> {
  const { method, body } = call;
  const tooLong = new AbortController();
  const request = caller.http(addressOf(caller, endpoint, call), {
    method,
    headers: headersOf(endpoint, call),
    ...(body === undefined ? {} : { body }),
    ...(leftMs === undefined ? {} : { timeout: { request: leftMs } }),
    signal: signal === undefined ? tooLong.signal : AbortSignal.any([signal, tooLong.signal]),
  });
  // An answer without end must not fill the memory.
  request.on('downloadProgress', ({ transferred }) => {
    if (transferred > mostBytes) tooLong.abort();
  });
  const { statusCode, rawBody, headers: answerHeaders } = await request;
  return { status: statusCode, text: decodeAnswer(rawBody, answerHeaders['content-encoding'], mostBytes), headers: answerHeaders };
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

/** Code and message alone: got's errors carry the request with its headers. */
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
