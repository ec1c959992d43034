import { afterAll, beforeAll } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { type FirstRows, firstRowsOf } from './first-rows.ts';
import { openWorld, type World, type WorldOptions } from './world.ts';

/** `fresh`: nobody had it, and nobody will. */
export type SharedOptions = WorldOptions & { fresh?: boolean };

type Kept = { world: World; first: FirstRows; key: string; isLent: boolean };

/**
 * Worlds for one test file, each for one test after the other: anyone who asks gets one of these options that nobody has now, with what its database and its
 * compliance service had at first, while its program runs on. Ids are never given twice. Where a test changed the schema or took connections away, the
 * next one is made anew; so is one with a log or storefronts of its own, and a `fresh` one: to stop the program, or for what that keeps in memory.
 */
export function useSharedWorlds(): (options?: SharedOptions) => Promise<World> {
  let postgres: TestPostgres;
  let redis: TestRedis;
  const kept: Kept[] = [];
  let databases = 0;
  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  });
  afterAll(async () => {
    await close(...kept.splice(0));
    await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
  });

  const open = async (options: WorldOptions): Promise<World> => {
    databases += 1;
    return openWorld({ postgres, redis, redisUrl: `${redis.url}/${databases}` }, options);
  };

  return async ({ fresh = false, ...options } = {}) => {
    if (fresh || options.log !== undefined || options.storefronts !== undefined) return open(options);
    const key = keyOf(options);
    const free = kept.find((one) => one.key === key && !one.isLent);
    if (free !== undefined && (await isAsAtFirst(free))) return lent(free);
    if (free !== undefined) await close(...kept.splice(kept.indexOf(free), 1));
    const world = await open(options);
    const made = { world, first: await firstRowsOf(world.databaseUrl), key, isLent: false };
    kept.push(made);
    return lent(made);
  };
}

async function isAsAtFirst({ first, world }: Kept): Promise<boolean> {
  await world.service.beginAnew();
  return first.bringBack();
}

function lent(one: Kept): World {
  one.isLent = true;
  return {
    ...one.world,
    async [Symbol.asyncDispose]() {
      one.isLent = false;
    },
  };
}

async function close(...all: Kept[]): Promise<void> {
  for (const { world, first } of all) {
    await first[Symbol.asyncDispose]();
    await world[Symbol.asyncDispose]();
  }
}

/** The same for options by which nothing is different; a port that was free is as good as another. */
function keyOf({ config = {}, ...options }: WorldOptions): string {
  const { port, publicUrl } = config;
  const isReached = publicUrl === `http://127.0.0.1:${port}`;
  const plain = isReached ? { ...config, port: 'any', publicUrl: 'its own' } : config;
  return JSON.stringify({ ...options, config: plain }, function replaced(this: Record<string, unknown>, name, value) {
    const given = this[name];
    return given instanceof Secret ? given.reveal() : value;
  });
}
