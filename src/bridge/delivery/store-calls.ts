import { backoffMs } from '../../platform/backoff.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { BACKOFF } from '../order/decisions/transition.ts';
import { Failure } from '../order/facts/failure.ts';
import type { FetchJson } from '../storefronts/contract.ts';
import { NotCalled, OutOfTime } from '../storefronts/store-failure.ts';
import type { Pause } from './pauses.ts';

/** A store as it is called: where, and for which connection, whose key is used. */
export type Store = { host: string; connectionId: string };

/** Why and until when (ISO instants), or for how long from now, a store is not called. `connectionId` null: for no connection; else its key is refused. `failures`: in a row. */
export type StorePause = Pick<Pause, 'code' | 'detail' | 'failures' | 'since' | 'until'> & { host: string; connectionId: string | null; leftMs: number };

/** One of a store's slots for calls; `failures`: those in a row before this call. */
export type Slot = { host: string; slot: number; holder: string; failures: number };

/** The slots and pauses of stores as the ledger keeps them, for all processes alike. */
export type StoreCallLedger = {
  /** The pause of this store that lasts longest; null: it may be called. */
  pauseOf(store: Store): Promise<StorePause | null>;
  /** A free slot, leased for `leaseMs` at most: one of two, or the only one of a store that failed the last time. `full`: there is none. */
  take(store: Store, leaseMs: number): Promise<Slot | 'full'>;
  /** Renews the lease of a slot, for `leaseMs` from now. */
  renew(slot: Slot, leaseMs: number): Promise<void>;
  release(slot: Slot): Promise<void>;
  /** `waitMs` gets the number of failures in a row. A pause that already reaches further stays. */
  pause(what: Pick<StorePause, 'host' | 'connectionId' | 'code' | 'detail'>, waitMs: (failures: number) => number): Promise<StorePause>;
  /** The store answers: ends its pause; `withKey`, that of the connection, too. */
  works(store: Store, withKey: boolean): Promise<void>;
};

/** What became of a call. `full`: all slots of the store are taken. `failed`: `pause`, if the store is paused from now on. */
export type CallEnd<T> =
  | { kind: 'read'; value: T }
  | { kind: 'full' }
  | { kind: 'paused'; pause: StorePause }
  | { kind: 'failed'; failure: Failure; pause: StorePause | null };

