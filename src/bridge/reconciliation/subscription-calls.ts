import { setTimeout as pause } from 'node:timers/promises';
import type { Store, StoreCalls } from '../delivery/store-calls.ts';
import { Failure, type StoredCode } from '../order/failure.ts';
import type { FetchJson } from '../storefronts/contract.ts';
import { refusalIn, type StoreRefusal } from '../storefronts/store-failure.ts';

/**
 * What became of a call for webhooks. `refused`: the key may not do that, though it works. `refusal`: the store was called just now, and refused.
 * `until`: when it may be called again, ISO; null: soon.
 */
export type Called<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused'; detail: string }
  | { kind: 'failed'; code: StoredCode; detail: string; refusal: StoreRefusal | null; until: string | null };

export type SubscriptionCall<T> = { writes: boolean; run(fetchJson: FetchJson): Promise<T> };

const FULL_MS = 500;
const FULL_ATTEMPTS = 40;

/** Calls a store for its webhooks. A key that may only read is refused as a value: it would pause what reads with it. */
export async function callForSubscriptions<T>(stores: StoreCalls, store: Store, call: SubscriptionCall<T> & { signal: AbortSignal }): Promise<Called<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const end = await stores.call(store, (fetchJson) => unlessRefused(call, fetchJson), call.signal);
    if (end.kind === 'read') return end.value;
    if (end.kind === 'paused') return { kind: 'failed', code: end.pause.code, detail: end.pause.detail, refusal: null, until: end.pause.until };
    if (end.kind === 'failed') return { kind: 'failed', ...wordsOf(end.failure), refusal: refusalIn(end.failure), until: end.pause?.until ?? null };
    if (attempt === FULL_ATTEMPTS)
      return { kind: 'failed', code: 'storefront.unreachable', detail: 'it was busy with other calls', refusal: null, until: null };
    await pause(FULL_MS, undefined, { signal: call.signal });
  }
}

async function unlessRefused<T>({ writes, run }: SubscriptionCall<T>, fetchJson: FetchJson): Promise<Called<T>> {
  try {
    return { kind: 'done', value: await run(fetchJson) };
  } catch (thrown) {
    if (!writes || !(thrown instanceof Failure) || thrown.code !== 'storefront.refused') throw thrown;
    return { kind: 'refused', detail: wordsOf(thrown).detail };
  }
}

function wordsOf({ code, message }: Failure): { code: StoredCode; detail: string } {
  return { code, detail: message.slice(`${code}: `.length) };
}
