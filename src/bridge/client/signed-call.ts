import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import pRetry from 'p-retry';
import { sign } from '../../contract/dialect.ts';
import type { Reply } from '../order/decisions/answer.ts';
import type { Endpoint, RequestTimeouts } from './port.ts';

/** How the compliance API is called. `whyInsecure`: why an address may not be called, for the key would go in the clear; null: it may. */
export type CallDeps = { agents: Agents; timeouts: RequestTimeouts; whyInsecure(address: string): string | null; traced?: TraceCall };

/** Sends a call as part of a trace, with the headers that say so. */
export type TraceCall = <T extends { status: number }>(
  call: Pick<SignedCall, 'method' | 'path'>,
  send: (headers: Record<string, string>) => Promise<T>,
) => Promise<T>;

/** One request to the documented interface, or, with `extension`, to what our own service offers beside it. */
export type SignedCall = { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string; body?: string; headers?: Record<string, string>; extension?: true };
/** `leftMs`: for all of it, in place of the usual time. `mostBytes`: of the answer, before and after it is decompressed. */
export type CallRequest = { endpoint: Endpoint; call: SignedCall; signal?: AbortSignal | undefined; leftMs?: number; mostBytes?: number };
export type Answered = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

const PATH = '/public-api/v1';
const EXTENSION_PATH = '/service/v1';
const LARGEST_ANSWER = 1024 * 1024;

/** The key would go in the clear, so nothing was sent. */
export class NotSecure extends Error {}

/** Sends a signed request, once; any status is an answer. Throws `NotSecure`, `NoAnswer`, or an error if the answer can't be decompressed. */
export async function sendCall(caller: CallDeps, { endpoint, call, signal, leftMs, mostBytes = LARGEST_ANSWER }: CallRequest): Promise<Answered> {
  const { method, body } = call;
  const url = addressOf(caller, endpoint, call);
  const timeouts = { ...caller.timeouts, ...(leftMs === undefined ? {} : { totalMs: leftMs }) };
  const send = (headers?: Record<string, string>) =>
    exchange(caller.agents, { url, method, headers: { ...headersOf(endpoint, call), ...headers }, body, timeouts, mostBytes, signal });
  const answer = await (caller.traced === undefined ? send() : caller.traced(call, send));
  return { status: answer.status, text: decodeAnswer(answer.body, answer.headers['content-encoding'], mostBytes), headers: answer.headers };
}

type RetryOptions = {
  /** Which reply allows a repeat without harm. */
  mayRepeat: (reply: Reply) => boolean;
  /** Which reply shows what became of the request, even if the reply to an earlier try was lost. */
  isConclusive: (reply: Reply) => boolean;
  /** Limit of all tries together. */
  withinMs: number;
  signal: AbortSignal | undefined;
};

class Retry extends Error {}

/** Calls up to three times, with short pauses, within the time; `call` gets what is left of it. Of tries that differ, an uncertain one counts. */
export async function retryCall(call: (leftMs: number) => Promise<Reply>, { mayRepeat, isConclusive, withinMs, signal }: RetryOptions): Promise<Reply> {
  const deadline = performance.now() + withinMs;
  let last: Reply = { kind: 'not-sent', error: 'given up before it was sent: this process is shutting down' };
  const attempt = async (): Promise<void> => {
    const reply = await call(Math.max(1, Math.ceil(deadline - performance.now())));
    // A later try that was not sent, or that is refused, does not show the outcome of an earlier one that may have been done.
    if (last.kind === 'not-sent' || isConclusive(reply)) last = reply;
    if (mayRepeat(reply)) throw new Retry('not sent, or safe to repeat');
  };
  try {
    const pauses = { retries: 2, minTimeout: 50, maxTimeout: 500, factor: 3, randomize: true };
    await pRetry(attempt, { ...pauses, maxRetryTime: withinMs, ...(signal === undefined ? {} : { signal }) });
  } catch (thrown) {
    if (!(thrown instanceof Retry) && signal?.aborted !== true) throw thrown;
  }
  return last;
}

/** Where a call goes; throws `NotSecure` if the key would go in the clear. */
export function addressOf({ whyInsecure }: CallDeps, { baseUrl }: Endpoint, { path, extension }: SignedCall): string {
  const insecure = whyInsecure(baseUrl);
  if (insecure !== null) throw new NotSecure(insecure);
  return `${baseUrl}${extension === true ? EXTENSION_PATH : PATH}${path}`;
}