/** The APIs of stores: two calls at a time for each, none while it is paused. */
export type StoreCalls = {
  paused(store: Store): Promise<StorePause | null>;
  /**
   * Reads something from a store's API; `read` gets the signal that ends the call, too. Throws when `signal` aborts, and what `read` throws beside
   * failures of the store.
   */
  call<T>(store: Store, read: (fetchJson: FetchJson, signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<CallEnd<T>>;
};

export type StoreCallsDeps = {
  ledger: StoreCallLedger;
  fetchJson: FetchJson;
  /** Limit of all requests that one call makes. Below the lease of the order for which it is made. */
  limitMs: number;
  /** [0, 1) */
  random(): number;
  onPause(pause: StorePause): void;
};

/** A slot whose process died is free again after this time; a call that lasts longer renews it. */
const SLOT_LEASE_MS = 15_000;
/** A database that is slow must not keep the store's other calls waiting. */
const DATABASE_MS = 5_000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** The first pause is one of 2 to 4 s. */
const FIRST_PAUSE = 2;

/** Calls stores, and pauses those that hang or fail: then one call at a time tries again when the pause, which grows, is over. */
export function createStoreCalls(deps: StoreCallsDeps): StoreCalls {
  const { ledger } = deps;
  return {
    paused: (store) => ledger.pauseOf(store),
    async call(store, read, signal) {
      const slot = await withTimeout(DATABASE_MS, ledger.take(store, SLOT_LEASE_MS));
      if (slot === 'full') {
        const pause = await ledger.pauseOf(store);
        return pause === null ? { kind: 'full' } : { kind: 'paused', pause };
      }
      // A signal of its own: one with a timer would keep what was read in memory until its time is over.
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(), deps.limitMs);
      const renewal = keepSlot(ledger, slot);
      const limited = AbortSignal.any([signal, limit.signal]);
      const watched = watch(deps.fetchJson, { signal: limited, limit: limit.signal, limitMs: deps.limitMs });
      try {
        const value = await read(watched.fetchJson, limited);
        if (slot.failures > 0) await ledger.works(store, true);
        return { kind: 'read', value };
      } catch (thrown) {
        // A call that is cut off by the end of this process says nothing about the store.
        if (signal.aborted || !(thrown instanceof Failure) || !thrown.code.startsWith('storefront.')) throw thrown;
        const failure = watched.failureOf(thrown);
        return { kind: 'failed', failure, pause: await learn(deps, { store, slot, failure, answer: watched.last() }) };
      } finally {
        clearTimeout(timer);
        clearInterval(renewal);
        // If that fails, the slot is free again when its time is over.
        await withTimeout(DATABASE_MS, ledger.release(slot)).catch(() => undefined);
      }
    },
  };
}

/** Renews a slot until the timer is cleared. If that fails, another process may call the store beside this one. */
function keepSlot(ledger: Pick<StoreCallLedger, 'renew'>, slot: Slot): NodeJS.Timeout {
  return setInterval(() => void ledger.renew(slot, SLOT_LEASE_MS).catch(() => undefined), SLOT_LEASE_MS / 3).unref();
}

type Answer = { status: number; retryAfterMs?: number } | null;

/** `last`: the last answer; null: there was none. `failureOf`: what a failure is; a store that answered before our limit ended the call did not fail. */
type Watched = { fetchJson: FetchJson; last(): Answer; failureOf(thrown: Failure): Failure };

function watch(fetchJson: FetchJson, { signal, limit, limitMs }: { signal: AbortSignal; limit: AbortSignal; limitMs: number }): Watched {
  let last: Answer = null;
  let worked = false;
  return {
    last: () => last,
    failureOf: (thrown) => (worked && limit.aborted ? outOfTime(limitMs) : thrown),
    async fetchJson(request) {
      last = null;
      const answer = await fetchJson({ ...request, signal: request.signal === undefined ? signal : AbortSignal.any([signal, request.signal]) });
      last = answer;
      worked ||= works(answer);
      return answer;
    },
  };
}

/** Called too often, or taken for an attack. */
const MUST_WAIT: ReadonlySet<number> = new Set([429, 430]);

function outOfTime(limitMs: number): OutOfTime {
  return new OutOfTime(`the store answers, but what was read at once took longer than ${Math.ceil(limitMs / 1000)} s`);
}

function works({ status }: NonNullable<Answer>): boolean {
  return status < 500 && !MUST_WAIT.has(status);
}

type Failed = { store: Store; slot: Slot; failure: Failure; answer: Answer };

/**
 * Pauses a store that gave no answer or says that it can't (429, 430, 5xx), and a key that it refuses. Any other answer shows that the store works. That it
 * was not called shows nothing.
 */
async function learn({ ledger, random, onPause }: StoreCallsDeps, { store, slot, failure, answer }: Failed): Promise<StorePause | null> {
  const { code, message } = failure;
  if (failure instanceof NotCalled && answer === null) return null;
  const isUp = answer !== null && works(answer);
  // Without an answer: it was not called, because this connection's key would go in the clear.
  const refuses = code === 'storefront.refused' && (isUp || answer === null);
  if (isUp && slot.failures > 0) await ledger.works(store, false);
  if (isUp && !refuses) return null;
  const asked = answer?.retryAfterMs ?? 0;
  const wait = (failures: number) => Math.max(asked, Math.min(backoffMs(BACKOFF, failures + FIRST_PAUSE, random()), LONGEST_PAUSE_MS));
  const what = { host: store.host, connectionId: refuses ? store.connectionId : null, code, detail: message.slice(`${code}: `.length) };
  const pause = await ledger.pause(what, wait);
  onPause(pause);
  return pause;
}
