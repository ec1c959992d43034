import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { expectCarriedOver } from '../../support/worlds/carried-over.ts';
import type { ServiceOrder } from '../../support/worlds/old-release.ts';
import { until } from '../../support/worlds/settled.ts';
import { type Home, leftBehind } from '../../support/worlds/upgrade-world.ts';

const COMMIT = 'be7c6c0';

let postgres: TestPostgres;
let redis: TestRedis;
beforeAll(async () => {
  [postgres, redis] = await Promise.all([startPostgres(), startRedis({ appendFsync: 'always' })]);
});
afterAll(async () => {
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()]);
});

const homes: [string, () => Home][] = [
  ['a database that holds the queues, too', () => ({ kind: 'database', postgres })],
  ['a database with its queues in Redis', () => ({ kind: 'database', postgres, redis })],
  ['a DATA_DIR', () => ({ kind: 'data-dir' })],
];

describe.each(homes)('%s of be7c6c0 with work waiting', (_name, home) => {
  test('is carried over whole at the first start, and takes new orders', async () => {
    await using left = await leftBehind(COMMIT, home());
    const server = await left.program.start();

    await expectCarriedOver({ ...left, server });

    const { own } = left.old.says.stores;
    const body = JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order: orderOf('next') } });
    const { status } = await fetch(`${server.url}/webhooks/standard/${own.connection}`, { method: 'POST', body, headers: standardHeaders(own.secret, body) });
    expect(status).toBe(200);
    await until(
      async () => {
        const orders = await left.program.json<ServiceOrder[]>(['service', 'orders', 'list', '--shop', own.shop]);
        expect(orders).toContainEqual(expect.objectContaining({ internalId: 'next', documentNumber: '0000000517' }));
        return true;
      },
      { what: 'the next order to be recorded with the next number' },
    );
  }, 120_000);
});
