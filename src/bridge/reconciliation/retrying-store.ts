import { setTimeout as sleep } from 'node:timers/promises';
import type { FoundOrders, SoughtOrder } from '../storefronts/store-reader.ts';
import { NotRead } from './open-readable-store.ts';
import { ordersAtOnce, type ReadableStore } from './read-page.ts';

/** A slot is free again in a moment; a store that is paused is called again when its pause is over, so often. */
const LOOK_MS = 200;
const MOST_PAUSES = 5;
const LONGEST_PAUSE_MS = 30_000;

/** `mostMs`: how long one call waits at most for its turn and for pauses; the store's own time for its answer is not counted. */
type Patience = { now(): number; mostMs: number; signal: AbortSignal };

/** A store as a command reads it: it waits for its turn, and for pauses that are short. Throws `NotRead` when waiting is of no use. */
export async function retryingStore(open: () => Promise<ReadableStore>, patience: Patience): Promise<ReadableStore> {
  const store = await patiently(open, patience);
  return {
    ...store,
    changedSince: (query) => patiently(() => store.changedSince(query), patience),
    ordersById: (sought) => inBlocks(store, sought, patience),
    showsSince: () => patiently(async () => (await store.showsSince?.()) ?? null, patience),
  };
}

/** As many orders at once as the storefront says, and fewer where those are too many. */
async function inBlocks(store: ReadableStore, sought: readonly SoughtOrder[], patience: Patience): Promise<FoundOrders> {
  const found: FoundOrders = { news: [], gone: [], unknown: [] };
  let size = ordersAtOnce(store);
  for (let at = 0; at < sought.length; ) {
    const block = sought.slice(at, at + size);
    try {
      const { news, gone, unknown } = await patiently(() => store.ordersById(block), patience);
      found.news.push(...news);
      found.gone.push(...gone);
      found.unknown.push(...unknown);
      at += block.length;
    } catch (thrown) {
      if (!(thrown instanceof NotRead && (thrown.isCut || thrown.wasTooMuch) && block.length > 1)) throw thrown;
      size = Math.floor(block.length / 2);
    }
  }
  return found;
}

async function patiently<T>(read: () => Promise<T>, { now, mostMs, signal }: Patience): Promise<T> {
  for (let pauses = 0, leftMs = mostMs; ; ) {
    try {
      return await read();
    } catch (thrown) {
      if (!(thrown instanceof NotRead)) throw thrown;
      if (thrown.kind !== 'full') pauses += 1;
      const waitMs = waitOf(thrown, now());
      if (waitMs === null || pauses > MOST_PAUSES || waitMs > leftMs) throw thrown;
      leftMs -= waitMs;
      await sleep(waitMs, undefined, { signal });
    }
  }
}

/** Null: it is of no use to call again. */
function waitOf({ kind, message, until, isCut }: NotRead, now: number): number | null {
  if (kind === 'full') return LOOK_MS;
  if (isCut || until === null || message.startsWith('storefront.refused')) return null;
  const ms = Math.max(LOOK_MS, until - now);
  return ms > LONGEST_PAUSE_MS ? null : ms;
}
