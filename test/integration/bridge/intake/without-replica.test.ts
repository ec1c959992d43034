import { expect, test } from 'vitest';
import { z } from 'zod';
import { createMetrics } from '../../../../src/app/ops/metrics.ts';
import { openQueues } from '../../../../src/app/queues.ts';
import { sweep } from '../../../../src/app/sweeper.ts';
import { inboxSize, putInInbox } from '../../../../src/bridge/ledger/deliveries/inbox-store.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { accepted } from '../../../support/at-rest/known-data.ts';
import { startPostgres } from '../../../support/servers/postgres.ts';
import { startRedis } from '../../../support/servers/redis.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { startSentinels } from '../../../support/servers/sentinels.ts';
import { Bridge, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';

const countRow = rowsOf('deliveries', z.object({ count: z.int() }));
const ids = (prefix: string) => Array.from({ length: 12 }, (_, n) => `${prefix}-${n}`);
/** More than a page of the inbox. */
const UNINSTALLED = 60;

test('with Sentinel, but no replica: webhooks are in the queue and the inbox, and recorded once, as is what is in the inbox alone', async () => {
  await using setup = new AsyncDisposableStack();
  const redis = setup.use(await startRedis());
  const { ports } = setup.use(await startSentinels(Number(new URL(redis.url).port), { count: 1 }));
  const postgres = setup.use(await startPostgres());
  const service = setup.use(await ScriptedCompliance.start({ honoursIdempotency: true }));
  const redisUrl = `redis+sentinel://127.0.0.1:${ports.join()}/main`;
  const bridge = setup.use(await Bridge.start({ databaseUrl: await postgres.createDatabase('bridge'), redisUrl, complianceUrl: service.url }));
  const connected = await bridge.connect();
  const queues = setup.use(openQueues(bridge.app.core));
  const nobodys = { ...accepted(connected, orderOf('nobody')), connectionId: 'nobody' };
  await putInInbox(bridge.pool, nobodys);
  // Their store must be asked, which only a job does: they stay before all others.
  for (let n = 0; n < UNINSTALLED; n += 1) {
    await putInInbox(bridge.pool, { ...accepted(connected, {}), arrivedAt: '2026-11-01T10:00:00.000Z', normalized: { kind: 'closed' } });
  }

  const answers = await Promise.all(ids('sent').map((id) => bridge.send(connected, 'order.paid', { order: orderOf(id) })));
  for (const id of ids('alone')) await putInInbox(bridge.pool, accepted(connected, orderOf(id)));
  const replayed = accepted(connected, orderOf('replayed'));
  await queues.keepDeliveries({ v: 1, deliveries: [replayed] });

  expect(answers).toEqual(answers.map(() => 200));
  const all = [...ids('sent'), ...ids('alone'), 'replayed'];
  for (const id of all) await bridge.settled(connected, id, 'recorded');
  expect(all.map((id) => service.current(id).length)).toEqual(all.map(() => 1));
  // What can't be recorded stays, and holds up nothing.
  await until(async () => (await inboxSize(bridge.pool)) === 1 + UNINSTALLED, { what: 'the inbox to have left what was recorded' });
  expect((await readOne(bridge.pool, countRow, { text: `select count(*) as count from deliveries where outcome = 'merged'` })).count).toBe(all.length);
  const { failedChecks } = await bridge.app.healthReader.now();
  await queues.deliveries.pause();
  await putInInbox(bridge.pool, accepted(connected, orderOf('paused')));
  const record = async () => Promise.reject(new Error('it is paused'));
  await sweep({ core: bridge.app.core, queues, metrics: createMetrics(), takenOver: () => 0, record }, new AbortController().signal);
  expect(await inboxSize(bridge.pool)).toBe(2 + UNINSTALLED);
  await queues.deliveries.resume();
  await bridge.settled(connected, 'paused', 'recorded');
  expect(failedChecks).toContainEqual(expect.objectContaining({ code: 'queue.unsafe', words: expect.stringContaining('no replica of Redis confirms') }));
});
