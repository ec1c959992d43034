import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import got, { type Got } from 'got';
import { sign } from '../../contract/signature.ts';
import { Failure } from '../order/failure.ts';
import { classify, type Reply } from '../order/outcome.ts';
import { decodeAnswer } from './decode-answer.ts';
import type { ComplianceClient, Endpoint, RequestTimeouts } from './port.ts';
import { readAnswer } from './read-answer.ts';
import { wasNotSent } from './was-not-sent.ts';
import { withRetries } from './with-retries.ts';

type Options = {
  timeouts: RequestTimeouts;
  /** Why an address may not be called: the key would go in the clear; null: it may. */
  whyInsecure(address: string): string | null;
};
type Call = { method: 'POST' | 'PUT' | 'DELETE'; root?: string; path: string; body?: string; headers?: Record<string, string> };
type Answered = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

const PATH = '/public-api/v1';
/** Extensions of our own service. */
const EXTENSION = '/service/v1';
const LARGEST_ANSWER = 1024 * 1024;

/** The bridge's client: signs exact bytes, keeps connections alive, and turns every result into a `Reply`. */
export function createComplianceClient({ timeouts, whyInsecure }: Options): ComplianceClient & AsyncDisposable {
  const agents = { http: new HttpAgent({ keepAlive: true, maxSockets: 256 }), https: new HttpsAgent({ keepAlive: true, maxSockets: 256 }) };
  const http = got.extend({
    agent: agents,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
    // Decompressed here, up to a limit: a small answer may become a large one.
    decompress: false,
    responseType: 'buffer',
    timeout: {
      lookup: timeouts.connectMs,
      connect: timeouts.connectMs,
      secureConnect: timeouts.connectMs,
      response: timeouts.headersMs,
      request: timeouts.totalMs,
    },
  });
  const { totalMs: withinMs } = timeouts;
  const caller: Caller = { http, whyInsecure };

  return {
    createOrder: (endpoint, { body, idempotencyKey }, signal) => {
      const call: Call = { method: 'POST', path: '/order', body, headers: { 'idempotency-key': idempotencyKey } };
      return withRetries((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { mayRepeat: neverLeft, withinMs, signal });
    },
    deleteOrder: (endpoint, complianceId, signal) => {
      const call: Call = { method: 'DELETE', path: `/order/${encodeURIComponent(complianceId)}` };
      return withRetries((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { mayRepeat: leavesOpen('delete'), withinMs, signal });
    },
    createReceipt: (endpoint, complianceId, signal) => {
      const call: Call = { method: 'POST', path: `/order/${encodeURIComponent(complianceId)}/receipt` };
      return withRetries((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { mayRepeat: leavesOpen('receipt'), withinMs, signal });
    },
    putOutstanding: (endpoint, report, signal) => replyTo(caller, { endpoint, call: outstandingCall(report), signal }),
    async shop(endpoint, { method, id, body }) {
      const path = id === undefined ? '/shop' : `/shop/${encodeURIComponent(id)}`;
      try {
        const { status, text } = await send(caller, { endpoint, call: { method, path, body: JSON.stringify(body) } });
        return { status, body: parsed(text) };
      } catch (thrown) {
        if (thrown instanceof NotSecure) throw new Failure('compliance.insecure', thrown.message);
        // Not the error itself as the cause: it carries the headers with the key.
        throw new Failure('compliance.unreachable', `${endpoint.baseUrl} gave no answer (${errorWords(thrown)}); check COMPLIANCE_API_URL`);
      }
    },
    async [Symbol.asyncDispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function outstandingCall({ shopId, body }: { shopId: string; body: string }): Call {
  return { method: 'PUT', root: EXTENSION, path: `/shops/${encodeURIComponent(shopId)}/outstanding`, body };
}

type Caller = { http: Got } & Pick<Options, 'whyInsecure'>;

/** The key would go in the clear, so nothing was sent. */
class NotSecure extends Error {}

type Request = { endpoint: Endpoint; call: Call; signal?: AbortSignal | undefined; leftMs?: number };

function neverLeft(reply: Reply): boolean {
  return reply.kind === 'not-sent';
}

/** Deletes and receipts may be repeated, whether or not they arrived. */
function leavesOpen(step: 'delete' | 'receipt'): (reply: Reply) => boolean {
  return (reply) => reply.kind === 'not-sent' || classify(step, reply) === 'unknown';
}

async function replyTo(caller: Caller, request: Request): Promise<Reply> {
  try {
    return readAnswer(await send(caller, request));
  } catch (error) {
    if (error instanceof NotSecure) return { kind: 'not-sent', error: error.message };
    return { kind: wasNotSent(error) ? 'not-sent' : 'lost', error: errorWords(error) };
  }
}

async function send({ http, whyInsecure }: Caller, { endpoint, call, signal, leftMs }: Request): Promise<Answered> {
  const insecure = whyInsecure(endpoint.baseUrl);
  if (insecure !== null) throw new NotSecure(insecure);
  const { method, root = PATH, path, body, headers } = call;
  const tooLong = new AbortController();
  const request = http(`${endpoint.baseUrl}${root}${path}`, {
    method,
    headers: {
      ...authentication(endpoint, body),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'orderbridge',
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    ...(leftMs === undefined ? {} : { timeout: { request: leftMs } }),
    signal: signal === undefined ? tooLong.signal : AbortSignal.any([signal, tooLong.signal]),
  });
  // An answer without end must not fill the memory.
  request.on('downloadProgress', ({ transferred }) => {
    if (transferred > LARGEST_ANSWER) tooLong.abort();
  });
  const { statusCode, rawBody, headers: answerHeaders } = await request;
  return { status: statusCode, text: decodeAnswer(rawBody, answerHeaders['content-encoding'], LARGEST_ANSWER), headers: answerHeaders };
}

function authentication({ apiKey, apiSecret, dialect }: Endpoint, body: string | undefined): Record<string, string> {
  if (body === undefined && dialect.signatureEmptyBody === 'omit') return { 'x-api-key': apiKey };
  return { 'x-api-key': apiKey, 'x-signature': sign(body ?? '', apiSecret, dialect) };
}

/** Code and message alone: got's errors carry the request with its headers. */
function errorWords(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code = 'code' in error && typeof error.code === 'string' ? `${error.code}: ` : '';
  return `${code}${error.message}`.slice(0, 300);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
