import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An order as docs/own-shop.md describes it; or one that is gone. */
export type OwnOrder = Readonly<Record<string, unknown>>;

type Answer = { status: number; body?: unknown; headers?: Record<string, string> };

const TOLERANCE_SECONDS = 300;
const MOST = 100;

/**
 * The read endpoint of a shop of one's own, as docs/own-shop.md describes it: it checks the signature, lists orders by the time of their
 * change and then their id, and knows those that were deleted.
 */
export class OwnShop implements AsyncDisposable {
  /** Path and query of every request, in order. */
  readonly asked: string[] = [];
  /** The address for `--store-url`. */
  readonly url: string;
  /** Orders of a page, at most what is asked for. */
  pageSize = MOST;
  /** Answers in place of the orders; null: as it should. */
  instead: ((path: string) => Answer | null) | null = null;
  /** False: it answers anybody. */
  checks = true;
  readonly #orders = new Map<string, OwnOrder>();
  readonly #secrets: readonly string[];
  readonly #close: () => Promise<void>;

  private constructor(url: string, secrets: readonly string[], close: () => Promise<void>) {
    this.url = url;
    this.#secrets = secrets;
    this.#close = close;
  }

  static async start(...secrets: string[]): Promise<OwnShop> {
    const shops: OwnShop[] = [];
    const server = createServer((request, response) => shops[0]?.answer(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    const shop = new OwnShop(`http://127.0.0.1:${port}/orderbridge/orders`, secrets, close);
    shops.push(shop);
    return shop;
  }

  /** Adds the order, or replaces it. */
  save(order: OwnOrder): void {
    const { id } = order;
    this.#orders.set(String(id), order);
  }

  /** Deletes the order for good; it stays in the list as deleted. */
  remove(id: string, at: string): void {
    this.#orders.set(id, { id, deleted: true, updatedAt: at });
  }

  /** Deletes the order, and knows nothing of it any more. */
  forget(id: string): void {
    this.#orders.delete(id);
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    this.asked.push(path);
    const { status, body, headers = {} } = this.instead?.(path) ?? this.#answerTo(request, new URL(path, this.url));
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body === undefined ? '' : JSON.stringify(body));
  }

  #answerTo(request: IncomingMessage, { pathname, searchParams }: URL): Answer {
    if (request.method !== 'GET') return { status: 405 };
    if (pathname !== '/orderbridge/orders') return { status: 404 };
    if (this.checks && !this.#isSigned(request)) return { status: 401, body: { error: 'signature' } };
    const ids = searchParams.get('ids');
    if (ids !== null) {
      const wanted = ids.split(',');
      return this.#page(
        [...this.#orders].flatMap(([id, order]) => (wanted.includes(id) ? [order] : [])),
        searchParams,
      );
    }
    const since = Date.parse(searchParams.get('changed_since') ?? '');
    if (Number.isNaN(since)) return { status: 400, body: { error: 'changed_since' } };
    return this.#page(
      [...this.#orders.values()].filter(({ updatedAt }) => Date.parse(String(updatedAt)) >= since),
      searchParams,
    );
  }

  #page(orders: readonly OwnOrder[], parameters: URLSearchParams): Answer {
    const after = Buffer.from(parameters.get('after') ?? '', 'base64url').toString();
    const rest = orders.filter((order) => placeOf(order) > after).sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
    const page = rest.slice(0, Math.min(this.pageSize, Number(parameters.get('limit') ?? MOST)));
    const last = page.at(-1);
    const next = last === undefined || page.length === rest.length ? null : Buffer.from(placeOf(last)).toString('base64url');
    return { status: 200, body: { orders: page, next } };
  }

  #isSigned({ headers, url }: IncomingMessage): boolean {
    const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => String(headers[name] ?? ''));
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
    const signed = this.#secrets.map((secret) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${url}`).digest('base64')}`;
    });
    return signed.includes(signature ?? '');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#close();
  }
}

function placeOf({ updatedAt, id }: OwnOrder): string {
  return `${new Date(String(updatedAt)).toISOString()}|${id}`;
}
