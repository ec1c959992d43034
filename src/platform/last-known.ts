type Entry<T> = { value: T; at: number };

const FRESH_MS = 10_000;
const MOST = 10_000;
/** How long a verdict waits for a fresher answer than the one at hand. */
const PATIENCE_MS = 150;

export type LastKnownOptions<T> = {
  /** Null: there is no such thing. Throws if it can't be told. */
  ask(key: string): Promise<T | null>;
  /** ms since 1970 */
  now(): number;
};

/**
 * Answers as they were up to 10 s ago, and the last known for as long as nobody can be asked.
 * A key that was never answered is always asked for, so what is new works at once.
 */
export class LastKnown<T> {
  readonly #options: LastKnownOptions<T>;
  readonly #known = new Map<string, Entry<T>>();
  readonly #asking = new Map<string, Promise<T | null>>();
  /** Counts what was let go of: an answer that was asked for before is out of date when it comes. */
  #epoch = 0;

  constructor(options: LastKnownOptions<T>) {
    this.#options = options;
  }

  /** Null: no such thing. Throws if it can't be told and never was. */
  async get(key: string): Promise<T | null> {
    const entry = this.#known.get(key);
    if (entry === undefined) return this.#ask(key);
    if (this.#options.now() - entry.at < FRESH_MS) return entry.value;
    // The last known is good enough for a verdict in time; it is refreshed behind it.
    const late = new Promise<T>((resolve) => setTimeout(() => resolve(entry.value), PATIENCE_MS).unref());
    return Promise.race([this.#ask(key).catch(() => entry.value), late]);
  }

  /** As it is at this moment. */
  async fresh(key: string): Promise<T | null> {
    const epoch = this.#epoch;
    return this.#keep(key, { value: await this.#options.ask(key), epoch });
  }

  /** Lets go of one answer, or of all. */
  forget(key?: string): void {
    this.#epoch += 1;
    for (const old of key === undefined ? [...this.#known.keys()] : [key]) {
      const entry = this.#known.get(old);
      if (entry !== undefined) entry.at = 0;
    }
    if (key === undefined) this.#asking.clear();
    else this.#asking.delete(key);
  }

  #ask(key: string): Promise<T | null> {
    const running = this.#asking.get(key);
    if (running !== undefined) return running;
    const asking: Promise<T | null> = this.fresh(key).finally(() => {
      if (this.#asking.get(key) === asking) this.#asking.delete(key);
    });
    this.#asking.set(key, asking);
    return asking;
  }

  #keep(key: string, { value, epoch }: { value: T | null; epoch: number }): T | null {
    if (value === null) return null;
    this.#known.delete(key);
    this.#known.set(key, { value, at: epoch === this.#epoch ? this.#options.now() : 0 });
    const oldest = this.#known.keys().next();
    if (this.#known.size > MOST && oldest.done !== true) this.#known.delete(oldest.value);
    return value;
  }
}
