/** What a call waits for: an address, a connection, TLS on it, the head of the answer, or the end of it all (`request`). */
export type Phase = 'lookup' | 'connect' | 'secureConnect' | 'response' | 'request';

/** The time-outs of one call: one for the whole, and one for the phase that it is in. */
export class CallClock {
  readonly #onTimeout: (error: Error) => void;
  readonly #whole: NodeJS.Timeout;
  #phase: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(totalMs: number, onTimeout: (error: Error) => void) {
    this.#onTimeout = onTimeout;
    this.#whole = this.#start('request', totalMs);
  }

  /** A phase begins, and the one before it is over. */
  phase(name: Phase, ms: number): void {
    this.endPhase();
    if (!this.#isStopped) this.#phase = this.#start(name, ms);
  }

  endPhase(): void {
    clearTimeout(this.#phase);
    this.#phase = undefined;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#whole);
    this.endPhase();
  }

  #start(name: Phase, ms: number): NodeJS.Timeout {
    const timer = setTimeout(() => {
      // What came while this process was busy is read first.
      setImmediate(() => {
        if (!this.#isStopped && (timer === this.#whole || timer === this.#phase)) this.#onTimeout(new TimedOut(name, ms));
      });
    }, ms);
    return timer;
  }
}

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT';

  constructor(name: Phase, ms: number) {
    super(`Timeout awaiting '${name}' for ${ms}ms`);
  }
}
