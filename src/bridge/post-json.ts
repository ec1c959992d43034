import type { Got } from 'got';
import { isPrivateLiteral, NOT_PUBLIC } from '../platform/http/public-only.ts';
import { openStrictHttp } from '../platform/http/strict-http.ts';
import { errorWords, retryAfterMs } from './client/signed-call.ts';

const CONNECT_MS = 5_000;
const TOTAL_MS = 10_000;
const LARGEST_ANSWER = 64 * 1024;

/** `whyInsecure`: why nothing may be sent to an address, since others could read it on the way; null: it may. `publicOnly`: to public addresses alone. */
type PostOptions = { whyInsecure(address: string): string | null; timeoutMs?: number; publicOnly?: boolean };

type JsonPost = { url: string; body?: string; headers?: Record<string, string>; signal?: AbortSignal };

/** The status and the beginning of the body; null: there was no answer, and `why`. */
export type Posted = { status: number; text: string; retryAfterMs: number | null } | { status: null; why: string };

export type PostJson = (post: JsonPost) => Promise<Posted>;

/** Posts JSON to an address, or fetches it if there is no body. Anyone who sets the environment may choose private ones. */
export function createPostJson({ whyInsecure, timeoutMs = TOTAL_MS, publicOnly = false }: PostOptions): PostJson {
  const timeout = { lookup: CONNECT_MS, connect: CONNECT_MS, secureConnect: CONNECT_MS, request: timeoutMs };
  const http = openStrictHttp({ publicOnly, timeout });
  return async (post) => {
    const insecure = publicOnly && isPrivateLiteral(new URL(post.url)) ? NOT_PUBLIC : whyInsecure(post.url);
    // As a status that no server sends: it is not retried.
    return insecure === null ? send(http, post) : { status: 0, text: insecure, retryAfterMs: null };
  };
}

async function send(http: Got, { url, body, headers = {}, signal }: JsonPost): Promise<Posted> {
  const tooLarge = new AbortController();
  const content = body === undefined ? {} : { method: 'POST' as const, body };
  const request = http(url, {
    ...content,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    signal: signal === undefined ? tooLarge.signal : AbortSignal.any([tooLarge.signal, signal]),
  });
  request.on('downloadProgress', ({ transferred }) => {
    if (transferred > LARGEST_ANSWER) tooLarge.abort();
  });
  try {
    const { statusCode, rawBody, headers: answered } = await request;
    return { status: statusCode, text: Buffer.from(rawBody).toString('utf8'), retryAfterMs: retryAfterMs(answered['retry-after']) };
  } catch (thrown) {
    return { status: null, why: tooLarge.signal.aborted ? 'the answer has no end' : errorWords(thrown) };
  }
}
