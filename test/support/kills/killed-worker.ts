import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { orderOf } from '../worlds/bridge.ts';
import { Deployment } from '../worlds/deployment.ts';
import type { Roadblock } from '../worlds/roadblock.ts';
import { until } from '../worlds/settled.ts';
import { totals } from '../worlds/world.ts';

/** A worker that each test of the file kills at some moment of an order of its own; the worker that comes after it is the next test's to kill. */
export class KilledWorker {
  readonly redis: TestRedis;
  readonly it: Deployment;
  id = '';
  #orders = 0;
  #seen = { creates: 0, deletes: 0 };

  constructor(redis: TestRedis, it: Deployment) {
    this.redis = redis;
    this.it = it;
  }

  async nextTest(): Promise<void> {
    await this.it.worker();
    this.#orders += 1;
    this.id = String(this.#orders);
    this.#count();
  }

  /** Requests of this test's order. */
  creates = (): number => this.it.service.requests('POST').length - this.#seen.creates;
  deletes = (): number => this.it.service.requests('DELETE').length - this.#seen.deletes;

  /** It is killed where it waits, and what it was about to do is not done. */
  async killAt(block: Roadblock): Promise<void> {
    await block.reached();
    await this.it.killWorker();
    await block.cut();
    await block.lift();
  }

  /** Exactly one record, with the right money. */
  async recordedOnce(total = '48.00'): Promise<void> {
    await until(() => totals(this.it.service, this.id).join() === total, { what: `one record of ${total}` });
    await this.it.settled(this.id, 'recorded');
    expect(totals(this.it.service, this.id)).toEqual([total]);
  }

  /** The order is recorded; what comes from now on counts. */
  async recorded(): Promise<void> {
    await this.it.send(orderOf(this.id));
    await this.recordedOnce();
    this.#count();
  }

  #count(): void {
    const { service } = this.it;
    this.#seen = { creates: service.requests('POST').length, deletes: service.requests('DELETE').length };
  }
}

/** One for the tests of a `describe`; `keys`: what the service does with Idempotency-Keys. */
export function useKilledWorker(keys: 'supported' | 'ignored'): () => KilledWorker {
  let postgres: TestPostgres;
  let killed: KilledWorker;
  beforeAll(async () => {
    const [databases, redis] = await Promise.all([startPostgres('bridge'), startRedis({ appendFsync: 'always' })]);
    postgres = databases;
    killed = new KilledWorker(redis, await Deployment.start({ databaseUrl: postgres.url, redisUrl: redis.url, idempotencyKey: keys }));
  });
  afterAll(async () => {
    await killed.it[Symbol.asyncDispose]();
    await Promise.all([postgres[Symbol.asyncDispose](), killed.redis[Symbol.asyncDispose]()]);
  });
  beforeEach(() => killed.nextTest());
  return () => killed;
}
