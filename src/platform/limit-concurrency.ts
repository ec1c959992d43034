/** More wait than may. */
export class TooManyWait extends Error {
  override readonly name = 'TooManyWait';
}

/** Runs so many works at once; others wait their turn, and what comes when too many wait throws `TooManyWait`. */
export function limitConcurrency({ atOnce, mostWaiting }: { atOnce: number; mostWaiting: number }): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw new TooManyWait('too many wait already');
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
