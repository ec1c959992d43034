import { Socket } from 'node:net';
import pg from 'pg';
import type { Sealer } from '../seal.ts';

export type Statement = { text: string; values?: unknown[]; name?: string };

/** Runs statements: a pool, or one connection. `query` returns how many rows were affected; `readRows` reads and parses them. */
export type Queryable = { query(statement: string | Statement, values?: unknown[]): Promise<{ rowCount: number | null }> };

/** One connection, taken out of a pool. */
export type SqlConnection = Queryable & Pick<pg.PoolClient, 'on' | 'once' | 'off' | 'release'>;

/** Connections to share. */
export type Pool = Queryable & { connect(): Promise<SqlConnection>; end(): Promise<void> };

// 8-byte integers are row numbers here and far below 2^53; timestamps leave the database as ISO text in UTC.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString());

export type PoolOptions = {
  url: string;
  /** Schema that unqualified names live in; those of `jobs` can be used, too. */
  schema: string;
  max: number;
  /** A pooler is between, which passes no startup options on: its role has the settings. */
  isPooled?: boolean;
  /** A connection that waits for a word of the server for so long is closed: above the limit of a statement. */
  silenceMs?: number;
  onError: (error: Error) => void;
};

/** When a connection that says nothing is asked by TCP whether anybody is there; ten unanswered questions, a second apart, end it. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** The settings of each connection, as PostgreSQL shows them. `ops/pooler.sql` gives them to a role. */
export function sessionSettings(schema: string): ReadonlyMap<string, string> {
  return new Map([
    ['search_path', `${schema}, jobs`],
    // Rows are looked up by key: for new tables without statistics the planner would read them whole for each batch.
    ['enable_hashjoin', 'off'],
    ['enable_mergejoin', 'off'],
    // What reads few rows would wait for the compiler.
    ['jit', 'off'],
    ['statement_timeout', '30s'],
    ['idle_in_transaction_session_timeout', '30s'],
  ]);
}

/**
 * A pool that reports a broken idle connection instead of ending the process; a query waits at most 5 s for one of its connections, and then for a pooler,
 * and at most `silenceMs` for an answer: a server whose machine is gone closes nothing.
 */
export function createPool({ url, schema, max, isPooled = false, silenceMs = 45_000, onError }: PoolOptions): Pool {
  const options = [...sessionSettings(schema)].map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '')}`).join(' ');
  const pool = new pg.Pool({
    connectionString: url,
    max,
    ...(isPooled ? {} : { options }),
    connectionTimeoutMillis: 5_000,
    application_name: 'orderbridge',
    ...KEEP_ALIVE,
  });
  pool.on('error', onError);
  pool.on('connect', (client) => {
    const socket = socketOf(client);
    // The pool closes one that nobody uses sooner.
    socket?.setTimeout(silenceMs).on('timeout', () => socket.destroy(new Error(`PostgreSQL has not answered for ${silenceMs / 1_000} s`)));
  });
  pool.on('release', (_error, client) => {
    const socket = socketOf(client);
    if (socket?.timeout === 0) socket.setTimeout(silenceMs);
  });
  return pool;
}

function socketOf(client: unknown): Socket | undefined {
  const stream = client instanceof pg.Client ? client.connection.stream : undefined;
  return stream instanceof Socket ? stream : undefined;
}

/** In this transaction statements may take longer than elsewhere (0: as long as they take), and its connection may be silent as long. */
export async function allowLongStatements(tx: Queryable, timeout: '10min' | '0'): Promise<void> {
  socketOf(tx)?.setTimeout(0);
  await tx.query(`set local statement_timeout = '${timeout}'`);
}

/** The same connections. Each time one is taken out, `fence` may make that wait, or refuse it; null: it does neither. */
export function fenced(pool: Pool, fence: () => Promise<void> | null): Pool {
  return {
    async query(statement, values) {
      const looked = fence();
      if (looked !== null) await looked;
      return pool.query(statement, values);
    },
    async connect() {
      const looked = fence();
      if (looked !== null) await looked;
      return pool.connect();
    },
    end: () => pool.end(),
  };
}

const sealers = new WeakMap<Queryable, Sealer>();

/** From now on what this pool, and connections out of it, read and write of sealed columns is opened and sealed by these keys, which are those of its database. */
export function sealBy(pool: Pool, sealer: Sealer): void {
  sealers.set(pool, sealer);
}

/** The keys of the database. */
export function sealerOf(db: Queryable): Sealer {
  const sealer = sealers.get(db);
  if (sealer === undefined) throw new Error('nobody said by which keys this database is sealed');
  return sealer;
}

/** One connection until it is disposed of. A `broken` one is closed, which rolls back its transaction, instead of returned to the pool. */
export type ReservedConnection = Disposable & { client: SqlConnection; broken(error: Error): void };

/** Takes a connection out of the pool. */
export async function reserveConnection(pool: Pool): Promise<ReservedConnection> {
  const client = await pool.connect();
  const sealer = sealers.get(pool);
  if (sealer !== undefined) sealers.set(client, sealer);
  let failure: Error | undefined;
  const broken = (error: Error): void => {
    failure = error;
  };
  // A connection that breaks between two queries only emits an event; without a listener it would end the process.
  client.on('error', broken);
  return {
    client,
    broken,
    [Symbol.dispose]() {
      client.off('error', broken);
      client.release(failure);
    },
  };
}

/** Runs `work` in one transaction; a failure rolls back and is rethrown. */
export async function inTransaction<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  using reserved = await reserveConnection(pool);
  const { client } = reserved;
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (thrown) {
    await client.query('rollback').catch(reserved.broken);
    throw thrown;
  }
}

/** Throws if the database does not answer. */
export async function ping(pool: Pool): Promise<void> {
  await pool.query('select 1');
}
