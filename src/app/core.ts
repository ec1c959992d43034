import { connectionBroke, databaseUntested, jobsFailed, listenerLost, programTooOld, stopCutOff } from '../bridge/bridge-events.ts';
import { ConnectionCache, KnownById } from '../bridge/connections/connection-cache.ts';
import { APP_CHANGED, type AppStore, createAppStore } from '../bridge/ledger/apps/app-store.ts';
import { CONNECTIONS_CHANNEL } from '../bridge/ledger/connection-row.ts';
import { type ConnectionStore, createConnectionStore } from '../bridge/ledger/connections/connection-store.ts';
import { createDestinationStore, type DestinationStore } from '../bridge/ledger/connections/destination-store.ts';
import { inspectDatabase, LEDGER_SCHEMA, migrateLedger, POSTGRES } from '../bridge/ledger/migrate-ledger.ts';
import type { StoreApp } from '../bridge/storefronts/store-app.ts';
import type { Config } from '../config/config.ts';
import { Refusal } from '../operations/refusal.ts';
import { errorWords } from '../platform/error-words.ts';
import { Jobs } from '../platform/jobs/run-jobs.ts';
import type { Log } from '../platform/log.ts';
import { checkMark } from '../platform/postgres/data-dir-mark.ts';
import { type EmbeddedPostgres, joinEmbeddedPostgres } from '../platform/postgres/embedded-postgres.ts';
import { NewerDatabase, NotNow, OwnerNeeded } from '../platform/postgres/migrate.ts';
import { poolerProblem } from '../platform/postgres/pooler.ts';
import { createPool, type Pool } from '../platform/postgres/postgres.ts';
import { listen } from '../platform/postgres/postgres-listener.ts';
import type { Sealer } from '../platform/seal.ts';
import { StopBudget } from '../platform/stop-budget.ts';
import { CliError } from '../platform/terminal/context.ts';
import type { Traces } from '../platform/traces.ts';
import { type Keys, openKeys } from './open-keys.ts';

/** The base of every role and command: the database and its stores. */
export type Core = AsyncDisposable & {
  config: Config;
  log: Log;
  /** PostgreSQL itself, also behind a pooler: for what needs a session. */
  databaseUrl: string;
  pool: Pool;
  /** One more, of the same size. */
  openPool(): Pool;
  sealer: Sealer;
  keys: Keys;
  connections: ConnectionStore;
  cache: ConnectionCache;
  apps: AppStore;
  /** Apps as the receivers know them, for as long as connections are. */
  appCache: KnownById<StoreApp>;
  destinations: DestinationStore;
  /** All background jobs that this process runs. */
  jobs: Jobs;
  stop: StopBudget;
  /** Whether nothing is recorded now, since the database was restored, copied or promoted. */
  recording: { isStopped: boolean };
  /** Aborted, with the reason, when the database was upgraded to what this program is too old for. */
  outdated: AbortSignal;
  /** Null: there are none. */
  traces: Traces | null;
};

/** A supervisor kills what still runs after 30 s. */
const STOP_MS = 27_000;
const LISTENER_SHARE = { mostMs: 1_000, keepMs: 1_800 };
const POOL_SHARE = { mostMs: 2_000, keepMs: 1_000 };
const POSTGRES_SHARE = { mostMs: 40_000, keepMs: 0 };

/** `traces`: null or absent, there are none. `postgres`: the embedded one, where its start began before. */
export type CoreOptions = { traces?: Traces | null; postgres?: Promise<EmbeddedPostgres> | undefined };

