import { afterAll, beforeAll, expect, test } from 'vitest';
import { killEvents } from '../support/events/kill-events.ts';
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

/** Events that a process has under way at a time. */
const AT_ONCE = 16;

test.each(
  drawn([
    ['the only worker is killed', { kills: runs(1, 15), others: 0 }],
    ['one of two workers is killed', { kills: runs(1, 15), others: 1 }],
    ['two workers run, and none is killed', { kills: 0, others: 1 }],
  ] as const),
)(`%s: each event comes once at least, in the order of its subject, none is lost, and none is doubled but by a kill (seed ${SEED})`, async (_what, workers) => {
  await redis.flush();
  const where = { databaseUrl: await postgres.createDatabase('bridge'), redisUrl: redis.url };

  const left = await killEvents({ ...where, ...workers, count: runs(12, 200), seed: SEED });

  expect(left).toMatchObject({ missing: 0, lost: 0, disordered: [], kills: workers.kills });
  // What was refused at first.
  expect(left.repeated).toBeGreaterThan(0);
  expect(left.doubled).toBeLessThanOrEqual(workers.kills * AT_ONCE);
});
