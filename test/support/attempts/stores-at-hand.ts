import type { StoreCalls } from '../../../src/bridge/delivery/store-calls.ts';
import type { Failure } from '../../../src/bridge/order/facts/failure.ts';
import type { StoreKeys } from '../../../src/bridge/store-api/store-means.ts';

/** Stores that may be called at any time, and whose requests nobody answers; `Known`: the class of the failures that an attempt knows. */
export function storesAtHand(Known: typeof Failure): StoreCalls {
  return {
    paused: async () => null,
    async call(_store, read) {
      try {
        return { kind: 'read', value: await read(() => Promise.reject(new Error('nothing is fetched here')), always) };
      } catch (thrown) {
        if (thrown instanceof Known) return { kind: 'failed', failure: thrown, pause: null };
        throw thrown;
      }
    },
  };
}

/** That the store may be called for as long as the attempt lasts. */
export const always: AbortSignal = new AbortController().signal;

/** Tokens and apps of stores that need none. */
export const noKeys: StoreKeys = {
  tokens: () => ({
    token: () => Promise.reject(new Error('nothing needs a token here')),
    keep: () => Promise.reject(new Error('nothing is granted here')),
    replace: () => Promise.reject(new Error('nothing is granted here')),
  }),
  apps: { find: () => Promise.reject(new Error('no access is an app’s here')) },
};