export function headersOf(endpoint: Endpoint, { body, headers }: SignedCall): Record<string, string> {
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

const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };

/** The text of an answer, decompressed if needed; throws if that is more than `maxBytes`, broken, or compressed in a way we did not request. */
function decodeAnswer(body: Uint8Array, encoding: string | undefined, maxBytes: number): string {
  if (encoding === undefined || encoding === '' || encoding === 'identity') return Buffer.from(body).toString('utf8');
  const decode = Object.entries(decoders).find(([name]) => name === encoding.toLowerCase())?.[1];
  if (decode === undefined) throw new Error(`the answer is compressed as ${encoding.slice(0, 20)}, which was not requested`);
  return decode(body, { maxOutputLength: maxBytes }).toString('utf8');
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

/** A server that says to wait for days is called again after an hour. */
const LONGEST_WAIT_MS = 3_600_000;

/** How long a `Retry-After` header says to wait, from 0 ms to an hour; null: it is absent, or neither seconds nor a date. */
export function retryAfterMs(header: string | string[] | undefined): number | null {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return null;
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WAIT_MS) : null;
}

/** Kept connections. */
export type Agents = { http: HttpAgent; https: HttpsAgent };

/**
 * One request, which is sent once: no redirect is followed, nothing is repeated. `connectMs` is for each of lookup, connection and TLS handshake;
 * `headersMs` counts from when there is a connection, `totalMs` from the beginning.
 */
type Outgoing = {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  timeouts: RequestTimeouts;
  /** Of the answer's body, in bytes as they come. */
  mostBytes: number;
  signal?: AbortSignal | undefined;
};

type Incoming = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** How a call ends. */
type End = { done(incoming: Incoming): void; fail(error: unknown): void };

const MOST_CONNECTIONS = 256;

export function openAgents(): Agents & Disposable {
  const options = { keepAlive: true, maxSockets: MOST_CONNECTIONS };
  const agents = { http: new HttpAgent(options), https: new HttpsAgent(options) };
  return {
    ...agents,
    [Symbol.dispose]() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Sends a request and reads the answer, whatever its status. Throws `NoAnswer`, which holds nothing of the request. */
export function exchange(agents: Agents, outgoing: Outgoing): Promise<Incoming> {
  const { body, signal, timeouts } = outgoing;
  const { promise, resolve, reject } = Promise.withResolvers<Incoming>();
  const sent = { mayHaveLeft: false };
  let request: ClientRequest | null = null;
  let isOver = false;
  // Once: a request that is over may have handed its connection to the next.
  const end = (how: () => void) => {
    if (isOver) return;
    isOver = true;
    clock.stop();
    signal?.removeEventListener('abort', giveUp);
    how();
  };
  const fail = (error: unknown) =>
    end(() => {
      reject(NoAnswer.because(error, sent));
      request?.destroy();
    });
  const done = (incoming: Incoming) => end(() => resolve(incoming));
  const giveUp = () => fail(new GivenUp());
  const clock = new CallClock(timeouts.totalMs, fail);
  try {
    signal?.throwIfAborted();
    signal?.addEventListener('abort', giveUp);
    request = open(agents, outgoing);
    request.on('error', fail);
    request.once('close', () => {
      if (!isOver) fail(new BrokenOff());
    });
    request.once('socket', (socket) => watch(socket, { outgoing, clock, onReady: () => (sent.mayHaveLeft = true) }));
    request.once('response', (response) => {
      clock.endPhase();
      readWhole(response, outgoing.mostBytes, { done, fail });
    });
    request.end(body);
  } catch (error) {
    fail(signal?.aborted === true ? new GivenUp() : error);
  }
  return promise;
}

function open({ http, https }: Agents, { url, method, headers, body }: Outgoing): ClientRequest {
  const address = new URL(url);
  // Node leaves it out of a DELETE, whose body is then lost.
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const options = { method, headers: { ...headers, ...length } };
  return address.protocol === 'https:' ? httpsRequest(address, { ...options, agent: https }) : httpRequest(address, { ...options, agent: http });
}

/** A connection that is there already is ready: one that was kept. */
function watch(socket: Socket, { outgoing: { url, timeouts }, clock, onReady }: { outgoing: Outgoing; clock: CallClock; onReady(): void }): void {
  const { connectMs, headersMs, totalMs } = timeouts;
  const ready = () => {
    onReady();
    if (headersMs < totalMs) clock.phase('response', headersMs);
    else clock.endPhase();
  };
  if (!socket.connecting) return ready();
  const { protocol, hostname } = new URL(url);
  clock.phase(isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? 'lookup' : 'connect', connectMs);
  socket.once('lookup', () => clock.phase('connect', connectMs));
  if (protocol !== 'https:') return void socket.once('connect', ready);
  socket.once('connect', () => clock.phase('secureConnect', connectMs));
  socket.once('secureConnect', ready);
}

function readWhole(response: IncomingMessage, mostBytes: number, { done, fail }: End): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > mostBytes) fail(new TooLarge(mostBytes));
    else chunks.push(chunk);
  });
  response.on('error', fail);
  response.once('end', () => {
    const { complete, statusCode = 0, headers } = response;
    if (complete) done({ status: statusCode, headers, body: Buffer.concat(chunks) });
    else fail(new BrokenOff());
  });
}

