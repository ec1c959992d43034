type Options = { ttlMs: number; size: number; now: () => number };

/** A bounded memory: entries are forgotten after `ttlMs`, the oldest first when there are more than `size`. */
export class ExpiringMap<K, V> {
  readonly #entries = new Map<K, { value: V; until: number }>();
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until > this.#options.now()) return entry?.value;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, until: this.#options.now() + this.#options.ttlMs });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#options.size && oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.#entries.clear();
  }
}
