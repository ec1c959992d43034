import { backoffMs } from '../order/backoff.ts';

export type HeldDeps = {
  now(): number;
  /** [0, 1) */
  random(): number;
};

/** The order, and its connection; null: not even that could be read. */
export type HeldOf = { orderId: number; connectionId: string | null };

/** An order whose attempt changed nothing that keeps it from being due. */
const HOLD_MS = 1_000;
const LONGEST_MS = 60_000;
/** When so many of a connection are held, something is wrong with all of its orders. */
const MOST_HELD = 100;

type Held = { until: number; connectionId: string | null };

/** Orders that are due, and are not claimed for a while. */
export class HeldOrders {
  readonly #deps: HeldDeps;
  readonly #held = new Map<number, Held>();
  readonly #failures = new Map<number, number>();

  constructor(deps: HeldDeps) {
    this.#deps = deps;
  }

  ids(): number[] {
    this.#forget();
    return [...this.#held.keys()];
  }

  /** Connections of which so many are held that none of theirs should be claimed for a while; the others go on. */
  connections(): string[] {
    this.#forget();
    const counts = Map.groupBy(this.#held.values(), ({ connectionId }) => connectionId);
    return [...counts].flatMap(([id, { length }]) => (id !== null && length >= MOST_HELD ? [id] : []));
  }

  hold({ orderId, connectionId }: HeldOf, ms: number = HOLD_MS): void {
    this.#held.set(orderId, { until: this.#deps.now() + ms, connectionId });
  }

  /** Holds it longer each time, a minute at most. Returns how often it failed in a row. */
  failed(of: HeldOf): number {
    const failures = (this.#failures.get(of.orderId) ?? 0) + 1;
    this.#failures.set(of.orderId, failures);
    this.hold(of, Math.min(backoffMs(failures, this.#deps.random()), LONGEST_MS));
    return failures;
  }

  succeeded(orderId: number): void {
    this.#failures.delete(orderId);
  }

  #forget(): void {
    const now = this.#deps.now();
    for (const [orderId, { until }] of this.#held) if (until <= now) this.#held.delete(orderId);
  }
}
