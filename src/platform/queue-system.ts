import { createPostgresBackend, type Processor, Queue, type QueueOptions, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { within } from './within.ts';

export type QueueBackend = { kind: 'redis'; url: string } | { kind: 'postgres'; url: string };

export type QueueSystemOptions = {
  backend: QueueBackend;
  /** BullMQ gives the job of a worker that is silent for so long to another. */
  stalledMs: number;
  onError: (error: Error) => void;
};

export type WorkerSettings = { concurrency: number };

const PREFIX = 'orderbridge';
const SCHEMA = 'bullmq';
// Jobs never use up their attempts: what was accepted is tried until it works.
const DEFAULTS = { removeOnComplete: true, removeOnFail: { count: 10_000 }, attempts: 1_000_000, backoff: { type: 'custom' } } as const;

function backoffStrategy(attemptsMade: number): number {
  return Math.min(500 * 2 ** Math.min(attemptsMade, 10), 30_000) * (0.5 + Math.random() / 2);
}

/** Makes BullMQ queues and workers on Redis or PostgreSQL, and closes them all. */
export class QueueSystem implements AsyncDisposable {
  readonly #options: QueueSystemOptions;
  readonly #closers: (() => Promise<unknown>)[] = [];
  readonly #redis: Redis | null;

  constructor(options: QueueSystemOptions) {
    this.#options = options;
    this.#redis = options.backend.kind === 'redis' ? this.#connect(options.backend.url, { maxRetriesPerRequest: 1 }) : null;
  }

  /** The producers' Redis connection; null on PostgreSQL. */
  get redis(): Redis | null {
    return this.#redis;
  }

  /** False while Redis is known to be away: then nobody needs to wait for a deadline. */
  get isUp(): boolean {
    return this.#redis === null || this.#redis.status === 'ready' || this.#redis.status === 'connecting' || this.#redis.status === 'connect';
  }

  queue<T>(name: string): Queue<T> {
    const defaults = { defaultJobOptions: DEFAULTS } satisfies Partial<QueueOptions>;
    const queue: Queue<T> =
      this.#redis === null
        ? (new Queue(name, { ...defaults, connection: this.#pool(4) }, createPostgresBackend) as unknown as Queue<T>)
        : new Queue<T>(name, { ...defaults, connection: this.#redis, prefix: PREFIX, skipMetasUpdate: true, skipWaitingForReady: true });
    queue.on('error', this.#options.onError);
    this.#closers.unshift(() => queue.close());
    return queue;
  }

  worker<T>(name: string, processor: Processor<T, void>, { concurrency }: WorkerSettings): Worker<T, void> {
    const { stalledMs, backend } = this.#options;
    const settings = {
      concurrency,
      settings: { backoffStrategy },
      runRetryDelay: 1_000,
      lockDuration: stalledMs,
      stalledInterval: stalledMs,
      maxStalledCount: 1_000_000,
      drainDelay: 5,
    } as const;
    const worker: Worker<T, void> =
      backend.kind === 'postgres'
        ? (new Worker(name, processor as Processor, { ...settings, connection: this.#pool(6) }, createPostgresBackend) as unknown as Worker<T, void>)
        : new Worker<T, void>(name, processor, { ...settings, connection: this.#connect(backend.url, { maxRetriesPerRequest: null }), prefix: PREFIX });
    worker.on('error', this.#options.onError);
    return worker;
  }

  /** Rejects within `ms` if the queue does not answer. */
  async ping(ms: number): Promise<void> {
    if (this.#redis === null) return;
    await within(ms, this.#redis.ping());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closers.splice(0)) await close().catch(this.#options.onError);
  }

  #connect(url: string, options: { maxRetriesPerRequest: number | null }): Redis {
    const redis = new Redis(url, { ...options, retryStrategy: (times) => Math.min(50 * times, 1_000), connectTimeout: 2_000 });
    redis.on('error', this.#options.onError);
    this.#closers.push(async () => redis.disconnect());
    return redis;
  }

  #pool(max: number) {
    const { backend } = this.#options;
    return { connectionString: backend.url, schema: SCHEMA, migrate: true, max, application_name: 'orderbridge-queue' };
  }
}
