import type { Way } from './rest-way.ts';

/** What was learned of a store by calling it. `home`: its home URL; absent: not asked for yet. `hasNoRefundsList`: it is older than WooCommerce 9. */
export type KnownStore = { way?: Way; home?: string; hasNoRefundsList?: true };

const MOST = 1_000;

// By the address of the API, in this process: each learns it again by one or two requests more.
const known = new Map<string, KnownStore>();

export function knownStore(url: string): KnownStore {
  return known.get(url) ?? {};
}

export function learn(url: string, news: KnownStore): void {
  const { value: oldest } = known.keys().next();
  if (!known.has(url) && known.size >= MOST && oldest !== undefined) known.delete(oldest);
  known.set(url, { ...known.get(url), ...news });
}
