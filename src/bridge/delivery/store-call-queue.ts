import { withTimeout } from '../../platform/with-timeout.ts';
import { nextAttemptMs } from '../order/decisions/transition.ts';
import type { TraceAttempt } from './attempt-ports.ts';
import type { Notify } from './notify.ts';
import type { Processed } from './process-order.ts';

/** An order that lacks what only its store, at this host, can tell. */
export type QueuedOrder = { orderId: number; host: string };

export type StoreCallQueue = AsyncDisposable & {
  /** An order that does not fit in is dropped: it is pending in the ledger, and due again. */
  add(order: QueuedOrder): void;
};

export type StoreCallQueueDeps = {
  /** Processes an order, with calls of its store until `fetches` aborts; `signal`: the attempt must end. */
  attempt(orderId: number, signals: { fetches: AbortSignal; signal: AbortSignal }): Promise<Processed>;
  traced: TraceAttempt;
  notify: Notify;
  now(): number;
  /** [0, 1) */
  random(): number;
  /** An attempt in this queue has ended. */
  onDone(event: { orderId: number; ms: number; processed: Processed }): void;
  /** An attempt threw: the order is pending. */
  onFailed(orderId: number, err: unknown): void;
  /** Once it is disposed: how long attempts may take to come to their end. */
  finishMs(): number;
};

/** As many as the ledger has slots for. */
const AT_A_HOST = 2;
const AT_ONCE = 32;
const WAITING_OF_A_HOST = 500;
const WAITING = 5_000;
/** Between two looks for a slot, while other processes have those of a host. */
const SLOT_MS = 1_000;
const CUT_MS = 3_000;

/** `blocked`: its slots are taken by other processes; looked at again in a moment. */
type Host = { waiting: QueuedOrder[]; running: number; blocked: NodeJS.Timeout | null };

/** Attempts with calls of stores, apart from all others: two at a time for each host, first come first served, hosts in turn. */
export function createStoreCallQueue(deps: StoreCallQueueDeps): StoreCallQueue {
  return new CallQueue(deps);
}

class CallQueue implements StoreCallQueue {
  readonly #deps: StoreCallQueueDeps;
  readonly #hosts = new Map<string, Host>();
  readonly #waiting = new Set<number>();
  readonly #running = new Set<Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #cut = new AbortController();

  constructor(deps: StoreCallQueueDeps) {
    this.#deps = deps;
  }

  add(order: QueuedOrder): void {
    const host = this.#host(order.host);
    if (this.#waiting.size < WAITING && host.waiting.length < WAITING_OF_A_HOST) this.#queue(order, 'last');
    this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    for (const { blocked } of this.#hosts.values()) clearTimeout(blocked ?? undefined);
    this.#hosts.clear();
    this.#waiting.clear();
    await withTimeout(this.#deps.finishMs(), this.#ended()).catch(() => this.#cut.abort());
    await withTimeout(CUT_MS, this.#ended()).catch(() => undefined);
  }

  async #ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #host(name: string): Host {
    const host = this.#hosts.get(name) ?? { waiting: [], running: 0, blocked: null };
    this.#hosts.set(name, host);
    return host;
  }

  #queue(order: QueuedOrder, where: 'first' | 'last'): void {
    if (this.#stopping.signal.aborted || this.#waiting.has(order.orderId)) return;
    this.#waiting.add(order.orderId);
    const { waiting } = this.#host(order.host);
    if (where === 'first') waiting.unshift(order);
    else waiting.push(order);
  }

  #start(): void {
    for (const [name, host] of [...this.#hosts]) {
      if (this.#running.size >= AT_ONCE) return;
      this.#startOne(name, host);
    }
  }

  #startOne(name: string, host: Host): void {
    if (host.blocked !== null || host.running >= AT_A_HOST) return;
    const order = host.waiting.shift();
    if (order === undefined) return void (host.running === 0 && this.#hosts.delete(name));
    this.#waiting.delete(order.orderId);
    // The next turn is that of the others.
    this.#hosts.delete(name);
    this.#hosts.set(name, host);
    host.running += 1;
    const attempt = this.#deps
      .traced(order.orderId, () => this.#attempt(order))
      .finally(() => {
        host.running -= 1;
        this.#running.delete(attempt);
        this.#start();
      });
    this.#running.add(attempt);
    if (host.running < AT_A_HOST && host.waiting.length > 0 && this.#running.size < AT_ONCE) this.#startOne(name, host);
  }

  async #attempt(order: QueuedOrder): Promise<void> {
    const { orderId } = order;
    const { attempt, notify, now, onDone, onFailed } = this.#deps;
    try {
      const began = now();
      const processed = await attempt(orderId, { fetches: this.#stopping.signal, signal: this.#cut.signal });
      if (processed.kind === 'fetch') return this.#waitForSlot({ ...order, host: processed.host });
      const againMs = nextAttemptMs(processed);
      if (againMs !== null) notify([{ id: orderId, dueAt: now() + againMs }]);
      onDone({ orderId, ms: now() - began, processed });
    } catch (thrown) {
      if (!this.#stopping.signal.aborted) onFailed(orderId, thrown);
    }
  }

  #waitForSlot(order: QueuedOrder): void {
    this.#queue(order, 'first');
    const host = this.#hosts.get(order.host);
    if (host === undefined || host.blocked !== null) return;
    host.blocked = setTimeout(
      () => {
        host.blocked = null;
        this.#start();
      },
      SLOT_MS * (0.5 + this.#deps.random()),
    ).unref();
  }
}
