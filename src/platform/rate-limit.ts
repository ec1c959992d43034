const MINUTE_MS = 60_000;

/** `now`: ms, never going back. */
type RateLimit = { most: number; everyMs?: number; now(): number };

/** Lets `most` calls of `write` a minute through, or in `everyMs`; the first one of a later minute gets the number of those that were left out before. */
export function rateLimit<T>(write: (what: T, leftOut: number) => void, { most, everyMs = MINUTE_MS, now }: RateLimit): (what: T) => void {
  let began = Number.NEGATIVE_INFINITY;
  let written = 0;
  let leftOut = 0;
  return (what) => {
    if (now() - began >= everyMs) {
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

/** Lets a call through every five seconds: a queue that is down emits many errors a second. */
export function quiet<E>(say: (error: E) => void): (error: E) => void {
  return rateLimit(say, { most: 1, everyMs: 5_000, now: () => performance.now() });
}

type TokenBucketsOptions = {
  /** Takes that may come at once. */
  burst: number;
  /** ms since 1970 */
  now(): number;
};

/** So many buckets are kept; one that was not used for the longest time is full again. */
const MOST = 10_000;

/** A bucket of tokens for each key, refilled at a rate that each take names. */
export class TokenBuckets {
  readonly #options: TokenBucketsOptions;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(options: TokenBucketsOptions) {
    this.#options = options;
  }

  /** Takes one token; 0, or if there is none, the ms until the next. */
  take(key: string, perSecond: number): number {
    const { burst, now } = this.#options;
    const at = now();
    const last = this.#buckets.get(key) ?? { tokens: burst, at };
    const tokens = Math.min(burst, last.tokens + (Math.max(0, at - last.at) * perSecond) / 1000);
    const isThere = tokens >= 1;
    this.#buckets.delete(key);
    this.#buckets.set(key, { tokens: isThere ? tokens - 1 : tokens, at });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST && oldest !== undefined) this.#buckets.delete(oldest);
    return isThere ? 0 : ((1 - tokens) * 1000) / perSecond;
  }

  /** Puts back a token that was taken for nothing. */
  giveBack(key: string): void {
    const bucket = this.#buckets.get(key);
    if (bucket !== undefined) bucket.tokens = Math.min(this.#options.burst, bucket.tokens + 1);
  }
}
