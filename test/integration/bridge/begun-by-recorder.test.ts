import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { claimsIn } from '../../support/worlds/due-ledger.ts';
import { otherWorker } from '../../support/worlds/other-worker.ts';
import { until } from '../../support/worlds/settled.ts';
import { useWorlds, type World } from '../../support/worlds/world.ts';

const world = useWorlds();

/** An answer that is held for long is waited for. */
const PATIENT = { connectMs: 5_000, headersMs: 60_000, totalMs: 60_000 };

const begunRow = rowsOf('steps', z.object({ together: z.boolean(), fence: z.int() }));

/** Whether an order and its first step were written by one transaction. */
function begun({ bridge }: World, orderId: string): Promise<{ together: boolean; fence: number }> {
  return readOne(bridge.pool, begunRow, {
    text: `select s.began_at = o.created_at as together, o.fence from orders o join steps s on s.order_ref = o.id and s.seq = 1 where o.order_id = $1`,
    values: [orderId],
  });
}

// A webhook that a busy machine can't queue in time goes to the inbox, and its order is submitted a moment later, which is right, too.
test.each([true, false])('a new order that is due is submitted from the transaction that recorded it (queue on Redis: %s)', { retry: 3 }, async (onRedis) => {
  await using it = await world({ onRedis });
  const connected = await it.bridge.connect();

  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await it.bridge.settled(connected, '1', 'recorded');

  expect(await begun(it, '1')).toEqual({ together: true, fence: 1 });
  expect(it.service.requests('POST')).toHaveLength(1);
});

test('one whose quiet time is not over is submitted by a page of its own time', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ settings: { quietSeconds: 3_600 } });

  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await until(() => it.bridge.order(connected, '1'), { what: 'the order to be known' });
  await it.bridge.pool.query('update orders set due_at = now()');
  await it.bridge.settled(connected, '1', 'recorded');

  expect(await begun(it, '1')).toEqual({ together: false, fence: 1 });
});

test('while a destination is paused none is begun at once, and none is sent', async () => {
  await using it = await world({ role: 'receiver' });
  const connected = await it.bridge.connect();
  const scope = { destinationId: connected.connection.destinationId, shopId: null, callType: 'records' } as const;
  await it.bridge.app.core.destinations.pause({ ...scope, code: 'compliance.failing', detail: '502' }, () => 60_000);
  await using _worker = await otherWorker(it);

  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await until(() => it.bridge.order(connected, '1'), { what: 'the order to be known' });

  expect(await claimsIn(it)).toMatchObject([{ fence: 0, leased: false, steps: 0 }]);
  expect(it.service.requests('POST')).toEqual([]);
});

// The look for due orders, every 500 ms, has the only place for a moment: then the first one waits, too, which is right, and nothing that this test can see.
test('while every place is taken the next one waits in the ledger', { retry: 3 }, async () => {
  await using it = await world({ config: { concurrency: 1, leaseSeconds: 60, timeouts: PATIENT } });
  const connected = await it.bridge.connect();
  it.service.holdAnswers();
  await it.bridge.send(connected, 'order.paid', { order: orderOf('1') });
  await until(() => it.service.requests('POST').length === 1, { what: 'the place to be taken' });

  await it.bridge.send(connected, 'order.paid', { order: orderOf('2') });
  await until(() => it.bridge.order(connected, '2'), { what: 'the order to be known' });
  expect((await claimsIn(it)).map(({ fence, steps }) => [fence, steps])).toEqual([
    [1, 1],
    [0, 0],
  ]);
  it.service.letGo();

  for (const id of ['1', '2']) await it.bridge.settled(connected, id, 'recorded');
  expect([await begun(it, '1'), await begun(it, '2')]).toEqual([
    { together: true, fence: 1 },
    { together: false, fence: 1 },
  ]);
});
