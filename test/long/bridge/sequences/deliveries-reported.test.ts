import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../../../src/bridge/connections/connection-settings.ts';
import { type Bridge, type Connected, orderOf } from '../../../support/worlds/bridge.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { edited, later, recorded, type World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
const byDelivery: SettingsInput = { monthBy: 'delivery' };
const AT = '2026-11-05T09:00:00.000Z';
const LATER_ON = '2026-12-02T09:00:00.000Z';

const open = () => world({ extensions: true, config: { sweepSeconds: 0.2 } });
const delivered = (id: string, minute: number, at = AT) => orderOf(id, { updatedAt: later(minute), deliveredAt: at });
const outboxJobs = async ({ pool }: Bridge) => (await pool.query(`select from jobs where kind in ('forget-buyer', 'delivered')`)).rowCount;

async function told({ service }: World, count: number): Promise<string[]> {
  await until(() => service.told.length >= count, { what: `${count} deliveries to be told` });
  return service.told;
}

async function current({ bridge }: World, connected: Connected, id: string): Promise<string> {
  return String((await bridge.settled(connected, id, 'recorded')).complianceId);
}

describe('where the month goes by delivery', () => {
  test('a delivery is told once, and again when the store corrects it; the record stays', async () => {
    await using it = await open();
    const connected = await it.bridge.connect({ settings: byDelivery });
    await recorded(it, connected, '1');
    const id = await current(it, connected, '1');

    await it.bridge.send(connected, 'order.updated', { order: delivered('1', 1) });
    await told(it, 1);
    await it.bridge.send(connected, 'order.updated', { order: delivered('1', 2) });
    await it.bridge.send(connected, 'order.updated', { order: delivered('1', 3, LATER_ON) });

    expect(await told(it, 2)).toEqual([`delivered ${id} {"at":"${AT}"}`, `delivered ${id} {"at":"${LATER_ON}"}`]);
    expect(it.service.requests('DELETE')).toEqual([]);
    await until(async () => (await outboxJobs(it.bridge)) === 0, { what: 'the outbox jobs to be done' });
  });

  test('what was delivered before it is recorded is told after that', async () => {
    await using it = await open();
    const connected = await it.bridge.connect({ settings: byDelivery });
    it.service.next('create', { status: 503, headers: { 'retry-after': '1' } });

    await it.bridge.send(connected, 'order.updated', { order: delivered('1', 0) });

    const id = await current(it, connected, '1');
    expect(await told(it, 1)).toEqual([`delivered ${id} {"at":"${AT}"}`]);
  });

  test('the replacement of a record is told of it, too', async () => {
    await using it = await open();
    const connected = await it.bridge.connect({ settings: byDelivery });
    await it.bridge.send(connected, 'order.updated', { order: delivered('1', 0) });
    const first = await current(it, connected, '1');
    await told(it, 1);

    await it.bridge.send(connected, 'order.updated', { order: { ...edited('1', 1, '30.00'), deliveredAt: AT } });

    await until(async () => (await it.bridge.order(connected, '1'))?.complianceId !== first, { what: 'the replacement' });
    const second = await current(it, connected, '1');
    expect(await told(it, 2)).toEqual([`delivered ${first} {"at":"${AT}"}`, `delivered ${second} {"at":"${AT}"}`]);
  });

  test('from when the setting is turned on, what was delivered lately is told, too', async () => {
    await using it = await open();
    const connected = await it.bridge.connect();
    await it.bridge.send(connected, 'order.updated', { order: delivered('1', 0) });
    const id = await current(it, connected, '1');
    expect([it.service.told, await outboxJobs(it.bridge)]).toEqual([[], 0]);

    await it.bridge.app.core.connections.changeSettings(connected.connection.id, { by: 'cli:a@b', edit: ({ settings }) => ({ ...settings, ...byDelivery }) });

    expect(await told(it, 1)).toEqual([`delivered ${id} {"at":"${AT}"}`]);
  });
});

test('where the month goes by the order, none is told', async () => {
  await using it = await open();
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.updated', { order: delivered('1', 0) });
  await current(it, connected, '1');
  expect([it.service.told, await outboxJobs(it.bridge)]).toEqual([[], 0]);
});

test('a service that takes no deliveries is not called, and the health status says so', async () => {
  await using it = await world({ config: { sweepSeconds: 0.2 } });
  const connected = await it.bridge.connect({ settings: byDelivery });
  await it.bridge.send(connected, 'order.updated', { order: delivered('1', 0) });
  await current(it, connected, '1');
  const unsupported = `select from jobs where due_at is null`;
  await until(async () => (await it.bridge.pool.query(unsupported)).rowCount === 1, { what: 'the outbox job to rest' });
  expect((await it.bridge.app.healthReader.now()).failedChecks).toContainEqual(
    expect.objectContaining({ code: 'deliveries.not-reported', count: 1, words: expect.stringContaining('COMPLIANCE_DELIVERED') }),
  );
});
