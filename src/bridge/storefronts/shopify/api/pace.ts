import { Remembered } from './remembered.ts';
import { ShopAnswered } from './shop-answered.ts';

/** What an answer says of the points that the app has at the shop. */
export type Bucket = { maximumAvailable: number; currentlyAvailable: number; restoreRate: number };

type Known = Bucket & { at: number };

const MOST_SHOPS = 1000;
const known = new Remembered<Known>(MOST_SHOPS);

/** Longer than it takes to fill any plan's bucket by half. */
const LONGEST_WAIT_MS = 30_000;

export function remember(shop: string, bucket: Bucket): void {
  known.set(shop, { ...bucket, at: Date.now() });
}

/** Half of the shop's points; null: not known. */
export function halfOf(shop: string): number | null {
  const bucket = known.get(shop);
  return bucket === undefined ? null : bucket.maximumAvailable / 2;
}

/** How long until a query of so many points leaves half of them to others, ms. */
export function waitForHalf(shop: string, points: number): number {
  const bucket = known.get(shop);
  if (bucket === undefined) return 0;
  return restoreMs(bucket, Math.min(points + bucket.maximumAvailable / 2, bucket.maximumAvailable), Date.now() - bucket.at);
}

/** How long until a query that was throttled may be sent, ms. */
export function waitForPoints(bucket: Bucket, points: number): number {
  return Math.max(100, restoreMs(bucket, Math.min(points, bucket.maximumAvailable), 0));
}

function restoreMs({ currentlyAvailable, restoreRate }: Bucket, wanted: number, passedMs: number): number {
  return Math.max(0, Math.ceil(((wanted - currentlyAvailable) / Math.max(restoreRate, 1)) * 1000 - passedMs));
}

/** Waits, unless the call would be over before: `Failure('storefront.unreachable')`. */
export async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms > LONGEST_WAIT_MS || signal?.aborted === true) throw busy();
  if (ms === 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => reject(busy());
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

export function busy(): ShopAnswered {
  return new ShopAnswered(429, { code: 'storefront.unreachable', words: 'the shop throttles this app; it is called again later', trouble: null });
}
