import type { Failure } from '../../../order/facts/failure.ts';
import { NotCalled } from '../../store-failure.ts';
import { ShopAnswered } from '../status-words.ts';

/** What an answer says of the points that the app has at the shop. */
type Bucket = { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };

/** Points that a query takes when it is sent, and those that it takes in the end, by what it found. */
export type Cost = { requested: number; actual: number };

export const NOTHING: Cost = { requested: 0, actual: 0 };

const MOST_SHOPS = 1000;

/** What this process remembers of shops: so many of them, those that were set last. */
export class Remembered<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(shop: string): Value | undefined {
    return this.#values.get(shop);
  }

  set(shop: string, value: Value): void {
    this.#values.delete(shop);
    this.#values.set(shop, value);
    for (const oldest of this.#values.keys()) {
      if (this.#values.size <= this.#most) return;
      this.#values.delete(oldest);
    }
  }
}
const known = new Remembered<Bucket & { at: number }>(MOST_SHOPS);

/** Longer than it takes to fill any plan's bucket by half. */
export const LONGEST_WAIT_MS = 30_000;
/** For so long a person waits for points beside all else that they wait for. */
export const PERSON_WAITS_MS = 5_000;

/** The shop was not called, because the app has used its half of the points: the other half is left to others. */
export class LeftToOthers extends NotCalled {}

export function remember(shop: string, bucket: Bucket): void {
  known.set(shop, { ...bucket, at: Date.now() });
}

/** Half of the shop's points; null: not known. */
export function halfOf(shop: string): number | null {
  const bucket = known.get(shop);
  return bucket === undefined ? null : bucket.maximumAvailable / 2;
}

/**
 * How long until a query may be sent, ms: its points must be there when it is sent, and half of all must be left to others once those are given back that
 * it did not cost.
 */
export function waitForHalf(shop: string, { requested, actual }: Cost): number {
  const bucket = known.get(shop);
  if (bucket === undefined) return 0;
  const wanted = Math.max(requested, actual + bucket.maximumAvailable / 2);
  return restoreMs(bucket, Math.min(wanted, bucket.maximumAvailable), Math.max(0, Date.now() - bucket.at));
}

/** How long until a query that was throttled may be sent, ms. */
export function waitForPoints(bucket: Bucket, points: number): number {
  return Math.max(100, restoreMs(bucket, Math.min(points, bucket.maximumAvailable), 0));
}

function restoreMs({ currentlyAvailable, restoreRate }: Bucket, wanted: number, passedMs: number): number {
  return Math.max(0, Math.ceil(((wanted - currentlyAvailable) / Math.max(restoreRate, 1)) * 1000 - passedMs));
}

/** `otherwise`: why not, if the call would be over before. */
type PauseLimits = { signal: AbortSignal | undefined; longestMs: number; otherwise: () => Failure };

/** Waits, unless that takes too long. */
export async function pauseFor(ms: number, { signal, longestMs, otherwise }: PauseLimits): Promise<void> {
  if (ms > longestMs || (ms > 0 && signal?.aborted === true)) throw otherwise();
  if (ms === 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(otherwise());
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

export function leftToOthers(): LeftToOthers {
  return new LeftToOthers('the app has used half of the calls that the shop allows, and leaves the rest to others; it is called again later');
}

export function busy(): ShopAnswered {
  return new ShopAnswered(429, { code: 'storefront.unreachable', words: 'the shop throttles this app; it is called again later', denial: null });
}
