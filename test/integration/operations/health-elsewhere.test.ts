import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApp } from '../../../src/app/start-app.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
import { healthCases } from '../../support/worlds/health-cases.ts';
import { type HealthWorld, startHealthWorld } from '../../support/worlds/health-world.ts';

let world: HealthWorld;
beforeAll(async () => {
  world = await startHealthWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test('a channel of alerts that is configured no more is not broken', async () => {
  const one = healthCases['alerts.broken'];
  const broken = async (env: Record<string, string>) =>
    JSON.parse((await world.run(['status', '--json'], env)).out).failedChecks.filter(({ code }: { code: string }) => code === 'alerts.broken');
  await one?.begin(world);

  expect(await broken({ ALERT_SLACK_URL: 'http://127.0.0.1:9/' })).toMatchObject([{ subject: 'slack' }]);
  expect(await broken({ ALERT_MAIL_TO: 'ops@corner.example' })).toEqual([]);

  await one?.end(world);
});

test('a queue that is paused is seen in every role', async () => {
  const { bridge, postgres, redis, queues } = world;
  const env = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, ENCRYPTION_KEYS, DATA_DIR: `${bridge.app.core.config.dataDir}/receiver`, PORT: '0' };
  const loaded = loadConfig(env, { role: 'receiver', cwd: '/' });
  if (!loaded.ok) throw new Error(loaded.problems.join('; '));
  await using receiver = await startApp({
    config: loaded.config,
    role: 'receiver',
    log: createLog({ level: 'silent', name: 'test' }),
    gaugePace: { everyMs: 0, timeoutMs: 0 },
  });
  const { maintenance } = queues;
  await maintenance.pause();

  const { failedChecks } = await receiver.healthReader.read();
  await maintenance.resume();
  expect(failedChecks).toContainEqual(expect.objectContaining({ code: 'queue.paused', subject: maintenance.name }));
});
