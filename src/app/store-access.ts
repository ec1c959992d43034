import { storePaused } from '../bridge/bridge-events.ts';
import { createStoreCalls, type StoreCalls } from '../bridge/delivery/store-calls.ts';
import { createStoreTokens } from '../bridge/ledger/connections/store-tokens.ts';
import { createStoreCallLedger } from '../bridge/ledger/sync/store-calls.ts';
import { createFetchJson } from '../bridge/store-api/fetch-json.ts';
import type { StoreKeys } from '../bridge/store-api/store-means.ts';
import type { FetchJson } from '../bridge/storefronts/contract.ts';
import { parseJson } from '../bridge/storefronts/read-payload.ts';
import type { Config } from '../config/config.ts';
import type { Core } from './core.ts';

/** A store that takes longer is not slow, but in trouble. */
const TIMEOUTS = { connectMs: 5_000, headersMs: 10_000, totalMs: 10_000 };
/** Of all requests for one order: the lease of 30 s leaves time to merge what they return. */
const LONGEST_CALL_MS = 20_000;

/** A page of a store's orders, and all that is read with it. */
const READ_MS = 60_000;
const READ_TIMEOUTS = { connectMs: 5_000, headersMs: READ_MS, totalMs: READ_MS };

/** How stores' APIs are called under this configuration. */
export function createStoreFetch({ allowPrivateAddresses, trustedHttpHosts }: Pick<Config, 'allowPrivateAddresses' | 'trustedHttpHosts'>): FetchJson {
  return createFetchJson({ allowPrivateAddresses, trustedHttpHosts, timeouts: TIMEOUTS, parse: parseJson });
}

/** The calls of stores' APIs for orders: their number is limited over all processes, and stores that fail are paused. */
export function openStoreCalls(core: CallsCore): StoreCalls {
  return openCalls(core, createStoreFetch(core.config), Math.min(LONGEST_CALL_MS, (core.config.leaseSeconds * 1000 * 2) / 3));
}

/** The calls that read a store as a second source: of the same places and pauses, with more time for each. */
export function openReadingCalls(core: CallsCore): StoreCalls {
  const { allowPrivateAddresses, trustedHttpHosts } = core.config;
  return openCalls(core, createFetchJson({ allowPrivateAddresses, trustedHttpHosts, timeouts: READ_TIMEOUTS, parse: parseJson }), READ_MS);
}

type CallsCore = Pick<Core, 'config' | 'log' | 'pool'>;

function openCalls({ log, pool }: CallsCore, fetchJson: FetchJson, limitMs: number): StoreCalls {
  return createStoreCalls({ ledger: createStoreCallLedger(pool), fetchJson, limitMs, random: Math.random, onPause: (pause) => storePaused(log, pause) });
}

/** What calls of stores are made with, beside the connections' own keys. */
export function openStoreKeys({ pool, sealer, appCache }: Pick<Core, 'pool' | 'sealer' | 'appCache'>): StoreKeys {
  return { tokens: createStoreTokens(pool, sealer), apps: { find: (id) => appCache.get(id) } };
}
