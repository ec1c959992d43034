import { afterAll, beforeAll, expect, test } from 'vitest';
import { killEvents } from '../support/events/kill-events.ts';
import { runs, SEED } from '../support/run-size.ts';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres('bridge'), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

test(`workers are killed while they record and send: each event comes once at least, in the order of its subject, and none is lost (seed ${SEED})`, async () => {
  const count = runs(12, 200);

  const left = await killEvents({ databaseUrl: postgres.url, redisUrl: redis.url, count, kills: runs(1, 15), seed: SEED });

  expect(left).toMatchObject({ missing: 0, lost: 0, disordered: [], kills: runs(1, 15) });
  expect(left.repeated).toBeGreaterThan(0);
});
