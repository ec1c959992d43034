import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import {
  type CallEnd,
  createStoreCalls,
  type Store,
  type StoreCallLedger,
  type StoreCalls,
  type StorePause,
} from '../../../src/bridge/delivery/store-calls.ts';
import { createConnectionStore } from '../../../src/bridge/ledger/connections/connection-store.ts';
import { createDestinationStore } from '../../../src/bridge/ledger/connections/destination-store.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { createStoreCallLedger } from '../../../src/bridge/ledger/sync/store-calls.ts';
import { Failure } from '../../../src/bridge/order/facts/failure.ts';
import type { FetchJson } from '../../../src/bridge/storefronts/contract.ts';
import { createPool, type Pool } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { always } from '../attempts/stores-at-hand.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';

export type Answer = Awaited<ReturnType<FetchJson>> | 'none';
export const ok: Answer = { status: 200, body: {} };

/** A ledger in a real PostgreSQL, stores that are called by its rules, and how they answer. */
export function useCalledStores() {
  let postgres: TestPostgres;
  let pool: Pool;
  beforeAll(async () => {
    postgres = await startPostgres();
    pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 10, onError: () => undefined });
    await migrateLedger(pool);
  });
  afterAll(async () => {
    await pool.end();
    await postgres[Symbol.asyncDispose]();
  });
  return {
    pool: () => pool,
    ledger: (): StoreCallLedger => createStoreCallLedger(pool),
    /** A store, connected, of a host of its own or of this one. */
    newStore: async (host = `${randomUUID()}.example`): Promise<Store> => ({ host, connectionId: await newConnection(pool) }),
    /** Calls of one process. */
    calls: (answer: () => Answer | Promise<Answer> = () => ok, onPause: (pause: StorePause) => void = () => undefined): StoreCalls =>
      createStoreCalls({ ledger: createStoreCallLedger(pool), fetchJson: answering(answer), limitMs: 20_000, random: () => 0, onPause }),
    endPause: ({ host }: Store) => pool.query('update store_calls set until = now() where host = $1', [host]),
  };
}

async function newConnection(pool: Pool): Promise<string> {
  const seal = sealer(Buffer.alloc(32, 7));
  const destinationId = await createDestinationStore(pool, seal).ensure('https://api.example', { apiKey: 'key', apiSecret: 'secret' });
  const given = { ownShop: true, hosts: [], identity: null, claim: null, recordFrom: null, settings: {}, access: null, store: null };
  const made = await createConnectionStore(pool, seal).create({ platform: 'own', name: 'corner', secret: 's', shopId: randomUUID(), destinationId, ...given });
  if (!('connection' in made)) throw new Error('the shop is taken');
  return made.connection.id;
}

function answering(answer: () => Answer | Promise<Answer>): FetchJson {
  return async () => {
    const given = await answer();
    if (given === 'none') throw new Failure('storefront.unreachable', 'no answer');
    return given;
  };
}

/** A call that wants a 200, as a storefront makes it. */
export function get(from: StoreCalls, store: Store, signal = always): Promise<CallEnd<string>> {
  return from.call(
    store,
    async (fetchJson) => {
      const { status } = await fetchJson({ url: 'https://store.example', authorization: 'key' });
      if (status === 200) return 'read';
      throw new Failure(status === 403 ? 'storefront.refused' : 'storefront.unreachable', `the store answered ${status}`);
    },
    signal,
  );
}

/** An answer that is given when the test says so; `begun`: a call waits for it. */
export function heldAnswer() {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const answer = (): Promise<Answer> => {
    begin();
    return promise;
  };
  return { answer, begun, resolve };
}
