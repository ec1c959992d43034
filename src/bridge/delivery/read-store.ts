import type { Connection } from '../connections/connection.ts';
import type { Claim } from '../order/decisions/claim.ts';
import { FEWEST_TRIES, LONGEST_WAIT_MS } from '../order/decisions/next-action.ts';
import type { StoredCode } from '../order/facts/failure.ts';
import { factsOf } from '../order/facts/merge.ts';
import type { Missing } from '../order/facts/missing.ts';
import { type StoreKeys, storeMeans } from '../store-api/store-means.ts';
import type { StoreAccess, StoreApi } from '../storefronts/contract.ts';
import { refusalIn, type StoreRefusal } from '../storefronts/store-failure.ts';
import { calledStore } from '../storefronts/store-host.ts';
import type { AttemptLedger } from './attempt-ports.ts';
import type { StoreCalls, StorePause } from './store-calls.ts';

export type ReadStoreDeps = StoreKeys & {
  ledger: Pick<AttemptLedger, 'mergeFetched'>;
  stores: StoreCalls;
  /** Keeps a warning on the connection that the store's API refuses us; null, once it works again, removes it. */
  noteStoreApi(connectionId: string, refusal: StoreRefusal | null): Promise<void>;
  /** ms since 1970 */
  now(): number;
};

/** What is missing of a claimed order, and the API of its store. `signal`: the store may be called until this aborts; absent: not here. */
export type OrderToRead = { claim: Claim; connection: Connection; access: StoreAccess; api: StoreApi; missing: Missing; signal: AbortSignal | undefined };

/** Why nothing was read. `leftMs`: so long the store is not called; null: only this order failed. `isSure`: a person may be asked about it. */
export type NotRead = { kind: 'not-read'; code: StoredCode; detail: string; leftMs: number | null; isSure: boolean };

/** What became of a query of a store. `elsewhere`: it is not called here. `full`: it is being called for as many others as it may be. */
export type StoreRead =
  | { kind: 'merged'; claim: Pick<Claim, 'facts' | 'revision'> }
  | { kind: 'lease lost' }
  | { kind: 'elsewhere' | 'full'; host: string }
  | NotRead;

/** Reads from the store what an order lacks, and merges it. */
export async function readStore(deps: ReadStoreDeps, reading: OrderToRead): Promise<StoreRead> {
  const { claim, connection, access, api, missing, signal } = reading;
  const store = calledStore(connection.id, access);
  const pause = await deps.stores.paused(store);
  if (pause !== null) return during(pause, deps.now());
  if (signal === undefined) return { kind: 'elsewhere', host: store.host };
  // What the store says is the state of no later moment than this: news that comes meanwhile is newer.
  let now = 0;
  const end = await deps.stores.call(
    store,
    async (fetchJson, callEnds) => {
      now = deps.now();
      const means = await storeMeans(connection, { fetchJson, now, tokens: deps.tokens, apps: deps.apps, signal: callEnds });
      return api.complete(access, { orderId: claim.platformId, ...missing }, means);
    },
    signal,
  );
  switch (end.kind) {
    case 'full':
      return { kind: 'full', host: store.host };
    case 'paused':
      return during(end.pause, deps.now());
    case 'failed': {
      const { code, message } = end.failure;
      const refusal = refusalIn(end.failure);
      if (refusal !== null) await deps.noteStoreApi(connection.id, refusal);
      return {
        kind: 'not-read',
        code,
        detail: message.slice(`${code}: `.length),
        leftMs: end.pause?.leftMs ?? null,
        isSure: claim.attempts >= FEWEST_TRIES,
      };
    }
    case 'read': {
      await deps.noteStoreApi(connection.id, null);
      const merged = await deps.ledger.mergeFetched(claim, factsOf(end.value, new Date(now).toISOString()));
      return merged === null ? { kind: 'lease lost' } : { kind: 'merged', claim: merged };
    }
  }
}

function during({ code, detail, since, leftMs }: StorePause, now: number): NotRead {
  return { kind: 'not-read', code, detail, leftMs, isSure: now - Date.parse(since) >= LONGEST_WAIT_MS };
}
