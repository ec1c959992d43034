import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

/** How the service treats one request. `lose-reply` records it and hangs up; `lose-request` hangs up and records nothing. */
export type Behaviour = 'ok' | 'lose-reply' | 'lose-request' | Answer | { hangMs: number };

export type SeenRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string; at: number };
export type StandingRecord = { id: string; dto: WireOrder };
export type WireOrder = {
  internalId: string;
  internalNumber: string;
  transactionId?: string;
  customer?: object;
  paymentProcessorName?: string;
  lineItems: { name: string; quantity: number; price: number; discount: number; vatRate: number; vatGroup: string }[];
};

type Kind = 'create' | 'delete' | 'receipt';
type Options = { honoursIdempotency?: boolean; delayMs?: number };

/** A compliance service that follows a script, for behaviour that ours never shows; it keeps its records. */
export class ScriptedCompliance implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly #options: Options;
  readonly #living = new Map<string, WireOrder>();
  readonly #answered = new Map<string, string>();
  readonly #receipts = new Map<string, string>();
  readonly #script: Record<Kind, Behaviour[]> = { create: [], delete: [], receipt: [] };
  readonly #held: (() => void)[] = [];
  #always: Behaviour | null = null;
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
  always(behaviour: Behaviour | null): void {
    this.#always = behaviour;
  }

  /** Requests arrive and are acted on, but answered only after `letGo`. */
  holdAnswers(): void {
    this.#hold = true;
  }

  letGo(): void {
    this.#hold = false;
    for (const go of this.#held.splice(0)) go();
  }

  /** Living records of one order: more than one is a doubled tax record. */
  standing(internalId: string): StandingRecord[] {
    return [...this.#living].filter(([, dto]) => dto.internalId === internalId).map(([id, dto]) => ({ id, dto }));
  }

  get living(): number {
    return this.#living.size;
  }

  /** Creates (POST) or deletes. */
  requests(method: 'POST' | 'DELETE'): SeenRequest[] {
    return this.seen.filter((request) => request.method === method && !isReceipt(request));
  }

  /** The ids of the orders whose receipt was requested, in order. */
  get receiptsAsked(): string[] {
    return this.seen.filter(isReceipt).map(({ path }) => path.split('/').at(-2) ?? '');
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
    this.seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, at: Date.now() });
    const kind = kindOf(request);
    const behaviour = this.#script[kind].shift() ?? this.#always ?? 'ok';
    if (this.#options.delayMs !== undefined) await sleep(this.#options.delayMs);
    if (behaviour === 'lose-request') return void response.destroy();
    if (typeof behaviour === 'object' && 'status' in behaviour) return answer(response, behaviour);
    const done = this.#act(kind, request, body);
    if (this.#hold) await new Promise<void>((resolve) => this.#held.push(resolve));
    if (behaviour === 'lose-reply') return void response.destroy();
    if (typeof behaviour === 'object') await sleep(behaviour.hangMs);
    answer(response, done);
  }

  #act(kind: Kind, request: IncomingMessage, body: string): Answer {
    if (kind === 'receipt') return this.#receipt(request);
    return kind === 'create' ? this.#create(request, body) : this.#delete(request);
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
    this.#living.set(id, JSON.parse(body) as WireOrder);
    if (typeof key === 'string') this.#answered.set(key, id);
    return { status: 200, body: { id } };
  }

  #delete({ url = '' }: IncomingMessage): Answer {
    const id = url.split('/').at(-1) ?? '';
    return this.#living.delete(id) ? { status: 200, body: { id } } : { status: 404, body: { title: 'no such order' } };
  }
}

function kindOf({ method, url = '' }: IncomingMessage): Kind {
  if (method === 'DELETE') return 'delete';
  return isReceipt({ path: url }) ? 'receipt' : 'create';
}

function isReceipt({ path }: Pick<SeenRequest, 'path'>): boolean {
  return path.endsWith('/receipt');
}

function answer(response: ServerResponse, { status, body = {}, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
