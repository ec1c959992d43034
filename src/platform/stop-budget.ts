/** `mostMs`: how long a part may take; less, if `keepMs` would not be left for the parts that stop after it. */
export type Share = { mostMs: number; keepMs: number };

export type StopBudgetOptions = {
  totalMs: number;
  /** A part that did not stop in its time: it is left as it is. */
  onCut(cut: { part: string; ms: number }): void;
};

/** One time limit for a whole stop, whatever hangs. Before it began, each part has its own. */
export class StopBudget {
  readonly #options: StopBudgetOptions;
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(options: StopBudgetOptions) {
    this.#options = options;
  }

  /** The clock runs from the first call on. */
  begin(): void {
    if (this.#endsAt === Number.POSITIVE_INFINITY) this.#endsAt = performance.now() + this.#options.totalMs;
  }

  shareMs({ mostMs, keepMs }: Share): number {
    return Math.max(0, Math.min(mostMs, this.#endsAt - keepMs - performance.now()));
  }

  /** Waits for a part to stop, and goes on without it when its time is over. Rejects if the part does. */
  async wait(part: string, stopping: PromiseLike<unknown>, share: Share): Promise<void> {
    const began = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), this.shareMs(share));
    });
    const hasStopped = await Promise.race([stopping.then(() => true), late]).finally(() => clearTimeout(timer));
    if (!hasStopped) this.#options.onCut({ part, ms: Math.round(performance.now() - began) });
  }
}
