import { afterAll, beforeAll } from 'vitest';
import type { Storefronts } from '../../../src/bridge/storefronts/contract.ts';
import type { Config, Role } from '../../../src/config/config.ts';
import type { Log } from '../../../src/platform/log.ts';
import type { Traces } from '../../../src/platform/traces.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { ScriptedCompliance } from '../servers/scripted-compliance.ts';
import { Bridge, type Connected, orderOf } from './bridge.ts';

/** `redisUrl`: of its database on `redis`. */
export type World = { bridge: Bridge; service: ScriptedCompliance; redis: TestRedis; redisUrl: string; databaseUrl: string } & AsyncDisposable;
export type WorldOptions = {
  idempotencyKey?: 'supported' | 'ignored';
  /** The service forgets buyers, and takes deliveries. */
  extensions?: boolean;
  /** False: BullMQ on PostgreSQL. */
  onRedis?: boolean;
  /** True: our own compliance service, in the same process. */
  embeddedService?: boolean;
  config?: Partial<Config>;
  role?: Role;
  log?: Log;
  /** Those whose stores are read; default: the registry's. */
  storefronts?: Storefronts;
  /** Who is signed in by a press. */
  demoOwner?: string;
  traces?: Traces;
};

/** Real servers for one test file, and a fresh bridge with a compliance service for each test that asks. */
export function useWorlds(): (options?: WorldOptions) => Promise<World> {
  let postgres: TestPostgres;
  let redis: TestRedis;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(async () => {
    await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
  });

  return async (options = {}) => {
    await redis.flush();
    return openWorld({ postgres, redis }, options);
  };
}

/** `redisUrl`: of a database of that server; default: its first. */
export type WorldServers = { postgres: TestPostgres; redis: TestRedis; redisUrl?: string };

/** A fresh bridge with a compliance service. */
export async function openWorld(
  { postgres, redis, redisUrl = redis.url }: WorldServers,
  {
    idempotencyKey = 'supported',
    extensions = false,
    onRedis = true,
    embeddedService = false,
    config = {},
    role = 'all',
    log,
    storefronts,
    ...rest
  }: WorldOptions,
): Promise<World> {
  await using setup = new AsyncDisposableStack();
  const service = setup.use(await ScriptedCompliance.start({ honoursIdempotency: idempotencyKey === 'supported', extensions }));
  const databaseUrl = await postgres.createDatabase(embeddedService ? 'whole' : 'bridge');
  const where = { ...(onRedis ? { redisUrl } : {}), ...(embeddedService ? {} : { complianceUrl: service.url }) };
  const more = { ...(log === undefined ? {} : { log }), ...(storefronts === undefined ? {} : { storefronts }) };
  const bridge = setup.use(await Bridge.start({ databaseUrl, idempotencyKey, extensions, config, role, ...where, ...more, ...rest }));
  const owned = setup.move();
  return { bridge, service, redis, redisUrl, databaseUrl, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** A time on the day of `orderOf`, so many minutes after it was paid. */
export function later(minute: number): string {
  return `2026-11-01T10:${String(minute).padStart(2, '0')}:00Z`;
}

/** The order of `orderOf`, changed to one piece at `total`. */
export function edited(id: string, minute: number, total: string): Record<string, unknown> {
  return orderOf(id, { updatedAt: later(minute), total, lines: [{ id: 'a', name: 'Тениска', quantity: 1, amount: total, vatRate: '20' }] });
}

export function refundedInFull(id: string, minute: number): Record<string, unknown> {
  return orderOf(id, { updatedAt: later(minute), refunds: [{ id: 'r1', at: later(minute), amount: '48.00' }] });
}

/** The total of each living record of an order; more than one is a doubled tax record. */
export function totals(service: ScriptedCompliance, id: string): string[] {
  return service.current(id).map(({ dto }) => dto.lineItems.reduce((sum, { price, quantity, discount }) => sum + price * quantity - discount, 0).toFixed(2));
}

/** Sends the order of `orderOf` and waits until it is recorded. */
export async function recorded({ bridge }: World, connected: Connected, id: string): Promise<void> {
  await bridge.send(connected, 'order.paid', { order: orderOf(id) });
  await bridge.settled(connected, id, 'recorded');
}
