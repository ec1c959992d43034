const MINUTE_MS = 60_000;

/**
 * Lets `most` calls of `write` a minute through; the first one of a later minute gets the number of those that were left out before.
 * `now`: ms, never going back.
 */
export function rateLimit<T>(write: (what: T, leftOut: number) => void, { most, now }: { most: number; now(): number }): (what: T) => void {
  let began = Number.NEGATIVE_INFINITY;
  let written = 0;
  let leftOut = 0;
  return (what) => {
    if (now() - began >= MINUTE_MS) {
      began = now();
      written = 0;
    }
    if (written >= most) {
      leftOut += 1;
      return;
    }
    written += 1;
    write(what, leftOut);
    leftOut = 0;
  };
}
