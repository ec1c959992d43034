import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { orderOf } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { until } from '../support/worlds/settled.ts';
import { totals } from '../support/worlds/world.ts';

let postgres: TestPostgres;
let redis: TestRedis;

beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

async function deploy(idempotencyKey: 'supported' | 'ignored'): Promise<Deployment> {
  await redis.flush();
  return Deployment.start({ databaseUrl: await postgres.createDatabase(), redisUrl: redis.url, idempotencyKey });
}

/** Exactly one record, with the right money. */
async function recordedOnce(it: Deployment): Promise<void> {
  await until(() => totals(it.service, '1').join() === '48.00', { what: 'one record' });
  await it.settled('1', 'recorded');
  expect(totals(it.service, '1')).toEqual(['48.00']);
}

const creates = ({ service }: Deployment) => service.requests('POST').length;

const moments = [
  {
    keys: 'supported',
    what: 'both get the id of one record',
    taken: (it: Deployment) => until(() => creates(it) === 2, { what: 'the other worker to send it again' }),
    sent: 2,
  },
  { keys: 'ignored', what: 'the late reply answers the question to a person', taken: (it: Deployment) => it.settled('1', 'unconfirmed'), sent: 1 },
] as const;

// Two programs are started in each.
describe('a worker stands still while the service answers, and goes on when another has taken the order', () => {
  test.each(moments)('Idempotency-Key is $keys: $what', async ({ keys, taken, sent }) => {
    await using it = await deploy(keys);
    const frozen = await it.startWorker();
    it.service.holdAnswers();
    await it.send(orderOf('1'));
    await until(() => creates(it) === 1, { what: 'the create to arrive' });
    frozen.freeze();
    await it.startWorker();
    await taken(it);

    // Its call is long over by its clock if the other took long to start: what is there when it looks, counts.
    await it.service.answerHeld();
    frozen.thaw();

    await recordedOnce(it);
    const requests = it.service.requests('POST');
    expect([requests.length, new Set(requests.map(({ headers }) => headers['idempotency-key'])).size]).toEqual([sent, 1]);
  });
});
