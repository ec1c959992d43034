import { connectionBroke, listenerLost } from '../bridge/bridge-events.ts';
import { ConnectionCache } from '../bridge/connections/connection-cache.ts';
import { bindSecrets } from '../bridge/ledger/bind-secrets.ts';
import { CONNECTIONS_CHANNEL } from '../bridge/ledger/connection-row.ts';
import { type ConnectionStore, createConnectionStore } from '../bridge/ledger/connection-store.ts';
import { createDestinationStore, type DestinationStore } from '../bridge/ledger/destination-store.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../bridge/ledger/migrate-ledger.ts';
import type { Config } from '../config/config.ts';
import { loadEncryptionKey } from '../config/encryption-key.ts';
import type { Log } from '../platform/log.ts';
import { joinEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { createPool, type Pool } from '../platform/postgres/postgres.ts';
import { listen } from '../platform/postgres/postgres-listener.ts';
import { type Sealer, sealer } from '../platform/seal.ts';

/** The base of every role and command: the database and its stores. */
export type Core = AsyncDisposable & {
  config: Config;
  log: Log;
  databaseUrl: string;
  pool: Pool;
  sealer: Sealer;
  connections: ConnectionStore;
  cache: ConnectionCache;
  destinations: DestinationStore;
};

const POOL_SIZE = 12;

/** Joins or opens the database, brings it up to date, and opens the stores. Disposing leaves the database as it was found. */
export async function openCore(config: Config, log: Log): Promise<Core> {
  const resources = new AsyncDisposableStack();
  try {
    const databaseUrl = await openDatabase(config, log, resources);
    const seal = sealer(await loadEncryptionKey({ config, dataDir: config.dataDir }));
    const pool = createPool({
      url: databaseUrl,
      schema: LEDGER_SCHEMA,
      max: POOL_SIZE,
      onError: (err) => connectionBroke(log, err),
    });
    resources.defer(() => pool.end());
    await migrateLedger(pool);
    await bindSecrets(pool, seal);
    const connections = createConnectionStore(pool, seal);
    const cache = new ConnectionCache(connections, Date.now);
    resources.use(
      listen({
        url: databaseUrl,
        channel: CONNECTIONS_CHANNEL,
        onMessage: (id) => cache.forget(id),
        onLost: (err) => {
          cache.forget();
          listenerLost(log, err);
        },
      }),
    );
    const owned = resources.move();
    return {
      config,
      log,
      databaseUrl,
      pool,
      sealer: seal,
      connections,
      cache,
      destinations: createDestinationStore(pool, seal),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (thrown) {
    await resources.disposeAsync();
    throw thrown;
  }
}

async function openDatabase(config: Config, log: Log, resources: AsyncDisposableStack): Promise<string> {
  if (config.database.kind === 'external') return config.database.url.reveal();
  const postgres = resources.use(await joinEmbeddedPostgres({ dataDir: config.dataDir, log }));
  return postgres.url;
}
