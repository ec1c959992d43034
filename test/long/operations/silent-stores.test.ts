import { describe, expect, test } from 'vitest';
import { healthDeps } from '../../../src/app/health-reader.ts';
import { openQueues } from '../../../src/app/queues.ts';
import { readHealth } from '../../../src/operations/health/read-health.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { readIn } from '../../support/worlds/read-in.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useClearedWorlds();
const pausedWorld = useWorlds();

/** A store with a webhook every `everyHours` from so many days ago until so many hours ago, none of them in the hours that `pause` names. */
type History = { days: number; everyHours: number; silentHours: number; pause?: [from: number, to: number] };

const busy: History = { days: 28, everyHours: 1, silentHours: 25 };

describe('a store is silent only if that is not usual for it', () => {
  test.each<[string, History, boolean]>([
    ['one with orders all day, after a day and a night', busy, true],
    ['the same, in less than a day', { ...busy, silentHours: 23 }, false],
    ['one with an order a day, after a day', { ...busy, everyHours: 24, silentHours: 25 }, false],
    ['the same, after three days', { ...busy, everyHours: 24, silentHours: 73 }, true],
    ['one that rests at weekends, on Sunday', { ...busy, silentHours: 60, pause: [200, 264] }, false],
    ['the same, for a week', { ...busy, silentHours: 170, pause: [300, 364] }, true],
    ['one that is new', { ...busy, days: 6, silentHours: 30 }, false],
  ])('%s', async (_what, { days, everyHours, silentHours, pause: [from, to] = [0, 0] }, isSilent) => {
    await using it = await world();
    const { connection } = await it.bridge.connect();
    await it.bridge.pool.query(
      `insert into deliveries (id, connection_id, topic, arrived_at, outcome) select gen_random_uuid(), $1, 'order.paid', now() - n * interval '1 hour', 'merged'
        from generate_series($2::int, $3::int, $4::int) n where n not between $5 and $6`,
      [connection.id, silentHours, days * 24, everyHours, from, to],
    );
    await it.bridge.pool.query(`insert into traffic (connection_id, accepted_at) values ($1, now() - $2 * interval '1 hour')`, [connection.id, silentHours]);

    const { failedChecks } = await it.bridge.app.healthReader.read();

    expect(failedChecks.filter(({ code }) => code === 'webhooks.silent').map(({ subject }) => subject)).toEqual(isSilent ? [connection.id] : []);
  });

  test('where the store is read by its API, that decides', async () => {
    await using it = await world();
    const { pool, app } = it.bridge;
    const access = { url: 'http://127.0.0.1:9', consumerKey: 'ck_1', consumerSecret: 'cs_1' };
    const { connection } = await it.bridge.connect({ platform: 'woocommerce', access });
    await pool.query(
      `insert into deliveries (id, connection_id, topic, arrived_at, outcome) select gen_random_uuid(), $1, 'order.updated', now() - n * interval '1 hour', 'merged'
        from generate_series(50, 600) n`,
      [connection.id],
    );
    await pool.query(`insert into traffic (connection_id, accepted_at) values ($1, now() - interval '50 hours')`, [connection.id]);
    await pool.query(`insert into store_syncs (connection_id) values ($1) on conflict do nothing`, [connection.id]);
    await readIn(pool, connection.id, 86_400_000);
    const silent = async () => (await app.healthReader.read()).failedChecks.filter(({ code }) => code === 'webhooks.silent');

    await pool.query(`update store_syncs set read_at = now() where connection_id = $1`, [connection.id]);
    expect(await silent()).toEqual([]);
    await pool.query(`update store_syncs set read_at = now(), missed = 2, missed_at = now() - interval '10 hours' where connection_id = $1`, [connection.id]);
    expect(await silent()).toMatchObject([{ words: expect.stringContaining('2 paid orders were found by reading the store') }]);
  });
});

test('what hangs is a failed check itself, and holds up no other', async () => {
  await using it = await pausedWorld({ onRedis: false });
  const { core } = it.bridge.app;
  await using queues = openQueues(core);
  await queues.maintenance.pause();
  const never = () => new Promise<never>(() => undefined);
  const began = performance.now();

  const { health, failedChecks } = await readHealth(healthDeps(core, { ...queues, every: [queues.maintenance] }, never));

  expect(performance.now() - began).toBeLessThan(15_000);
  expect(health).toBe('failing');
  expect(failedChecks.filter(({ code }) => code === 'check.failed').map(({ subject }) => subject)).toEqual(['disk']);
  expect(failedChecks.map(({ code }) => code)).toContain('queue.paused');
});