/** Joins or opens the database, brings it up to date, and opens the stores. Disposing leaves the database as it was found. */
export async function openCore(config: Config, log: Log, { traces = null, postgres }: CoreOptions = {}): Promise<Core> {
  const resources = new AsyncDisposableStack();
  const stop = new StopBudget({ totalMs: STOP_MS, onCut: (cut) => stopCutOff(log, cut) });
  try {
    const { url, directUrl } = await openDatabase({ config, log, stop, begun: postgres }, resources);
    const pooled = { url, schema: LEDGER_SCHEMA, max: config.databaseConnections, isPooled: directUrl !== null };
    const openPool = () => createPool({ ...pooled, onError: (err) => connectionBroke(log, err) });
    const unfenced = openPool();
    resources.defer(() => stop.wait('connections to the database', unfenced.end(), POOL_SHARE));
    await checkVersion(unfenced, log);
    if (directUrl !== null) await checkPooler(unfenced, createPool({ ...pooled, url: directUrl, max: 1, isPooled: false, onError: () => undefined }));
    await migrateLedger(unfenced);
    if (config.database.kind === 'embedded') await checkMark(unfenced, config.dataDir);
    const outdated = new AbortController();
    const onTooOld = (schema: string) => {
      if (!outdated.signal.aborted) programTooOld(log, { schema });
      outdated.abort(new NewerDatabase(schema));
    };
    const keys = resources.use(await openKeys({ pool: unfenced, log, config, onTooOld }));
    const { sealer: seal } = keys;
    const pool = keys.fenced(unfenced);
    const connections = createConnectionStore(pool, seal);
    const apps = createAppStore(pool, seal);
    const caches = { cache: new ConnectionCache(connections, Date.now), appCache: new KnownById<StoreApp>(apps, Date.now) };
    const owned = resources.move();
    return {
      config,
      log,
      databaseUrl: directUrl ?? url,
      pool,
      openPool: () => keys.fenced(openPool()),
      sealer: seal,
      keys,
      connections,
      apps,
      ...caches,
      destinations: createDestinationStore(pool, seal),
      jobs: openJobs({ config, log, pool }),
      stop,
      recording: { isStopped: false },
      outdated: outdated.signal,
      traces,
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  } catch (thrown) {
    await resources.disposeAsync();
    const isInWords = [NewerDatabase, NotNow, OwnerNeeded, CliError, Refusal].some((kind) => thrown instanceof kind);
    throw config.database.kind === 'embedded' || isInWords ? thrown : unusableDatabase(thrown);
  }
}

async function checkVersion(pool: Pool, log: Log): Promise<void> {
  const { version, major } = await inspectDatabase(pool);
  if (major < POSTGRES.oldest) throw new CliError(`PostgreSQL ${version} is too old: orderbridge needs ${POSTGRES.oldest} to ${POSTGRES.newest}`);
  if (major > POSTGRES.newest) databaseUntested(log, { version, newest: POSTGRES.newest });
}

async function checkPooler(pool: Pool, direct: Pool): Promise<void> {
  const problem = await poolerProblem({ pool, direct }, LEDGER_SCHEMA).finally(() => direct.end());
  if (problem !== null) throw new CliError(`the pooler in DATABASE_URL can't be used: ${problem}; without a pooler unset DATABASE_DIRECT_URL`);
}

function openJobs({ config, log, pool }: Pick<Core, 'config' | 'log' | 'pool'>): Jobs {
  const onFailed = (kind: string | null, err: unknown) => jobsFailed(log, { kind, err });
  return new Jobs({ pool, everyMs: config.sweepSeconds * 1000, random: Math.random, onFailed });
}

/** Drops what is known of connections and apps when it changes, no matter who changes it: what a server does, which knows them for long. */
export function listenToChanges({ databaseUrl, log, cache, appCache, stop }: Core): AsyncDisposable {
  const forgetAll = () => {
    cache.forget();
    appCache.forget();
  };
  const listener = listen({
    url: databaseUrl,
    channel: CONNECTIONS_CHANNEL,
    onMessage: (id) => {
      if (id.startsWith(APP_CHANGED)) appCache.forget(id.slice(APP_CHANGED.length));
      else cache.forget(id);
    },
    // What changed before went unheard.
    onListening: forgetAll,
    onLost: (err) => {
      forgetAll();
      listenerLost(log, err);
    },
  });
  return { [Symbol.asyncDispose]: () => stop.wait('listening connection', listener[Symbol.asyncDispose](), LISTENER_SHARE) };
}

/** Without the name of its variable, a refused connection could be that of anything. */
function unusableDatabase(thrown: unknown): CliError {
  return new CliError(`the database can't be used: ${errorWords(thrown)}; check DATABASE_URL (with a pooler DATABASE_DIRECT_URL) and ENCRYPTION_KEYS`);
}

type DatabaseUrls = { url: string; directUrl: string | null };

type Opening = Pick<Core, 'config' | 'log' | 'stop'> & { begun: CoreOptions['postgres'] };

async function openDatabase({ config, log, stop, begun }: Opening, resources: AsyncDisposableStack): Promise<DatabaseUrls> {
  if (config.database.kind === 'external') return { url: config.database.url.reveal(), directUrl: config.database.directUrl?.reveal() ?? null };
  const postgres = await (begun ?? joinEmbeddedPostgres({ dataDir: config.dataDir, log }));
  resources.defer(() => stop.wait('embedded PostgreSQL', postgres[Symbol.asyncDispose](), POSTGRES_SHARE));
  return { url: postgres.url, directUrl: null };
}
