import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { RequestTimeouts } from './port.ts';

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

type Watching = { outgoing: Outgoing; clock: CallClock; onReady(): void };

/** A connection that is there already is ready: one that was kept. */
function watch(socket: Socket, { outgoing: { url, timeouts }, clock, onReady }: Watching): void {
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
