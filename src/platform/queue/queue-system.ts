import { setTimeout as sleep } from 'node:timers/promises';
import {
  assertSchemaCompatibility,
  type BackendFactory,
  createRedisBackend,
  LATEST_SCHEMA_VERSION,
  type PgPool,
  PostgresConnection,
  type PostgresConnectionOptions,
  PostgresQueueBackend,
  type Processor,
  Queue,
  type RedisQueueBackend,
  runMigrations,
  SchemaMigrationRequiredError,
  Worker,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { codeOf } from '../error-words.ts';
import { asOwner } from '../postgres/migrate.ts';
import { KEEP_ALIVE } from '../postgres/postgres.ts';
import { StopBudget } from '../stop-budget.ts';
import { UnreadableJob } from '../unreadable-job.ts';
import { wholeMs, withTimeout } from '../with-timeout.ts';
import { type ConfirmedWrite, confirmedWrites } from './confirmed-writes.ts';
import { redisAddress } from './redis-address.ts';

/** `ca`: the authority that signs the certificates of Redis; absent or null: one that is known. */
type RedisBackend = { kind: 'redis'; url: string; ca?: string | null };
export type QueueBackend = RedisBackend | { kind: 'postgres'; url: string };

type QueueSystemOptions = {
  backend: QueueBackend;
  /** BullMQ gives the job of a worker that is silent for so long to another. */
  stalledMs: number;
  /** A connection that waits for an answer for so long is closed: a server whose machine is gone closes nothing. */
  silenceMs?: number;
  onError: (error: Error) => void;
  /** Of the whole process; absent: each part has its own time. */
  stop?: StopBudget;
};

/** `mayLose`: what a crash loses of the last half second is added again by somebody else, so adding does not wait for the disk. */
type QueueSettings = { mayLose?: boolean };

/** How long a stop waits for a queue that is down, once no job runs any more. */
const TIMEOUT_MS = 1_500;
const LOOK_MS = 100;
/** A worker waits at most 10 s for a job. */
const SILENCE_MS = 45_000;
const CLOSE_MS = 2_000;
const WORKER_SHARE = { mostMs: CLOSE_MS, keepMs: 5_000 };
const QUEUE_SHARE = { mostMs: CLOSE_MS, keepMs: 2_000 };
const PREFIX = 'orderbridge';
/** A write by a script, as BullMQ makes them: it fails where Redis is full, or refuses scripts or writes to this user. */
const PROBE = "return redis.call('set', KEYS[1], ARGV[1], 'px', 60000)";
/** A worker repeats what Redis refused within 5 s. */
const REFUSAL_MS = 7_000;
const SCHEMA = 'bullmq';
// Jobs never use up their attempts: accepted work is retried until it succeeds.
const DEFAULTS = { removeOnComplete: true, removeOnFail: { count: 10_000 }, attempts: 1_000_000, backoff: { type: 'custom' } } as const;

function backoffStrategy(attemptsMade: number, _type?: string, failure?: Error): number {
  return backoff(attemptsMade, failure, Math.random());
}

/** Makes BullMQ queues and workers on Redis or PostgreSQL, and closes them all. */
export class QueueSystem implements AsyncDisposable {
  readonly #options: QueueSystemOptions;
  readonly #stop: StopBudget;
  readonly #queues: { name: string; close(): Promise<void> }[] = [];
  readonly #connections: EndingConnection[] = [];
  /** The pools of PostgreSQL that queues share, by `mayLose`. */
  readonly #shared = new Map<boolean, PostgresConnection>();
  /** How many jobs of a worker run now, and its connection to the queue. */
  readonly #workers = new Map<Worker, { running(): number; connection: EndingConnection | null }>();
  readonly #redis: Redis | null;
  /** Rejects with `Unconfirmed` if a failover may lose what was written. Without Sentinels there is none, and it costs nothing. */
  readonly confirmed: ConfirmedWrite;
  #wasReady = false;
  /** What Redis refused a worker last; `at` by `performance.now()`. */
  #refusal: { error: Error; at: number } | null = null;

  constructor(options: QueueSystemOptions) {
    this.#options = options;
    this.#stop = options.stop ?? new StopBudget({ totalMs: Number.POSITIVE_INFINITY, onCut: () => undefined });
    this.#redis = options.backend.kind === 'redis' ? this.#connect(options.backend, { maxRetriesPerRequest: 1 }).redis : null;
    this.confirmed = this.#redis?.options.sentinels ? confirmedWrites(this.#redis) : (write) => write();
    this.#redis?.once('ready', () => {
      this.#wasReady = true;
    });
  }

  /** The producers' Redis connection; null on PostgreSQL. */
  get redis(): Redis | null {
    return this.#redis;
  }

  /** False while Redis is known to be down, or another becomes the master: then callers need not wait for a deadline. */
  get isUp(): boolean {
    return this.#redis === null || this.#redis.status === 'ready' || (!this.#wasReady && ['connecting', 'connect'].includes(this.#redis.status));
  }

  queue<T>(name: string, { mayLose = false }: QueueSettings = {}): Queue<T> {
    const options = { defaultJobOptions: DEFAULTS, skipMetasUpdate: true } as const;
    const queue: Queue<T> =
      this.#redis === null
        ? (new Queue(name, { ...options, connection: this.#sharedPool(mayLose) }, createPostgresQueueBackend) as unknown as Queue<T>)
        : new Queue<T>(name, { ...options, connection: this.#redis, prefix: PREFIX, skipWaitingForReady: true }, createRedisQueueBackend);
    queue.on('error', this.#options.onError);
    this.#queues.push(queue);
    return queue;
  }

  worker<T>(name: string, processor: Processor<T, void>, { concurrency }: { concurrency: number }): Worker<T, void> {
    const { backend } = this.#options;
    const stalledMs = wholeMs(this.#options.stalledMs);
    let running = 0;
    // Three parameters: BullMQ passes the signal only to processors that declare it.
    const counted: Processor<T, void> = async (job, token, signal) => {
      running += 1;
      try {
        return await processor(job, token, signal);
      } finally {
        running -= 1;
      }
    };
    const settings = {
      concurrency,
      settings: { backoffStrategy },
      runRetryDelay: 1_000,
      lockDuration: stalledMs,
      stalledInterval: stalledMs,
      maxStalledCount: 1_000_000,
      drainDelay: 5,
    } as const;
    const connection = backend.kind === 'redis' ? this.#connect(backend, { maxRetriesPerRequest: null }) : null;
    const worker: Worker<T, void> =
      connection === null
        ? (new Worker(name, counted as Processor, { ...settings, connection: this.#poolOptions(6, true) }, createPostgresQueueBackend) as unknown as Worker<
            T,
            void
          >)
        : new Worker<T, void>(name, counted, { ...settings, connection: connection.redis, prefix: PREFIX }, createRedisQueueBackend);
    worker.on('error', (error) => {
      if (error.name === 'ReplyError') this.#refusal = { error, at: performance.now() };
      this.#options.onError(error);
    });
    this.#workers.set(worker as Worker, { running: () => running, connection });
    return worker;
  }

  /**
   * Takes no new job and waits for those that run; after `cancelMs` they are cancelled. It does not wait to report results to a queue that is
   * down: the queue gives those jobs to other workers when it is back.
   */
  async finish(worker: Worker, cancelMs: number): Promise<void> {
    const timer = setTimeout(() => worker.cancelAllJobs('shutting down'), cancelMs);
    const ended = new AbortController();
    const closing = worker.close().finally(() => ended.abort());
    try {
      await Promise.race([closing, this.#waitedEnough(worker, cancelMs + TIMEOUT_MS, ended.signal)]);
      // Ends the connection that `close` may still wait for.
      this.#workers.get(worker)?.connection?.end();
      await this.#stop.wait(`worker ${worker.name}`, closing, WORKER_SHARE).catch(this.#options.onError);
    } finally {
      clearTimeout(timer);
    }
  }

  async #waitedEnough(worker: Worker, mostMs: number, ended: AbortSignal): Promise<void> {
    const began = performance.now();
    let progressAt = began;
    while (!ended.aborted && performance.now() - began < mostMs) {
      const isDown = this.#redis !== null && this.#redis.status !== 'ready';
      if (!isDown || (this.#workers.get(worker)?.running() ?? 0) > 0) progressAt = performance.now();
      if (performance.now() - progressAt > TIMEOUT_MS) return;
      await sleep(LOOK_MS);
    }
  }

  /** Rejects within `ms` if the queue does not answer, or Redis refuses what is asked of it. */
  async ping(ms: number): Promise<void> {
    if (this.#redis === null) return;
    await withTimeout(ms, this.#redis.eval(PROBE, 1, `${PREFIX}:probe`, '1'));
    if (this.#refusal !== null && performance.now() - this.#refusal.at < REFUSAL_MS) throw this.#refusal.error;
  }

  /** On PostgreSQL: makes the counters of its queues, which BullMQ would make with their first job, as a role that may. */
  async makeCounters(): Promise<void> {
    for (const { name } of this.#queues) await asOwner(SCHEMA, () => this.#sharedPool(false).query('select next_job_id($1)', [name]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closing = this.#queues.splice(0).map((queue) => this.#stop.wait(`queue ${queue.name}`, queue.close(), QUEUE_SHARE).catch(this.#options.onError));
    await Promise.all(closing);
    await Promise.all([...this.#shared.values()].map((pool) => this.#stop.wait('pool of queues', pool.close(), QUEUE_SHARE).catch(this.#options.onError)));
    for (const connection of this.#connections.splice(0)) connection.end();
  }

  #connect(backend: RedisBackend, options: { maxRetriesPerRequest: number | null }): EndingConnection {
    const { silenceMs = SILENCE_MS } = this.#options;
    const limits = { connectTimeout: 2_000, socketTimeout: silenceMs, keepAlive: KEEP_ALIVE.keepAliveInitialDelayMillis };
    const connection = endingRedis(backend, { ...options, ...limits, retryStrategy: (times) => Math.min(50 * times, 1_000) });
    connection.redis.on('error', this.#options.onError);
    this.#connections.push(connection);
    return connection;
  }

  #sharedPool(mayLose: boolean): PgPool {
    const shared = this.#shared.get(mayLose) ?? new PostgresConnection(this.#poolOptions(4, mayLose));
    this.#shared.set(mayLose, shared);
    return shared.pool;
  }

  // A worker's writes may be lost: the job is done again, which changes nothing.
  #poolOptions(max: number, mayLose: boolean) {
    const { backend, silenceMs = SILENCE_MS } = this.#options;
    const options = mayLose ? { options: '-c synchronous_commit=off' } : {};
    const limits = { query_timeout: silenceMs, ...KEEP_ALIVE };
    return { connectionString: backend.url, schema: SCHEMA, max, application_name: 'orderbridge-queue', ...limits, ...options };
  }
}

const FIRST_MS = 500;
const MOST_MS = 30_000;
const UNREADABLE_MS = 60_000;
const MOST_UNREADABLE_MS = 3_600_000;

/** Until a job is retried that failed `failures` times, in whole ms: the PostgreSQL queue takes no others. `random` in [0, 1). */
export function backoff(failures: number, failure: unknown, random: number): number {
  const isUnreadable = failure instanceof UnreadableJob;
  const [first, most] = isUnreadable ? [UNREADABLE_MS, MOST_UNREADABLE_MS] : [FIRST_MS, MOST_MS];
  return Math.round(Math.min(first * 2 ** Math.min(failures, 10), most) * (0.5 + random / 2));
}

/** A queue that Redis or PostgreSQL refuses is asked again after so long. */
const RETRY_MS = 1_000;
/** Of a Redis as old as BullMQ takes it (6.2): it takes fractions of a second as a timeout, and no single millisecond. */
const CAPABILITIES = { canDoubleTimeout: true, canBlockFor1Ms: false };

/** BullMQ's queue on Redis. It asks nothing of Redis before the first command: BullMQ would remember for good that INFO was refused. */
const createRedisQueueBackend: BackendFactory<RedisQueueBackend> = (name, opts, flags) => {
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
const createPostgresQueueBackend: BackendFactory<PostgresQueueBackend, PostgresConnectionOptions> = (name, opts, { withBlockingConnection = false } = {}) => {
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

  /** Rejects a second after the failure; anyone who asks then tries anew. */
  override waitUntilReady(): Promise<void> {
    this.#ready ??= this.#migrated().then(
      // Anyone who listens may have been told of this connection a moment ago.
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

function isMissing(thrown: unknown): boolean {
  return thrown instanceof SchemaMigrationRequiredError || codeOf(thrown) === '3F000';
}

const MIGRATED = new WeakMap<PgPool, Promise<void>>();

async function migrate(pool: PgPool, schema: string): Promise<void> {
  const client = await pool.connect();
  try {
    // A role that may make nothing can read what its owner made.
    const made = await assertSchemaCompatibility(client, schema).catch((thrown: unknown) => (isMissing(thrown) ? 0 : Promise.reject(thrown)));
    if (made < LATEST_SCHEMA_VERSION) await asOwner(schema, () => runMigrations(client, schema));
  } finally {
    client.release();
  }
}

type RedisLimits = Pick<RedisOptions, 'maxRetriesPerRequest' | 'retryStrategy' | 'connectTimeout' | 'socketTimeout' | 'keepAlive'>;

/** A connection, and how to end it with every copy that was made of it. */
type EndingConnection = { redis: Redis; end(): void };

/**
 * A connection that `end` reliably ends. An ioredis that is disconnected while it waits to reconnect never reports its end and never answers the
 * commands in its buffer, so that their callers hang; and BullMQ does not close copies that were never connected.
 */
function endingRedis({ url, ca = null }: RedisBackend, limits: RedisLimits): EndingConnection {
  const all: Redis[] = [];
  const at = redisAddress(url, ca);
  const options = { ...at?.options, ...limits };
  const redis = tracked(at?.url === null ? new Redis(options) : new Redis(url, options), all);
  return {
    redis,
    end: () => {
      for (const one of all) end(one);
    },
  };
}

/** What an ioredis reports that ends for good because its Sentinels named another master while it was asking them for it. One that was to end reports nothing. */
const LOST = 'Connection is closed.';

function tracked(redis: Redis, all: Redis[]): Redis {
  all.push(redis);
  redis.on('error', ({ message }) => {
    if (message === LOST && redis.status === 'connecting') redis.once('end', () => void redis.connect().catch(() => undefined));
  });
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
