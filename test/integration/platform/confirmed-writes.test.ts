import { once } from 'node:events';
import type { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Unconfirmed } from '../../../src/platform/queue/confirmed-writes.ts';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { startRedis, type TestRedis } from '../../support/servers/redis.ts';
import { startSentinels } from '../../support/servers/sentinels.ts';
import { until } from '../../support/worlds/settled.ts';

const portOf = ({ url }: TestRedis) => Number(new URL(url).port);

const owned = new AsyncDisposableStack();
let master: TestRedis;
let replica: TestRedis;
let system: QueueSystem;
let queue: Queue<object>;
let admin: Redis;

beforeAll(async () => {
  master = owned.use(await startRedis());
  replica = owned.use(await startRedis({ args: ['--replicaof', '127.0.0.1', String(portOf(master))] }));
  const { ports } = owned.use(await startSentinels(portOf(master), { count: 1 }));
  admin = owned.adopt(new Redis(master.url), (client) => client.disconnect());
  const backend = { kind: 'redis', url: `redis+sentinel://127.0.0.1:${ports.join()}/main` } as const;
  system = owned.use(new QueueSystem({ backend, stalledMs: 2_000, onError: () => undefined }));
  queue = system.queue('work');
  await until(isConfirmed, { what: 'the replica to confirm' });
});
afterAll(() => owned.disposeAsync());

const add = async () => void (await queue.add('job', {}));
const addConfirmed = () => system.confirmed(add);

async function isConfirmed(): Promise<boolean> {
  return addConfirmed().then(
    () => true,
    () => false,
  );
}

/** How often the master was asked to wait. */
async function waits(): Promise<number> {
  return Number(/cmdstat_wait:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0);
}

describe('with Sentinels', () => {
  test('what a replica has is confirmed, and writes that come together share the wait', async () => {
    const together = async () => {
      const before = await waits();
      const written = Promise.withResolvers<void>();
      const added: Promise<void>[] = [];
      const write = () => {
        added.push(add());
        return written.promise;
      };
      const writes = Array.from({ length: 50 }, () => system.confirmed(write));
      await Promise.all(added);
      written.resolve();
      await Promise.all(writes);
      return (await waits()) - before;
    };

    // A replica that is late confirms what comes later.
    expect(await until(together, { what: 'all to be confirmed', everyMs: 1_000 })).toBe(1);
  });

  test('what no replica has is written, but not confirmed; few of them wait for that, until one has it again', async () => {
    const [written, before] = [(await queue.getJobCounts('waiting'))['waiting'] ?? 0, await waits()];
    process.kill(replica.pid(), 'SIGSTOP');
    try {
      const began = performance.now();
      for (let n = 0; n < 20; n += 1) await expect(addConfirmed()).rejects.toThrow(Unconfirmed);
      expect(await queue.getJobCounts('waiting')).toEqual({ waiting: written + 20 });
      // One a second.
      expect((await waits()) - before).toBeLessThanOrEqual(1 + (performance.now() - began) / 1_000);
    } finally {
      process.kill(replica.pid(), 'SIGCONT');
    }
    await until(isConfirmed, { what: 'the replica to confirm again' });
  });

  test('nor is it where WAIT is refused', async () => {
    await admin.call('ACL', 'SETUSER', 'default', '-wait');
    try {
      await expect(addConfirmed()).rejects.toThrow(Unconfirmed);
    } finally {
      await admin.call('ACL', 'SETUSER', 'default', '+wait');
    }
    await until(isConfirmed, { what: 'it to be confirmed again' });
  });

  test('what another connection wrote, as before a failover, is not', async () => {
    const client = system.redis as Redis;
    const elsewhere = system.confirmed(async () => {
      await add();
      client.disconnect(true);
      await once(client, 'ready');
    });

    await expect(elsewhere).rejects.toThrow(Unconfirmed);
    await until(isConfirmed, { what: 'the new connection to be confirmed' });
  });
});

test('without them nobody waits', async () => {
  await using alone = new QueueSystem({ backend: { kind: 'redis', url: master.url }, stalledMs: 2_000, onError: () => undefined });
  const before = await waits();

  await alone.confirmed(async () => void (await alone.queue<object>('work').add('job', {})));

  expect(await waits()).toBe(before);
});
