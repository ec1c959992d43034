import { backoffMs } from '../../platform/backoff.ts';
import type { UnreadableRow } from '../../platform/postgres/unreadable-row.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { Claim } from '../order/decisions/claim.ts';
import type { Send } from '../order/decisions/next-action.ts';
import { BACKOFF, nextAttemptMs } from '../order/decisions/transition.ts';
import type { BegunSend, TraceAttempt } from './attempt-ports.ts';
import type { Capacity, ConcurrencyLimiter, ConnectionLoad } from './concurrency-limiter.ts';
import { type Claimed, NOTHING_NEW, type Processed } from './process-order.ts';
import type { QueuedOrder } from './store-call-queue.ts';

export type DueDeps = {
  ledger: DueLedger;
  traced: TraceAttempt;
  /** `onLast`: called when nothing is left but to write an answer. */
  attempt(attempt: Claimed & { onLast: () => void }, signal: AbortSignal): Promise<Processed>;
  /** Of a connection; '' if it can't be found out, which the attempt reports. */
  destinationOf(connectionId: string): Promise<string>;
  limiter: Pick<ConcurrencyLimiter, 'begin' | 'capacity' | 'served' | 'onFree'>;
  /** Somebody paused the queue `submissions`: nothing is claimed. */
  isPaused(): Promise<boolean>;
  /** Some destination is paused, so that much of what is due may have to wait. */
  somePause(): Promise<boolean>;
  /** Takes an order whose store must be called: that is done apart. */
  fetchLater(order: QueuedOrder): void;
  now(): number;
  /** [0, 1) */
  random(): number;
  onDone(event: { orderId: number; ms: number; processed: Processed }): void;
  onAbandoned(orders: number): void;
  onFailed(event: { orderId: number | null; attempt: number; err: unknown }): void;
  /** Claiming failed: it is retried. */
  onClaimFailed(err: unknown): void;
  /** How long running attempts may take to come to their end, once it is disposed. */
  finishMs(): number;
};

/** Disposing waits for the attempts that run. */
export type DueOrders = AsyncDisposable & {
  /** Claims nothing more. */
  close(): void;
  /** Looks as soon as orders are due at this time; ms since 1970. */
  soon(dueAt: number): void;
  /** Slots for so many new orders, which need not be looked up; null: none, because others wait, or must. Anyone who gets some calls `take`, also with nothing. */
  capacity(orders: number): Promise<Capacity | null>;
  /** Processes orders that are claimed already, for which there were so many slots. */
  take(orders: readonly Claimed[], slots: number): void;
};

/** What other processes record or release is seen after so long. */
const LOOK_MS = 500;
/** While orders keep coming, they are claimed by pages, this far apart: a page of twenty costs little more than one of two. */
const APART_MS = 12;
const CLAIM_FAILED_MS = 1_000;
const CUT_MS = 3_000;

/** Processes orders when they are due: one timer for the process claims a page of them from the ledger, as many as there are slots for. */
export function createDueOrders(deps: DueDeps): DueOrders {
  return new Loop(deps);
}

class Loop implements DueOrders {
  readonly #deps: DueDeps;
  readonly #running = new Map<Promise<void>, number>();
  readonly #stopping = new AbortController();
  readonly #cut = new AbortController();
  readonly #delayed: DelayedOrders;
  readonly #ended: Promise<void>;
  /** When to look next, and what ends the wait for it. */
  #lookAt = 0;
  #lookedAt = 0;
  #endSleep: () => void = () => undefined;
  /** Slots for orders that are being claimed. */
  #promised = 0;
  /** More is due than the last page took. */
  #isCrowded = false;

