import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { noteDelivery } from '../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { resumeQueue } from '../../../src/operations/destinations/destinations.ts';
import { replayDelivery } from '../../../src/operations/webhooks/kept-webhook.ts';
import { type KeptAct, readActs } from '../../../src/platform/audit-log/audit-log.ts';
import { BY } from '../../support/samples/by.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import { HOST, known, moved, notOurs } from '../../support/worlds/copied-site.ts';
import type { World } from '../../support/worlds/world.ts';

const compress = promisify(zstdCompress);
const world = useClearedWorlds();

/** The oldest first; without those of the world itself. */
async function acts({ bridge }: World): Promise<KeptAct[]> {
  return (await readActs(bridge.pool, BRIDGE_AUDIT_LOG, { limit: 100 })).reverse().filter(({ who }) => who === BY);
}

test('whose a host is leaves what was known before, and repeating it leaves nothing', async () => {
  await using it = await world();
  const connected = await known(it);

  await moved(it.bridge, connected, HOST);
  await moved(it.bridge, connected, HOST);
  await notOurs(it.bridge, connected, HOST);

  expect(await acts(it)).toMatchObject([
    { act: 'host.judged', connectionId: connected.connection.id, subject: HOST, before: null, after: 'ours' },
    { act: 'host.judged', subject: HOST, before: 'ours', after: 'not-ours' },
  ]);
});

test('a replay is written before the queue has the webhook, and one that can’t be read is not', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();
  const { core } = it.bridge.app;
  const kept = async (content: object) => {
    const id = randomUUID();
    const body = (await compress(JSON.stringify(content))).toString('base64');
    const of = { id, connectionId: connection.id, arrivedAt: new Date().toISOString(), topic: '', platformDeliveryId: null, store: null };
    const delivery = { ...of, body, normalized: { kind: 'ignored', why: '' } as const };
    await noteDelivery(it.bridge.pool, { delivery, outcome: 'review', code: 'payload.unreadable', detail: '' });
    return id;
  };
  const addDeliveries = () => Promise.reject(new Error('the queue is down'));
  const id = await kept({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order: orderOf('1') } });
  const broken = await kept({ type: 'order.paid', timestamp: new Date().toISOString(), data: { order: { id: '2' } } });

  await expect(replayDelivery({ ...core, addDeliveries, by: BY }, id)).rejects.toThrow('the queue is down');
  await expect(replayDelivery({ ...core, addDeliveries, by: BY }, broken)).rejects.toMatchObject({ kind: 'conflict' });

  expect(await acts(it)).toMatchObject([{ act: 'delivery.replayed', connectionId: connection.id, subject: id }]);
});

test('that a queue is resumed is written first; one that was not paused leaves nothing', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const queue = (name: string, isPaused: boolean) => ({
    name,
    getJobCounts: async () => ({}),
    isPaused: async () => isPaused,
    resume: () => Promise.reject(new Error('the queue is down')),
  });

  expect(await resumeQueue({ pool, queues: [queue('deliveries', false)], by: BY }, 'deliveries')).toBe(false);
  expect(await acts(it)).toEqual([]);
  await expect(resumeQueue({ pool, queues: [queue('submissions', true)], by: BY }, 'submissions')).rejects.toThrow('the queue is down');

  expect(await acts(it)).toMatchObject([{ act: 'queue.resumed', subject: 'submissions' }]);
});
