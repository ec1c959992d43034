import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BackendFactory,
  createRedisBackend,
  type PgPool,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type RedisQueueBackend,
  runMigrations,
} from 'bullmq';
import { Redis } from 'ioredis';

/** A queue that Redis or PostgreSQL refuses is asked again after so long. */
const RETRY_MS = 1_000;
/** Of a Redis as old as BullMQ takes it (6.2): it takes fractions of a second as a timeout, and no single millisecond. */
const CAPABILITIES = { canDoubleTimeout: true, canBlockFor1Ms: false };

/** BullMQ's queue on Redis. It asks nothing of Redis before the first command: BullMQ would remember for good that INFO was refused. */
export const createRedisQueueBackend: BackendFactory<RedisQueueBackend> = (name, opts, flags) => {
  const backend = createRedisBackend(name, { ...opts, skipVersionCheck: true }, flags);
  for (const connection of [backend.connection, backend.blockingConnection]) {
    connection?.client.then(
      () => Object.assign(connection, { capabilities: CAPABILITIES }),
      // A connection that ends before it was ready needs none; its errors are reported as events.
      () => undefined,
    );
  }
  return pausedByErrors(backend);
};

/** BullMQ's queue on PostgreSQL. BullMQ remembers the first failure to reach it for good; this one connects anew. */
export const createPostgresQueueBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (
  name,
  opts,
  { withBlockingConnection = false } = {},
) => {
  const { name: workerName } = opts as { name?: string };
  const listenName = workerName === undefined ? name : `${name}:w:${workerName}`;
  const connection = new ReconnectingPostgres(opts.connection);
  return pausedByErrors(new PostgresQueueBackend(connection, name, opts, true, withBlockingConnection ? listenName : undefined));
};

/**
 * A worker of BullMQ asks for the next job again at once after each error but a refused connection: so often that the process does nothing else, and
 * hears no signal. A second later is soon enough.
 */
function pausedByErrors<B extends RedisQueueBackend | PostgresQueueBackend>(backend: B): B {
  const moveToActive = backend.moveToActive.bind(backend);
  backend.moveToActive = async (token: string, name?: string) => {
    try {
      return await moveToActive(token, name);
    } catch (thrown) {
      await sleep(RETRY_MS);
      throw thrown;
    }
  };
  return backend;
}

class ReconnectingPostgres extends PostgresConnection {
  #ready: Promise<void> | null = null;

  constructor(options: PostgresConnectionOptions) {
    super(options);
    // BullMQ takes connections out of the pool without a listener: one that breaks between two statements would end the process.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** Rejects a second after the failure; whoever asks then tries anew. */
  override waitUntilReady(): Promise<void> {
    this.#ready ??= this.#migrated().then(
      // Whoever listens may have been told of this connection a moment ago.
      () => void setTimeout(() => this.emit('ready'), 0),
      async (thrown: unknown) => {
        await sleep(RETRY_MS);
        this.#ready = null;
        throw thrown;
      },
    );
    return this.#ready;
  }

  /** Queues that share a pool look at the schema once. */
  #migrated(): Promise<void> {
    const known = MIGRATED.get(this.pool);
    if (known !== undefined) return known;
    const migrating = migrate(this.pool, this.schema);
    MIGRATED.set(this.pool, migrating);
    migrating.catch(() => MIGRATED.delete(this.pool));
    return migrating;
  }
}

const MIGRATED = new WeakMap<PgPool, Promise<void>>();

async function migrate(pool: PgPool, schema: string): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client, schema);
  } finally {
    client.release();
  }
}

type Patience = { maxRetriesPerRequest: number | null; retryStrategy(times: number): number; connectTimeout: number };

/** A connection, and how to end it with every copy that was made of it. */
export type EndingConnection = { redis: Redis; end(): void };

/**
 * A connection that `end` reliably ends. An ioredis that is disconnected while it waits to reconnect never reports its end and never answers the
 * commands in its buffer, so that their callers hang; and BullMQ does not close copies that were never connected.
 */
export function endingRedis(url: string, options: Patience): EndingConnection {
  const all: Redis[] = [];
  const redis = tracked(new Redis(url, options), all);
  return {
    redis,
    end: () => {
      for (const one of all) end(one);
    },
  };
}

function tracked(redis: Redis, all: Redis[]): Redis {
  all.push(redis);
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => {
    const copy = duplicate(override);
    tracked(copy, all);
    return copy;
  };
  return redis;
}

/** One more connection attempt ends it either way. */
function end(redis: Redis): void {
  if (redis.status === 'end') return;
  // It waits to reconnect, or was disconnected while it did.
  const isWaiting = redis.status === 'reconnecting';
  redis.disconnect();
  if (!isWaiting) return;
  redis.connect().then(
    () => redis.disconnect(),
    () => undefined,
  );
}
