import { within } from '../../platform/within.ts';

/** Deliveries of one connection that were answered 429, and when the last of them was (ISO instant). */
export type Throttled = { connectionId: string; count: number; at: string };

export type ThrottledCountsDeps = {
  write(counts: Throttled[]): Promise<void>;
  /** The counts are written with the next ones. */
  onFailed(error: unknown): void;
  now(): number;
};

const EVERY_MS = 5_000;
/** A stop does not wait longer for a database that hangs. */
const LAST_MS = 1_000;

/** Counts refused deliveries in memory, and writes them every few seconds and at the end. */
export class ThrottledCounts {
  readonly #deps: ThrottledCountsDeps;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, Throttled>();

  constructor(deps: ThrottledCountsDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.#flush(), EVERY_MS).unref();
  }

  add(connectionId: string): void {
    this.#count({ connectionId, count: 1, at: new Date(this.#deps.now()).toISOString() });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await within(LAST_MS, this.#flush()).catch(this.#deps.onFailed);
  }

  #count({ connectionId, count, at }: Throttled): void {
    const before = this.#counts.get(connectionId);
    const last = before !== undefined && before.at > at ? before.at : at;
    this.#counts.set(connectionId, { connectionId, count: count + (before?.count ?? 0), at: last });
  }

  async #flush(): Promise<void> {
    const counts = [...this.#counts.values()];
    if (counts.length === 0) return;
    this.#counts = new Map();
    try {
      await this.#deps.write(counts);
    } catch (error) {
      for (const one of counts) this.#count(one);
      this.#deps.onFailed(error);
    }
  }
}
