import { withTimeout } from '../../platform/with-timeout.ts';
import { type Answered, addTraffic, type Traffic, trafficOf } from './traffic.ts';

export type TrafficCountsDeps = {
  write(traffic: Traffic[]): Promise<void>;
  /** What could not be written is written with the next. */
  onFailed(error: unknown): void;
  now(): number;
  /** How often it is written; default: every five seconds. */
  everyMs?: number;
};

const EVERY_MS = 5_000;
/** A database that hangs for longer is queried again; what it wrote after all is then counted twice. */
const WRITE_MS = 30_000;
/** A stop does not wait longer for a database that hangs. */
const LAST_MS = 1_000;

/**
 * Gathers in memory what became of the webhooks of known connections, and writes it every few seconds and at the end: no delivery waits for it.
 * What is kept of a connection is bounded.
 */
export class TrafficCounts {
  readonly #deps: TrafficCountsDeps;
  readonly #timer: NodeJS.Timeout;
  #traffic = new Map<string, Traffic>();
  #writing: Promise<void> | null = null;

  constructor(deps: TrafficCountsDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.flush(), deps.everyMs ?? EVERY_MS).unref();
  }

  add(answered: Omit<Answered, 'at'>): void {
    this.#add(this.#traffic, trafficOf({ ...answered, at: new Date(this.#deps.now()).toISOString() }));
  }

  /** Writes what was gathered, one time after the other. */
  async flush(): Promise<void> {
    if (this.#writing !== null) return this.#writing;
    const written = this.#traffic;
    if (written.size === 0) return;
    this.#traffic = new Map();
    this.#writing = this.#write(written);
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await withTimeout(LAST_MS, this.#last()).catch(this.#deps.onFailed);
  }

  /** What came during a write that was under way is written, too. */
  async #last(): Promise<void> {
    await this.#writing;
    await this.flush();
  }

  async #write(written: Map<string, Traffic>): Promise<void> {
    try {
      await withTimeout(WRITE_MS, this.#deps.write([...written.values()]));
    } catch (error) {
      for (const later of this.#traffic.values()) this.#add(written, later);
      this.#traffic = written;
      this.#deps.onFailed(error);
    } finally {
      this.#writing = null;
    }
  }

  #add(traffic: Map<string, Traffic>, one: Traffic): void {
    const before = traffic.get(one.connectionId);
    if (before === undefined) traffic.set(one.connectionId, one);
    else addTraffic(before, one);
  }
}
