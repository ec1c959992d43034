import { backoffMs } from '../order/backoff.ts';

export type HeldDeps = {
  now(): number;
  /** [0, 1) */
  random(): number;
};

/** An order whose visit changed nothing that keeps it from being due. */
const HOLD_MS = 1_000;
/** When so many wait for that, something is wrong with all of them. */
const MOST_HELD = 1_000;

/** Orders that are due, and are not claimed for a while. */
export class HeldOrders {
  readonly #deps: HeldDeps;
  /** Until when; ms since 1970. */
  readonly #until = new Map<number, number>();
  readonly #failures = new Map<number, number>();

  constructor(deps: HeldDeps) {
    this.#deps = deps;
  }

  ids(): number[] {
    this.#forget();
    return [...this.#until.keys()];
  }

  /** None should be claimed for a while. */
  areMany(): boolean {
    this.#forget();
    return this.#until.size >= MOST_HELD;
  }

  hold(orderId: number, ms: number = HOLD_MS): void {
    this.#until.set(orderId, this.#deps.now() + ms);
  }

  /** Holds it longer each time. Returns how often it failed in a row. */
  failed(orderId: number): number {
    const failures = (this.#failures.get(orderId) ?? 0) + 1;
    this.#failures.set(orderId, failures);
    this.hold(orderId, backoffMs(failures, this.#deps.random()));
    return failures;
  }

  succeeded(orderId: number): void {
    this.#failures.delete(orderId);
  }

  #forget(): void {
    const now = this.#deps.now();
    for (const [orderId, until] of this.#until) if (until <= now) this.#until.delete(orderId);
  }
}
