import { expect, test } from 'vitest';
import { openQueues } from '../../../src/app/queues.ts';
import { longTest } from '../../support/long-test.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { claimsIn, dueLedger, PAGE, pending } from '../../support/worlds/due-ledger.ts';
import { otherWorker } from '../../support/worlds/other-worker.ts';
import { until } from '../../support/worlds/settled.ts';
import { recorded, useWorlds, type World } from '../../support/worlds/world.ts';

const world = useWorlds();

async function metric({ bridge }: World, name: string): Promise<string | undefined> {
  const text = await (await fetch(`${bridge.app.url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(name));
}

test('a pause of the queue stops claims, and resuming it goes on', async () => {
  await using it = await world();
  await using queues = openQueues(it.bridge.app.core);
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');
  await queues.submissions.pause();

  for (const id of ['2', '3']) {
    await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
    await until(() => it.bridge.order(connected, id), { what: 'the order to be known' });
  }
  // Each of them has had the process look by now.
  expect((await claimsIn(it)).map(({ fence }) => fence)).toEqual([1, 0, 0]);
  await queues.submissions.resume();

  for (const id of ['2', '3']) await it.bridge.settled(connected, id, 'recorded');
  expect(it.service.living).toBe(3);
});

longTest('orders that are due are submitted while Redis is down', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1');

  await it.redis.stop();
  try {
    await pending(it, connected, { count: 5, minutes: 1 });
    await until(() => it.service.living === 6, { what: 'them to be recorded' });
  } finally {
    await it.redis.start();
  }

  expect(it.service.requests('POST')).toHaveLength(6);
});

test('orders that a dead worker had are taken over when their leases end, and counted', async () => {
  await using it = await world({ role: 'receiver' });
  const connected = await it.bridge.connect();
  await pending(it, connected, { count: 3, minutes: 1 });
  // The page of a worker that dies before it sends: claimed, the first step journaled.
  await dueLedger(it, connected, { leaseMs: 500 }).claim({ ...PAGE, size: 2 });

  await using worker = await otherWorker(it);
  await until(() => it.service.living === 3, { what: 'all to be recorded' });

  // What the dead worker began is replaced afterwards: it is not what the orders' facts ask for.
  expect((await claimsIn(it)).map(({ fence }) => fence)).toEqual([2, 2, 1]);
  const ofWorker = { ...it, bridge: worker };
  await until(async () => (await metric(ofWorker, 'orderbridge_swept_total{what="recovered"}'))?.endsWith(' 2'), { what: 'the sweeper to count them' });
});
