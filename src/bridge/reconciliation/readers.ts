import { withTimeout } from '../../platform/with-timeout.ts';
import type { Reading } from './sync-run.ts';

export type ReadersDeps = {
  /** Stores that are due and that no process reads: at most `size`, this process's from now on for the length of its lease. */
  claim(size: number): Promise<Reading[]>;
  /** Another lease; false: another process has the store. */
  renew(connectionId: string): Promise<boolean>;
  /** Reads a store, and lets go of it. */
  read(reading: Reading, signal: AbortSignal): Promise<void>;
  leaseMs: number;
  everyMs: number;
  /** `connectionId` null: none could be claimed. */
  onFailed(connectionId: string | null, err: unknown): void;
  /** Once it is disposed: how long readings may take to come to their end. */
  finishMs(): number;
};

/** Stores that one process reads at once; few of them are being called at a time. */
const AT_ONCE = 8;

/** Reads stores when they are due. Disposing cuts requests off; what was read is kept, and another process goes on. */
export function startReaders(deps: ReadersDeps): AsyncDisposable {
  return new Readers(deps);
}

class Readers implements AsyncDisposable {
  readonly #deps: ReadersDeps;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stopping = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | null = null;

  constructor(deps: ReadersDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#look(), deps.everyMs).unref();
    this.#look();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort();
    const ended = async () => {
      await this.#looking;
      await Promise.all(this.#running.values());
    };
    await withTimeout(this.#deps.finishMs(), ended()).catch(() => undefined);
  }

  #look(): void {
    if (this.#looking !== null || this.#stopping.signal.aborted || this.#running.size >= AT_ONCE) return;
    this.#looking = this.#claim().finally(() => {
      this.#looking = null;
    });
  }

  async #claim(): Promise<void> {
    try {
      for (const reading of await this.#deps.claim(AT_ONCE - this.#running.size)) this.#start(reading);
    } catch (thrown) {
      this.#deps.onFailed(null, thrown);
    }
  }

  #start(reading: Reading): void {
    const { connectionId } = reading;
    const ended = this.#read(reading).finally(() => {
      this.#running.delete(connectionId);
      this.#look();
    });
    this.#running.set(connectionId, ended);
  }

  async #read(reading: Reading): Promise<void> {
    const { renew, read, leaseMs, onFailed } = this.#deps;
    const lost = new AbortController();
    // While the database is down the lease is not renewed, and nothing can be written without it.
    const renewing = setInterval(
      () =>
        void renew(reading.connectionId).then(
          (isOurs) => isOurs || lost.abort(),
          () => undefined,
        ),
      leaseMs / 3,
    ).unref();
    try {
      await read(reading, AbortSignal.any([this.#stopping.signal, lost.signal]));
    } catch (thrown) {
      if (!this.#stopping.signal.aborted) onFailed(reading.connectionId, thrown);
    } finally {
      clearInterval(renewing);
    }
  }
}
