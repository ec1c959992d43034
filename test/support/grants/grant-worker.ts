/** One process that calls a store by its grant: `node grant-worker.ts '{"databaseUrl":…}'`, then a message for each call, answered by one. */
import { createAppStore } from '../../../src/bridge/ledger/apps/app-store.ts';
import { createConnectionStore } from '../../../src/bridge/ledger/connections/connection-store.ts';
import { createStoreTokens } from '../../../src/bridge/ledger/connections/store-tokens.ts';
import { LEDGER_SCHEMA } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { Failure } from '../../../src/bridge/order/facts/failure.ts';
import { createFetchJson } from '../../../src/bridge/store-api/fetch-json.ts';
import { storeMeans } from '../../../src/bridge/store-api/store-means.ts';
import { parseJson } from '../../../src/bridge/storefronts/read-payload.ts';
import { identify } from '../../../src/bridge/storefronts/shopify/api/api.ts';
import { GrantEnded } from '../../../src/bridge/storefronts/shopify/oauth/token-refusal.ts';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';

export type GrantWork = { databaseUrl: string; connectionId: string; key: string; leaseMs: number };

/** ended: the grant is taken for dead. later: it may work later. */
export type GrantCall = { became: 'called' | 'ended' | 'later' | 'defect'; words: string };

const work: GrantWork = JSON.parse(process.argv[2] ?? '');
const pool = createPool({ url: work.databaseUrl, schema: LEDGER_SCHEMA, max: 2, onError: () => undefined });
const seal = sealer(Buffer.from(work.key, 'hex'));
const connections = createConnectionStore(pool, seal);
const keys = { tokens: createStoreTokens(pool, seal, work), apps: createAppStore(pool, seal) };
const timeouts = { connectMs: 2_000, headersMs: 5_000, totalMs: 5_000 };
const fetchJson = createFetchJson({ allowPrivateAddresses: true, timeouts, parse: parseJson });

async function call(): Promise<GrantCall> {
  try {
    const connection = await connections.find(work.connectionId);
    if (connection?.access == null) throw new Error('the connection is gone');
    await identify(connection.access, await storeMeans(connection, { fetchJson, now: Date.now(), ...keys }));
    return { became: 'called', words: '' };
  } catch (thrown) {
    const words = String(thrown);
    if (thrown instanceof GrantEnded) return { became: 'ended', words };
    return { became: thrown instanceof Failure ? 'later' : 'defect', words };
  }
}

process.on('message', () => void call().then((became) => process.send?.(became)));
process.on('disconnect', () => process.exit());
process.send?.({ became: 'called', words: 'ready' } satisfies GrantCall);
