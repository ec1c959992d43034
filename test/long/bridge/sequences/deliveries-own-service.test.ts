import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { addDays, monthOf, sofiaDay } from '../../../../src/service/law/calendar.ts';
import { type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { callerOf } from '../../../support/worlds/compliance-caller.ts';
import { ownShop } from '../../../support/worlds/own-service.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const NOW = new Date();
const AT = NOW.toISOString();
/** The month of the delivery: that of today, which is always open. */
const MONTH = monthOf(sofiaDay(AT));
/** Placed in the month before, whether or not that is open. */
const PLACED = `${addDays(`${MONTH}-01`, -1)}T10:00:00Z`;

const atServiceRow = rowsOf(
  'compliance.orders',
  z.object({ orders: z.int(), deliveredAt: z.string().nullable(), month: z.string().nullable(), outboxJobs: z.int() }),
);
const AT_SERVICE = `select count(*)::int as orders, max(delivered_at) as "deliveredAt", to_char(max(month), 'YYYY-MM') as month,
  (select count(*)::int from jobs where kind in ('forget-buyer', 'delivered')) as "outboxJobs" from compliance.orders`;

const atService = ({ bridge }: World) => readOne(bridge.pool, atServiceRow, { text: AT_SERVICE });
const open = () => world({ embeddedService: true, config: { sweepSeconds: 0.2, complianceFaults: true } });
const placed = (changes: object = {}) => orderOf('1', { createdAt: PLACED, updatedAt: PLACED, paidAt: PLACED, ...changes });
const delivered = (changes: object = {}) => placed({ updatedAt: AT, deliveredAt: AT, ...changes });

async function connect(it: World): Promise<Connected> {
  const { shopId } = await ownShop(it);
  return it.bridge.connect({ settings: { monthBy: 'delivery' }, shopId });
}

async function told(it: World): Promise<void> {
  await until(
    async () => {
      const { deliveredAt, outboxJobs } = await atService(it);
      if (deliveredAt !== AT || outboxJobs > 0) throw new Error(JSON.stringify({ deliveredAt, outboxJobs }));
      return true;
    },
    { what: 'our own service to know of the delivery' },
  );
}

test('our own service lists an order in the month of its delivery, and its replacement, too', async () => {
  await using it = await open();
  const connected = await connect(it);
  await it.bridge.send(connected, 'order.paid', { order: placed() });
  const first = await it.bridge.settled(connected, '1', 'recorded');
  expect(await atService(it)).toMatchObject({ orders: 1, deliveredAt: null });

  await it.bridge.send(connected, 'order.updated', { order: delivered() });
  await told(it);
  expect(await atService(it)).toEqual({ orders: 1, deliveredAt: AT, month: MONTH, outboxJobs: 0 });
  expect((await it.bridge.settled(connected, '1', 'recorded')).complianceId).toBe(first.complianceId);

  const lines = [{ id: 'a', name: 'Тениска', quantity: 1, amount: '30.00', vatRate: '20' }];
  await it.bridge.send(connected, 'order.updated', { order: delivered({ updatedAt: new Date(NOW.getTime() + 1_000).toISOString(), total: '30.00', lines }) });
  await until(async () => (await it.bridge.order(connected, '1'))?.complianceId !== first.complianceId, { what: 'the replacement' });
  await it.bridge.settled(connected, '1', 'recorded');
  await told(it);
  expect(await atService(it)).toEqual({ orders: 1, deliveredAt: AT, month: MONTH, outboxJobs: 0 });
});

test.each([
  ['is down for a while', { on: 'read', do: 'status', status: 503, times: 2 }],
  ['loses its reply', { on: 'read', do: 'lose-reply' }],
])('our own service is told of a delivery although it %s', async (_what, fault) => {
  await using it = await open();
  const connected = await connect(it);
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${it.bridge.app.url}/faults`, { method: 'PUT', body: JSON.stringify({ faults: [fault] }), headers })).ok).toBe(true);

  await it.bridge.send(connected, 'order.paid', { order: delivered() });

  await told(it);
  expect(await atService(it)).toMatchObject({ orders: 1, month: MONTH });
});

test('an order that is deleted before its delivery is told is no trouble', async () => {
  await using it = await open();
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ settings: { monthBy: 'delivery' }, shopId });
  await it.bridge.send(connected, 'order.paid', { order: placed() });
  const { complianceId } = await it.bridge.settled(connected, '1', 'recorded');
  const embedded = await it.bridge.app.core.destinations.find(await it.bridge.embeddedDestinationId());
  if (embedded === null) throw new Error('there is no embedded service');
  await callerOf(it.bridge.app.url, embedded.credentials)('DELETE', `/order/${complianceId}`);

  await it.bridge.send(connected, 'order.updated', { order: delivered() });

  await until(async () => (await it.bridge.pool.query(`select from deliveries where outcome = 'merged'`)).rowCount === 2, {
    what: 'the delivery to be read',
  });
  await until(async () => (await atService(it)).outboxJobs === 0, { what: 'the outbox job to be over' });
  expect((await it.bridge.app.healthReader.now()).failedChecks.map(({ code }) => code)).not.toContain('deliveries.not-reported');
});