  constructor(deps: DueDeps) {
    this.#deps = deps;
    this.#delayed = new DelayedOrders({ ...deps, now: () => performance.now() });
    deps.limiter.onFree(() => {
      if (this.#isCrowded) this.soon(deps.now());
    });
    this.#ended = this.#run();
  }

  readonly soon = (dueAt: number): void => {
    if (dueAt >= this.#lookAt) return;
    this.#lookAt = dueAt;
    this.#endSleep();
  };

  async capacity(orders: number): Promise<Capacity | null> {
    if (this.#isCrowded || this.#stopping.signal.aborted || (await this.#deps.isPaused()) || (await this.#deps.somePause())) return null;
    const capacity = this.#slots();
    if (capacity.size === 0 || capacity.notTo.length > 0) return null;
    const size = Math.min(orders, capacity.size);
    this.#promised += size;
    return { ...capacity, size };
  }

  take(orders: readonly Claimed[], slots: number): void {
    this.#promised -= slots;
    for (const order of orders) void this.#start(order);
  }

  close(): void {
    this.#stopping.abort();
    this.#endSleep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    const ended = this.#attempts();
    await withTimeout(this.#deps.finishMs(), ended).catch(() => this.#cut.abort());
    await withTimeout(CUT_MS, ended).catch(() => undefined);
    // What begins after the end sends nothing.
    this.#cut.abort();
  }

  async #attempts(): Promise<void> {
    await this.#ended;
    await Promise.all(this.#running.keys());
  }

  async #run(): Promise<void> {
    const { now, onClaimFailed } = this.#deps;
    while (!this.#stopping.signal.aborted) {
      const isBusy = now() - this.#lookedAt < LOOK_MS / 10;
      this.#lookedAt = now();
      // Anyone who asks for an earlier look from now on is heard.
      this.#lookAt = this.#lookedAt + LOOK_MS;
      try {
        await this.#look();
      } catch (thrown) {
        onClaimFailed(thrown);
        this.#lookAt = now() + CLAIM_FAILED_MS;
      }
      await this.#rest(isBusy ? this.#lookedAt + APART_MS : 0);
    }
  }

  /** Waits until it is time to look, and not before `earliest`. */
  async #rest(earliest: number): Promise<void> {
    const { now } = this.#deps;
    // A clock that was set back must not stop it.
    const until = performance.now() + CLAIM_FAILED_MS;
    for (;;) {
      const leftMs = Math.min(Math.max(this.#lookAt, earliest) - now(), until - performance.now());
      if (leftMs <= 0 || this.#stopping.signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#endSleep = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async #look(): Promise<void> {
    const { ledger, isPaused, now } = this.#deps;
    if (await isPaused()) return;
    const capacity = this.#slots();
    this.#isCrowded = capacity.size === 0 || this.#isCrowded;
    if (capacity.size === 0) return;
    const taken = await this.#claimInto(capacity);
    this.#isCrowded = taken >= capacity.size;
    if (taken > 0) return this.soon(now() + APART_MS);
    const nextMs = await ledger.nextDueMs();
    if (nextMs !== null) this.soon(now() + nextMs);
  }

  async #claimInto(capacity: Capacity): Promise<number> {
    if (this.#stopping.signal.aborted) return 0;
    this.#promised += capacity.size;
    try {
      return await this.#claim(capacity);
    } finally {
      this.#promised -= capacity.size;
    }
  }

  /** In turn if more is due than fits, or some of it may not be taken: then anyone who has much waits for those who have little. */
  async #claim(capacity: Capacity): Promise<number> {
    const { somePause, limiter } = this.#deps;
    const roundRobin = this.#isCrowded || capacity.notOf.length > 0 || capacity.notTo.length > 0 || (await somePause());
    // What is delayed, and what this process processes, however long ago its lease ended: its answer is still awaited here.
    const not = [...this.#delayed.ids(), ...this.#running.values()];
    const page = { ...capacity, not, served: roundRobin ? limiter.served() : {}, roundRobin };
    return this.#begin(page);
  }

  async #begin(page: DuePage): Promise<number> {
    const { ledger, onAbandoned, onFailed } = this.#deps;
    const { orders, unreadable } = await ledger.claim(page);
    const abandoned = orders.filter((order) => order.abandoned).length;
    if (abandoned > 0) onAbandoned(abandoned);
    for (const err of unreadable) onFailed({ ...this.#unread(err), err });
    await Promise.all(orders.map((order) => this.#start(order)));
    return orders.length + unreadable.length;
  }

  /** It comes again in a few seconds, or later. */
  #unread({ id }: UnreadableRow): { orderId: number | null; attempt: number } {
    if (typeof id !== 'number') return { orderId: null, attempt: 1 };
    return { orderId: id, attempt: this.#delayed.failed({ orderId: id, connectionId: null }) };
  }

  #slots(): Capacity {
    const capacity = this.#deps.limiter.capacity();
    return { ...capacity, size: Math.max(0, capacity.size - this.#promised), notOf: [...capacity.notOf, ...this.#delayed.connections()] };
  }

  async #start(order: Claimed): Promise<void> {
    const { limiter, destinationOf } = this.#deps;
    const { connectionId } = order.claim;
    const destinationId = order.begun?.connection.destinationId ?? (await destinationOf(connectionId));
    const end = limiter.begin({ connectionId, destinationId });
    const attempt = this.#deps
      .traced(order.claim.id, () => this.#attempt(order, end))
      .finally(() => {
        this.#running.delete(attempt);
        end();
      });
    this.#running.set(attempt, order.claim.id);
  }

  async #attempt({ claim, begun }: Claimed, onLast: () => void): Promise<void> {
    const { attempt, now, onDone, onFailed, fetchLater } = this.#deps;
    const { id: orderId, connectionId } = claim;
    const began = now();
    try {
      const processed = await attempt({ claim, begun, onLast }, this.#cut.signal);
      this.#delayed.succeeded(orderId);
      const againMs = nextAttemptMs(processed);
      if (againMs !== null) this.soon(now() + againMs);
      if (processed.kind === 'paused' || (processed.kind === 'rest' && processed.detail === NOTHING_NEW)) this.#delayed.delay({ orderId, connectionId });
      if (processed.kind === 'fetch') fetchLater({ orderId, host: processed.host });
      onDone({ orderId, ms: now() - began, processed });
    } catch (err) {
      onFailed({ orderId, attempt: this.#delayed.failed({ orderId, connectionId }), err });
    }
  }
}

export type Planned = { action: Send };

/**
 * What to claim: `size` orders at most, none of these orders. `roundRobin`: none of these connections and destinations, first those of connections with the
 * fewest attempts, and of these the one that was served longest ago; else the oldest.
 */
export type DuePage = {
  size: number;
  not: readonly number[];
  notOf: readonly string[];
  notTo: readonly string[];
  served: Readonly<Record<string, ConnectionLoad>>;
  roundRobin: boolean;
};

/** `abandoned`: another worker had it, whose lease ran out. */
export type DueOrder<P> = { claim: Claim; begun: P | null; abandoned: boolean };

/** The ledger's index of orders that are due. */
export type DueLedger<P extends Planned = BegunSend> = {
  /** One page of orders that should be processed by now and that no worker has, claimed; the first steps that are sure are journaled. */
  claim(page: DuePage): Promise<{ orders: DueOrder<P>[]; unreadable: UnreadableRow[] }>;
  /** In how many ms the next order is due that is not due yet; null: none. */
  nextDueMs(): Promise<number | null>;
};

type DelayDeps = {
  /** ms, by a clock that is never set back. */
  now(): number;
  /** [0, 1) */
  random(): number;
};

/** The order, and its connection; null: not even that could be read. */
type DelayOf = { orderId: number; connectionId: string | null };

/** An order whose attempt changed nothing that keeps it from being due. */
const DELAY_MS = 1_000;
const LONGEST_MS = 60_000;
/** When so many of a connection are delayed, something is wrong with all of its orders. */
const MOST_DELAYED = 100;
/** Another process may have finished an order that failed here. */
const MOST_KNOWN = 10_000;

/** Orders that are due, and are not claimed for a while. */
export class DelayedOrders {
  readonly #deps: DelayDeps;
  readonly #delayed = new Map<number, { until: number; connectionId: string | null }>();
  readonly #failures = new Map<number, number>();

  constructor(deps: DelayDeps) {
    this.#deps = deps;
  }

  ids(): number[] {
    this.#forget();
    return [...this.#delayed.keys()];
  }

  /** Connections of which so many are delayed that none of theirs should be claimed for a while; the others go on. */
  connections(): string[] {
    this.#forget();
    const counts = Map.groupBy(this.#delayed.values(), ({ connectionId }) => connectionId);
    return [...counts].flatMap(([id, { length }]) => (id !== null && length >= MOST_DELAYED ? [id] : []));
  }

  delay({ orderId, connectionId }: DelayOf, ms: number = DELAY_MS): void {
    this.#delayed.set(orderId, { until: this.#deps.now() + ms, connectionId });
  }

  /** Delays it longer each time, a minute at most. Returns how often it failed in a row. */
  failed(of: DelayOf): number {
    const failures = (this.#failures.get(of.orderId) ?? 0) + 1;
    this.#failures.set(of.orderId, failures);
    const [oldest = of.orderId] = this.#failures.keys();
    if (this.#failures.size > MOST_KNOWN) this.#failures.delete(oldest);
    this.delay(of, Math.min(backoffMs(BACKOFF, failures, this.#deps.random()), LONGEST_MS));
    return failures;
  }

  succeeded(orderId: number): void {
    this.#failures.delete(orderId);
  }

  #forget(): void {
    const now = this.#deps.now();
    for (const [orderId, { until }] of this.#delayed) if (until <= now) this.#delayed.delete(orderId);
  }
}
