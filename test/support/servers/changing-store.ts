import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An order as a self-made shop sends it. */
export type StoreOrder = Record<string, unknown> & { id: string; updatedAt: string };

export type ChangingStore = AsyncDisposable & {
  url: string;
  /** The paths that were requested, oldest first. */
  asked: string[];
  /** Requests under way at once. */
  most: number;
  /** The name that it gives itself. */
  name: string;
  put(...orders: StoreOrder[]): void;
  /** For good: it is in no list. */
  remove(id: string): void;
  /** What the next requests get instead of an answer: a status, or nothing at all. */
  fail(how: number | 'hangs' | null): void;
  /** Requests hang before they are answered as usual, until the returned function is called. */
  hold(): { begun: Promise<void>; letGo(): void };
};

/**
 * A store on a free port of this host that lists its orders by time of change, pages by key: an order that changes while it is paged through moves to the
 * end. `/changed?since=&after=&size=`, `/orders?ids=`, `/name`; and `/?ids=`, as the endpoint of an own shop, by which attempts look orders up.
 */
export async function startChangingStore(host = '127.0.0.1'): Promise<ChangingStore> {
  const store = new Store();
  const server = createServer((request, response) => void store.answer(request.url ?? '/', response));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(store, {
    url: `http://${host}:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  });
}

class Store {
  readonly asked: string[] = [];
  most = 0;
  name = 'corner';
  readonly #orders = new Map<string, StoreOrder>();
  #sorted: StoreOrder[] | null = null;
  #running = 0;
  #failure: number | 'hangs' | null = null;
  #held: { begin(): void; go: Promise<void> } | null = null;

  put(...orders: StoreOrder[]): void {
    for (const order of orders) this.#orders.set(order.id, order);
    this.#sorted = null;
  }

  remove(id: string): void {
    this.#orders.delete(id);
    this.#sorted = null;
  }

  fail(how: number | 'hangs' | null): void {
    this.#failure = how;
  }

  hold() {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: go, resolve } = Promise.withResolvers<void>();
    this.#held = { begin, go };
    const letGo = () => {
      this.#held = null;
      resolve();
    };
    return { begun, letGo };
  }

  async answer(path: string, response: ServerResponse): Promise<void> {
    this.asked.push(path);
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    response.once('close', () => {
      this.#running -= 1;
    });
    if (this.#held !== null) {
      this.#held.begin();
      await this.#held.go;
    }
    if (this.#failure === 'hangs') return;
    const status = this.#failure ?? 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(status === 200 ? this.#bodyOf(new URL(path, 'http://store')) : {}));
  }

  #bodyOf({ pathname, searchParams }: URL): unknown {
    if (pathname === '/name') return { name: this.name };
    if (pathname === '/orders') {
      const ids = (searchParams.get('ids') ?? '').split(',');
      return { orders: ids.flatMap((id) => this.#orders.get(id) ?? []), gone: ids.filter((id) => !this.#orders.has(id)) };
    }
    if (pathname === '/') {
      const ids = (searchParams.get('ids') ?? '').split(',');
      return { orders: ids.map((id) => this.#orders.get(id) ?? { id, deleted: true }), next: null };
    }
    return this.#changed(searchParams.get('since') ?? '', searchParams.get('after'), Number(searchParams.get('size')));
  }

  #changed(since: string, after: string | null, size: number): unknown {
    this.#sorted ??= [...this.#orders.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const sorted = this.#sorted;
    const first = firstFrom(sorted, after === null ? (order) => order.updatedAt >= since : (order) => keyOf(order) > after);
    const orders = sorted.slice(first, first + size);
    const last = orders.at(-1);
    return { orders, next: last === undefined || first + size >= sorted.length ? null : keyOf(last) };
  }
}

function keyOf({ updatedAt, id }: StoreOrder): string {
  return `${updatedAt} ${id}`;
}

/** The index of the first one for which it holds; it holds for all after that. */
function firstFrom(sorted: readonly StoreOrder[], holds: (order: StoreOrder) => boolean): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = sorted[middle];
    if (order !== undefined && holds(order)) high = middle;
    else low = middle + 1;
  }
  return low;
}
