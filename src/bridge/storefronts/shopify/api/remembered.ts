/** What this process remembers of shops: so many of them, those that were set last. */
export class Remembered<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(shop: string): Value | undefined {
    return this.#values.get(shop);
  }

  set(shop: string, value: Value): void {
    this.#values.delete(shop);
    this.#values.set(shop, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most) return;
      this.#values.delete(oldest);
    }
  }
}
