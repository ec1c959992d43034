export type ByteBudgetOptions = {
  /** Bytes that may be held in all, and by one key; both at least the largest take. */
  total: number;
  each: number;
  /** How long a take may wait. */
  timeoutMs: number;
};

type Waiting = { bytes: number; grant(isGranted: boolean): void };

/** Bytes in memory that many share: anyone who finds none left waits, and keys take turns, so that none waits behind the queue of another. */
export class ByteBudget {
  readonly #options: ByteBudgetOptions;
  readonly #taken = new Map<string, number>();
  /** By key; the key whose turn it is comes first. */
  readonly #waiting = new Map<string, Waiting[]>();
  #total = 0;

  constructor(options: ByteBudgetOptions) {
    this.#options = options;
  }

  /** Returns how to give the bytes back, once; null if none were free in time. */
  async take(key: string, bytes: number): Promise<(() => void) | null> {
    if (this.#waiting.size === 0 && this.#fits(key, bytes)) this.#count(key, bytes);
    else if (!(await this.#turn(key, bytes))) return null;
    let isTaken = true;
    return () => {
      if (isTaken) this.#count(key, -bytes);
      isTaken = false;
      this.#next();
    };
  }

  #turn(key: string, bytes: number): Promise<boolean> {
    return new Promise((resolve) => {
      const waiting: Waiting = {
        bytes,
        grant: (isGranted) => {
          clearTimeout(timer);
          this.#drop(key, waiting);
          resolve(isGranted);
        },
      };
      const timer = setTimeout(() => {
        waiting.grant(false);
        this.#next();
      }, this.#options.timeoutMs);
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), waiting]);
      this.#next();
    });
  }

  /** Grants what fits, one of each key in turn. A key that holds its share is passed over; where the whole is used up, all wait. */
  #next(): void {
    let isAgain = true;
    while (isAgain) {
      isAgain = false;
      for (const [key, [first]] of [...this.#waiting]) {
        if (first === undefined || !this.#fits(key, first.bytes)) continue;
        this.#count(key, first.bytes);
        first.grant(true);
        isAgain = true;
      }
    }
  }

  #fits(key: string, bytes: number): boolean {
    return this.#total + bytes <= this.#options.total && (this.#taken.get(key) ?? 0) + bytes <= this.#options.each;
  }

  #count(key: string, bytes: number): void {
    this.#total += bytes;
    const taken = (this.#taken.get(key) ?? 0) + bytes;
    if (taken === 0) this.#taken.delete(key);
    else this.#taken.set(key, taken);
  }

  /** The key's others wait for their next turn, behind those of other keys. */
  #drop(key: string, waiting: Waiting): void {
    const others = (this.#waiting.get(key) ?? []).filter((one) => one !== waiting);
    this.#waiting.delete(key);
    if (others.length > 0) this.#waiting.set(key, others);
  }
}
