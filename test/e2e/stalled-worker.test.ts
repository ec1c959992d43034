import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { until } from '../support/worlds/settled.ts';
import { totals } from '../support/worlds/world.ts';

/** Two programs are started in each. */
const LONG = 180_000;

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

async function deploy(idempotencyKey: 'supported' | 'ignored' = 'supported'): Promise<Deployment> {
  await redis.flush();
  return Deployment.start({ databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, idempotencyKey });
}

/** Exactly one record, with the right money. */
async function recordedOnce(it: Deployment, total = '48.00'): Promise<void> {
  await until(() => totals(it.service, '1').join() === total, { what: `one record of ${total}` });
  await it.settled('1', 'recorded');
  expect(totals(it.service, '1')).toEqual([total]);
}

const creates = ({ service }: Deployment) => service.requests('POST').length;

describe('a worker stands still while the service answers, and goes on when another has taken the order', { timeout: LONG }, () => {
  test('it does not: the late reply answers the question to a person', async () => {
    await using it = await deploy('ignored');
    const frozen = await it.startWorker();
    it.service.holdAnswers();
    await it.send(orderOf('1'));
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    frozen.freeze();
    await it.startWorker();
    await it.settled('1', 'unconfirmed');

    // Its call is long over by its clock if the other took long to start: what is there when it looks, counts.
    await it.service.answerHeld();
    frozen.thaw();

    await recordedOnce(it);
    expect(creates(it)).toBe(1);
  });
});
