import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** `text`: not JSON, as an ingress answers. */
type Answer = { status: number; body?: unknown; text?: string; headers?: Record<string, string> };

/** How the service treats one request. `lose-reply` records it and hangs up; `lose-request` hangs up and records nothing. */
export type Behaviour = 'ok' | 'lose-reply' | 'lose-request' | Answer | { hangMs: number };

export type SeenRequest = { kind: Kind; method: string; path: string; headers: IncomingMessage['headers']; body: string; at: number };
export type StandingRecord = { id: string; dto: WireOrder };
export type WireOrder = {
  internalId: string;
  internalNumber: string;
  transactionId?: string;
  customer?: object;
  paymentProcessorName?: string;
  lineItems: { name: string; quantity: number; price: number; discount: number; vatRate: number; vatGroup: string }[];
};

/** absence: the delete of an order that it never had. */
type Kind = 'create' | 'delete' | 'receipt' | 'absence';
type Always = Behaviour | ((request: SeenRequest) => Behaviour);

const NIL = '00000000-0000-0000-0000-000000000000';

type Options = {
  honoursIdempotency?: boolean;
  delayMs?: number;
  /** It forgets buyers, and takes deliveries. */
  extensions?: boolean;
};

/** A compliance service that follows a script, for behaviour that ours never shows; it keeps its records. */
export class ScriptedCompliance implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  /** What it was told of records beside them, as "delivered ID {…}". */
  readonly told: string[] = [];
  /** The paths that were asked for without a key: for its time. */
  readonly withoutKey: string[] = [];
  readonly #options: Options;
  readonly #living = new Map<string, WireOrder>();
  /** Ids that it gave, also of orders that were deleted since; the nil id is asked for by `doctor`. */
  readonly #given = new Set<string>([NIL]);
  readonly #answered = new Map<string, string>();
  readonly #receipts = new Map<string, string>();
  readonly #script: Record<Kind, Behaviour[]> = { create: [], delete: [], receipt: [], absence: [] };
  readonly #held: { go(): void; response: ServerResponse }[] = [];
  #always: Always | null = null;
  #hold = false;
  #server: Server;
  #port = 0;

  private constructor(options: Options) {
    this.#options = options;
    this.#server = this.#make();
  }

  static async start(options: Options = {}): Promise<ScriptedCompliance> {
    const service = new ScriptedCompliance(options);
    await service.up();
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The next requests of a kind, in order; then `ok` again. */
  next(kind: Kind, ...behaviours: Behaviour[]): void {
    this.#script[kind].push(...behaviours);
  }

  /** Every request, until the next call. */
  always(behaviour: Always | null): void {
    this.#always = behaviour;
  }

  /** It has these orders from before, whose content is of no concern. */
  adopt(ids: readonly string[]): void {
    for (const id of ids) {
      this.#given.add(id);
      this.#living.set(id, { internalId: '', internalNumber: '', lineItems: [] });
    }
  }

  /** Requests arrive and are acted on, but answered only after `letGo`. */
  holdAnswers(): void {
    this.#hold = true;
  }

  letGo(): void {
    this.#hold = false;
    for (const { go } of this.#held.splice(0)) go();
  }

  /** The same; resolves when the answers are on their way, which a process that stands still finds when it goes on. */
  async answerHeld(): Promise<void> {
    const answered = this.#held.map(({ response }) => once(response, 'close'));
    this.letGo();
    await Promise.all(answered);
  }

  /** Living records of one order: more than one is a doubled tax record. */
  current(internalId: string): StandingRecord[] {
    return [...this.#living].filter(([, dto]) => dto.internalId === internalId).map(([id, dto]) => ({ id, dto }));
  }

  /** All living records. */
  get records(): StandingRecord[] {
    return [...this.#living].map(([id, dto]) => ({ id, dto }));
  }

  get living(): number {
    return this.#living.size;
  }

  /** Creates (POST) or deletes, but for those that ask how it answers for an unknown order. */
  requests(method: 'POST' | 'DELETE'): SeenRequest[] {
    const kind = method === 'POST' ? 'create' : 'delete';
    return this.seen.filter((request) => request.kind === kind);
  }

  /** How often it was asked how it answers for an order that it never had. */
  get absencesAsked(): number {
    return this.seen.filter(({ kind }) => kind === 'absence').length;
  }

  /** The ids of the orders whose receipt was requested, in order. */
  get receiptsAsked(): string[] {
    return this.seen.filter(({ kind }) => kind === 'receipt').map(({ path }) => path.split('/').at(-2) ?? '');
  }

  /** It knows nothing of what was before, follows no script, and is reached again. */
  async beginAnew(): Promise<void> {
    this.letGo();
    this.#always = null;
    for (const list of [this.seen, this.told, ...Object.values(this.#script)]) list.length = 0;
    for (const known of [this.#living, this.#given, this.#answered, this.#receipts]) known.clear();
    this.#given.add(NIL);
    if (!this.#server.listening) await this.up();
  }

  async up(): Promise<void> {
    this.#server = this.#make();
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** As if the machine were unplugged: connections are refused. */
  async down(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.letGo();
    await this.down();
  }

  #make(): Server {
    return createServer((request, response) => void this.#handle(request, response));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (this.#options.extensions === true && request.url?.startsWith('/service/v1/orders/') === true) return answer(response, this.#extension(request, body));
    if (!this.#takes(request)) return answer(response, { status: 404, body: { title: 'no such address' } });
    const kind = this.#kindOf(request);
    const seen = { kind, method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, at: Date.now() };
    this.seen.push(seen);
    const behaviour = this.#script[kind].shift() ?? (typeof this.#always === 'function' ? this.#always(seen) : this.#always) ?? 'ok';
    if (this.#options.delayMs !== undefined) await sleep(this.#options.delayMs);
    if (behaviour === 'lose-request') return void response.destroy();
    if (typeof behaviour === 'object' && 'status' in behaviour) return answer(response, behaviour);
    const done = this.#act(kind, request, body);
    if (this.#hold) await new Promise<void>((go) => this.#held.push({ go, response }));
    if (behaviour === 'lose-reply') return void response.destroy();
    if (typeof behaviour === 'object') await sleep(behaviour.hangMs);
    answer(response, done);
  }

  #act(kind: Kind, request: IncomingMessage, body: string): Answer {
    if (kind === 'receipt') return this.#receipt(request);
    return kind === 'create' ? this.#create(request, body) : this.#delete(request);
  }

  #extension({ method, url = '' }: IncomingMessage, body: string): Answer {
    const [id = '', what = ''] = url.replace('/service/v1/orders/', '').split('/');
    if (!this.#living.has(id)) return { status: 404, body: { type: 'urn:compliance-service:problem:not-found' } };
    if (method === 'GET') return { status: 200, body: {} };
    this.told.push(`${what} ${id}${body === '' ? '' : ` ${body}`}`);
    return { status: 200, body: { id } };
  }

  #receipt({ url = '' }: IncomingMessage): Answer {
    const orderId = url.split('/').at(-2) ?? '';
    if (!this.#living.has(orderId)) return { status: 404, body: { title: 'no such order' } };
    const id = this.#receipts.get(orderId) ?? randomUUID();
    this.#receipts.set(orderId, id);
    return { status: 200, body: { id, orderId } };
  }

  #create(request: IncomingMessage, body: string): Answer {
    const key = request.headers['idempotency-key'];
    const before = this.#options.honoursIdempotency === true && typeof key === 'string' ? this.#answered.get(key) : undefined;
    if (before !== undefined) return { status: 200, body: { id: before } };
    const id = randomUUID();
    this.#given.add(id);
    this.#living.set(id, JSON.parse(body) as WireOrder);
    if (typeof key === 'string') this.#answered.set(key, id);
    return { status: 200, body: { id } };
  }

  #delete({ url = '' }: IncomingMessage): Answer {
    const id = url.split('/').at(-1) ?? '';
    return this.#living.delete(id) ? { status: 200, body: { id } } : { status: 404, body: { title: 'no such order' } };
  }

  /** It has the documented interface alone, which lists nothing. Without a key it is asked for its time, now and then. */
  #takes({ method, url = '', headers }: IncomingMessage): boolean {
    const isForItsTime = url.endsWith(NIL) && headers['x-api-key'] === undefined;
    if (isForItsTime) this.withoutKey.push(url);
    return !isForItsTime && method !== 'GET' && !url.startsWith('/service/');
  }

  #kindOf({ method, url = '' }: IncomingMessage): Kind {
    if (method === 'DELETE') return this.#given.has(url.split('/').at(-1) ?? '') ? 'delete' : 'absence';
    return url.endsWith('/receipt') ? 'receipt' : 'create';
  }
}

function answer(response: ServerResponse, { status, body = {}, text: words, headers = {} }: Answer): void {
  if (words !== undefined) return void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(words);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
