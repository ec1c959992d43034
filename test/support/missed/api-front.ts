import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dice } from '../hostile/dice.ts';

export type Asked = { method: string; path: string; body: string };

/** Shares of requests with an answer that no store should give, and how long the hanging ones hang. */
export type Faults = { throttled: number; failed: number; cut: number; hanging: number; hangMs: number };

export type FrontOptions = { seed: number; faults: Faults };

type Fault = 'throttled' | 'failed' | 'cut' | 'hanging' | 'none';

const NOT_FORWARDED = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive']);

/** The way to a store's API: it counts who asks at once, throttles, fails, cuts off and hangs as the dice say, and says what is asked. */
export class ApiFront implements AsyncDisposable {
  readonly url: string;
  /** The API behind it. */
  target = '';
  /** Called before a request goes on. */
  onRequest: (asked: Asked) => void = () => undefined;
  /** False: every request goes through. */
  isTroubled = true;
  requests = 0;
  mostAtOnce = 0;
  readonly faults: Record<Fault, number> = { throttled: 0, failed: 0, cut: 0, hanging: 0, none: 0 };
  readonly #options: FrontOptions;
  readonly #dice: Dice;
  readonly #close: () => Promise<void>;
  #atOnce = 0;

  private constructor(url: string, options: FrontOptions, close: () => Promise<void>) {
    this.url = url;
    this.#options = options;
    this.#dice = new Dice(options.seed);
    this.#close = close;
  }

  static async start(options: FrontOptions): Promise<ApiFront> {
    const fronts: ApiFront[] = [];
    const server = createServer((request, response) => void fronts[0]?.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    const front = new ApiFront(`http://127.0.0.1:${port}`, options, close);
    fronts.push(front);
    return front;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#atOnce += 1;
    this.requests += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce);
    const left = new AbortController();
    response.once('close', () => {
      this.#atOnce -= 1;
      left.abort();
    });
    try {
      await this.#pass(request, response, left.signal);
    } catch {
      // Anyone who asked has gone, as a process that was killed.
      response.destroy();
    }
  }

  async #pass(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { method = 'GET', url: path = '/' } = request;
    const body = await text(request);
    this.onRequest({ method, path, body });
    const fault = this.#draw();
    this.faults[fault] += 1;
    if (fault === 'throttled') return void response.writeHead(429, { 'retry-after': '1' }).end('{"code":"too_many"}');
    if (fault === 'failed') return void response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>503</h1>');
    if (fault === 'cut') return void response.destroy();
    if (fault === 'hanging') await sleep(this.#options.faults.hangMs, undefined, { signal });
    const headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !NOT_FORWARDED.has(name)));
    const sent = body === '' ? {} : { body };
    const answer = await fetch(`${this.target}${path}`, { method, headers: headers as Record<string, string>, redirect: 'manual', signal, ...sent });
    const kept = [...answer.headers].filter(([name]) => !NOT_FORWARDED.has(name) && name !== 'content-encoding');
    response.writeHead(answer.status, Object.fromEntries(kept)).end(await answer.text());
  }

  #draw(): Fault {
    if (!this.isTroubled) return 'none';
    let throws = this.#dice.next();
    for (const fault of ['throttled', 'failed', 'cut', 'hanging'] as const) {
      if (throws < this.#options.faults[fault]) return fault;
      throws -= this.#options.faults[fault];
    }
    return 'none';
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}