class GivenUp extends Error {
  readonly code = 'ERR_ABORTED';
  override readonly message = 'This operation was aborted.';
}

class BrokenOff extends Error {
  readonly code = 'ECONNRESET';
  override readonly message = 'The connection was closed before the answer was whole.';
}

class TooLarge extends Error {
  readonly code = 'ERR_ANSWER_TOO_LARGE';

  constructor(mostBytes: number) {
    super(`The answer has more than ${mostBytes} bytes.`);
  }
}

/** What a call waits for: an address, a connection, TLS on it, the head of the answer, or the end of it all (`request`). */
type Phase = 'lookup' | 'connect' | 'secureConnect' | 'response' | 'request';

/** The time-outs of one call: one for the whole, and one for the phase that it is in. */
class CallClock {
  readonly #onTimeout: (error: Error) => void;
  readonly #whole: NodeJS.Timeout;
  #phase: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(totalMs: number, onTimeout: (error: Error) => void) {
    this.#onTimeout = onTimeout;
    this.#whole = this.#start('request', totalMs);
  }

  /** A phase begins, and the one before it is over. */
  phase(name: Phase, ms: number): void {
    this.endPhase();
    if (!this.#isStopped) this.#phase = this.#start(name, ms);
  }

  endPhase(): void {
    clearTimeout(this.#phase);
    this.#phase = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#whole);
    this.endPhase();
  }

  #start(name: Phase, ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      // What came while this process was busy is read first.
      setImmediate(() => {
        if (!this.#isStopped && (timer === this.#whole || timer === this.#phase)) this.#onTimeout(new TimedOut(name, ms));
      });
    }, ms);
    return timer;
  }
}

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(name: Phase, ms: number) {
    super(`Timeout awaiting '${name}' for ${ms}ms`);
  }
}

/** A call without an answer, or without a whole one. It holds code and words of the error alone, nothing of the request. */
export class NoAnswer extends Error {
  readonly code: string | null;
  /**
   * False only if no byte of the request can have reached the service: there was no connection yet, or no TLS on it. In doubt it is true, and the outcome
   * is unknown; so is that of a kept connection that turns out to be closed.
   */
  readonly mayHaveLeft: boolean;

  constructor(message: string, { code, mayHaveLeft }: { code: string | null; mayHaveLeft: boolean }) {
    super(message);
    this.code = code;
    this.mayHaveLeft = mayHaveLeft;
  }

  static because(error: unknown, { mayHaveLeft }: { mayHaveLeft: boolean }): NoAnswer {
    if (!(error instanceof Error)) return new NoAnswer('unknown error', { code: null, mayHaveLeft });
    const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
    return new NoAnswer(wordsOf(error), { code, mayHaveLeft });
  }
}

// A name with several addresses, none of which could be reached.
function wordsOf(error: Error): string {
  if (error.message !== '' || !(error instanceof AggregateError)) return error.message;
  return error.errors.map((each) => (each instanceof Error ? each.message : '')).join('; ');
}
