import { networkOf } from '../../platform/http/network-of.ts';

export type PasswordThrottleOptions = {
  /** ms, never going back */
  now(): number;
  /** How many addresses are remembered; the one that failed longest ago goes first. */
  size?: number;
};

type Failures = { count: number; lastAt: number };

/** Wrong passwords of one address that cost it nothing. */
const FREE = 5;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
/** Wrong passwords of all addresses in a minute, from which on each address has one alone. */
const MANY = 100;
const MINUTE_MS = 60_000;

/**
 * Slows those who guess the password: after five failures an address waits, twice as long after each, up to a minute. While many addresses guess, one
 * that failed waits a minute at once; an address that never failed may always try, so that nobody is locked out by others.
 */
export class PasswordThrottle {
  readonly #now: () => number;
  readonly #size: number;
  readonly #failures = new Map<string, Failures>();
  /** Of the minute that began at `since`. */
  #all = { since: Number.NEGATIVE_INFINITY, count: 0 };

  constructor({ now, size = 10_000 }: PasswordThrottleOptions) {
    this.#now = now;
    this.#size = size;
  }

  /** Milliseconds until this address may try again; 0: now. */
  waitMs(address: string): number {
    const key = networkOf(address);
    const known = this.#failures.get(key);
    if (known === undefined) return 0;
    const passed = this.#now() - known.lastAt;
    if (passed >= FORGOTTEN_AFTER_MS) {
      this.#failures.delete(key);
      return 0;
    }
    return Math.max(0, this.#waitAfter(known.count) - passed);
  }

  failed(address: string): void {
    const key = networkOf(address);
    const now = this.#now();
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    this.#failures.delete(key);
    this.#failures.set(key, { count, lastAt: now });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > this.#size && oldest !== undefined) this.#failures.delete(oldest);
    if (now - this.#all.since >= MINUTE_MS) this.#all = { since: now, count: 0 };
    this.#all.count += 1;
  }

  succeeded(address: string): void {
    this.#failures.delete(networkOf(address));
  }

  #waitAfter(count: number): number {
    const isCrowded = this.#all.count >= MANY && this.#now() - this.#all.since < MINUTE_MS;
    if (isCrowded) return LONGEST_WAIT_MS;
    return count < FREE ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (count - FREE), LONGEST_WAIT_MS);
  }
}
