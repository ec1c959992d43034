import { afterAll, beforeAll, expect, test } from 'vitest';
import { killPages } from '../support/kills/kill-pages.ts';
import { drawn, runs, SEED } from '../support/run-size.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

test.each(drawn(['supported', 'ignored', 'refused-at-times'] as const))(
  `workers are killed within their pages, keys are %s: each order is recorded once, or a person is asked (seed ${SEED})`,
  async (keys) => {
    await redis.flush();
    const count = runs(60, 500);

    const left = await killPages({ databaseUrl: await postgres.createDatabase('bridge'), redisUrl: redis.url, keys, count, kills: runs(2, 10), seed: SEED });

    expect(left).toMatchObject({ twice: 0, without: 0, recorded: count - left.asked });
    expect(left.kills).toBeGreaterThan(0);
    expect(left.claims).toBeGreaterThan(count);
    if (keys === 'supported') expect(left.asked).toBe(0);
  },
);
