type Repeated = {
  /** Runs it now, unless it runs. */
  now(): void;
  /** Starts no more; resolves when what runs is over. */
  end(): Promise<void>;
};

/** Runs `work` every so many ms, never twice at once. `work` does not reject. */
export function repeat(work: () => Promise<void>, everyMs: number): Repeated {
  let running: Promise<void> | null = null;
  const now = (): void => {
    running ??= work().finally(() => {
      running = null;
    });
  };
  const timer = setInterval(now, everyMs).unref();
  return {
    now,
    async end() {
      clearInterval(timer);
      await running;
    },
  };
}
