export type AnswerCacheOptions<T> = {
  /** How long an answer counts as fresh; with 0 ms it is not kept. */
  freshMs(answer: T): number;
  /** How many answers are kept; the oldest goes first. */
  size: number;
  /** ms since 1970 */
  now(): number;
  /** True: the last known answer is used if no fresh one comes in time. */
  lastKnown?: boolean;
};

/** Fetches an answer; throws if the source is unreachable. */
type Fetch<T> = () => Promise<T>;
/** `at`: ms since 1970. `freshMs` 0: it is out of date. */
type Kept<T> = { answer: T; at: number; freshMs: number };

/** How long a caller waits for a fresher answer than the last known one. */
const TIMEOUT_MS = 150;

/** Caches answers for a while. Concurrent callers share one fetch; a failure is not cached. */
export class AnswerCache<T> {
  readonly #options: AnswerCacheOptions<T>;
  readonly #kept = new Map<string, Kept<T>>();
  readonly #pending = new Map<string, Promise<T>>();
  /** Counts calls of `forget`: an answer whose fetch began before one is out of date on arrival. */
  #epoch = 0;

  constructor(options: AnswerCacheOptions<T>) {
    this.#options = options;
  }

  /** Throws if the source is unreachable and no last known answer may be used. */
  async get(key: string, fetch: Fetch<T>): Promise<T> {
    const fresh = this.known(key);
    if (fresh !== undefined) return fresh;
    const kept = this.#kept.get(key);
    const pending = this.#pending.get(key) ?? this.#share(key, fetch);
    if (kept === undefined || this.#options.lastKnown !== true) return pending;
    const late = new Promise<T>((resolve) => setTimeout(() => resolve(kept.answer), TIMEOUT_MS).unref());
    return Promise.race([pending.catch(() => kept.answer), late]);
  }

  /** The answer as it is now, from the source. */
  async fresh(key: string, fetch: Fetch<T>): Promise<T> {
    const epoch = this.#epoch;
    const answer = await fetch();
    this.put(key, answer, epoch);
    return answer;
  }

  /** The answer that is kept and fresh. */
  known(key: string): T | undefined {
    const kept = this.#kept.get(key);
    // Also after the clock was set back.
    return kept !== undefined && Math.abs(this.#options.now() - kept.at) < kept.freshMs ? kept.answer : undefined;
  }

  /** Keeps an answer whose fetch began in `epoch`. */
  put(key: string, answer: T, epoch: number): void {
    this.#keep(key, answer, epoch === this.#epoch);
  }

  /** Rises with each `forget`. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Makes the next `get` fetch again: for one key, or for all. */
  forget(key?: string): void {
    this.#epoch += 1;
    for (const old of key === undefined ? [...this.#kept.keys()] : [key]) {
      const kept = this.#kept.get(old);
      if (this.#options.lastKnown !== true) this.#kept.delete(old);
      else if (kept !== undefined) kept.freshMs = 0;
    }
    if (key === undefined) this.#pending.clear();
    else this.#pending.delete(key);
  }

  #share(key: string, fetch: Fetch<T>): Promise<T> {
    const pending: Promise<T> = this.fresh(key, fetch).finally(() => {
      if (this.#pending.get(key) === pending) this.#pending.delete(key);
    });
    this.#pending.set(key, pending);
    return pending;
  }

  #keep(key: string, answer: T, isCurrent: boolean): void {
    const { freshMs, now, size, lastKnown } = this.#options;
    const ms = freshMs(answer);
    // An answer that is out of date is kept only if there is no other.
    if (ms === 0 || (!isCurrent && (lastKnown !== true || this.#kept.has(key)))) return;
    this.#kept.delete(key);
    this.#kept.set(key, { answer, at: now(), freshMs: isCurrent ? ms : 0 });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > size && oldest !== undefined) this.#kept.delete(oldest);
  }
}
