import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openRecordAccess } from '../../../src/app/record-access.ts';
import { confirmOrder, lookForRecord } from '../../../src/operations/orders/confirm-order.ts';
import { findOrders } from '../../../src/operations/orders/find-orders.ts';
import { everyOrder, type OrderFilter, ordersWanted, understood } from '../../../src/operations/orders/orders-wanted.ts';
import { BY } from '../../support/samples/by.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

/** The numbers of each page of a list; the way back shows the same pages. */
async function pages({ bridge }: World, query: Partial<OrderFilter>, size: number): Promise<string[][]> {
  const { pool } = bridge;
  const connections = await bridge.app.core.connections.list();
  const wanted = await ordersWanted({ pool, connections, isAll: true, now: new Date() }, understood({ ...everyOrder, ...query }));
  const pageAt = async (at: { after: string; before?: string }) => {
    const { orders, next, previous } = await findOrders({ pool, connections }, wanted, { ...at, size });
    return { ids: orders.map(({ orderId }) => orderId), next, previous };
  };
  const all = [await pageAt({ after: '' })];
  for (let next = all[0]?.next ?? null; next !== null; next = all.at(-1)?.next ?? null) all.push(await pageAt({ after: next }));
  const back = all.slice(-1);
  for (let before = back[0]?.previous ?? null; before !== null; before = back[0]?.previous ?? null) back.unshift(await pageAt({ after: '', before }));
  expect(back).toEqual(all);
  return all.map(({ ids }) => ids);
}

test('pages follow each other without a gap or a repeat, whatever is wanted', async () => {
  await using it = await world();
  const [a, b] = [await it.bridge.connect({ name: 'a' }), await it.bridge.connect({ name: 'b' })];
  const paid = (day: number) => ({ paidAt: `2026-10-0${day}T10:00:00Z`, createdAt: `2026-10-0${day}T10:00:00Z` });
  const orders = [
    [a, '1', paid(3)],
    [b, '2', paid(3)],
    [a, '3', paid(1)],
    [b, '4', { ...paid(2), payment: { method: 'shells' } }],
    [a, '5', { ...paid(4), payment: { method: 'shells' } }],
  ] as const;
  for (const [to, id, changes] of orders) {
    await it.bridge.send(to, 'order.paid', { order: orderOf(id, changes) });
    await it.bridge.settled(to, id, 'payment' in changes ? 'review' : 'recorded');
  }

  expect(await pages(it, {}, 2)).toEqual([['5', '4'], ['3', '2'], ['1']]);
  expect(await pages(it, { month: '2026-10' }, 2)).toEqual([['5', '2'], ['1', '4'], ['3']]);
  expect(await pages(it, { month: '2026-10', state: 'recorded' }, 1)).toEqual([['2'], ['1'], ['3']]);
  expect(await pages(it, { month: '2026-10', code: 'payment.unmapped' }, 1)).toEqual([['5'], ['4']]);
  expect(await pages(it, { code: 'payment.unmapped' }, 1)).toEqual([['5'], ['4']]);
  expect(await pages(it, { store: 'a' }, 2)).toEqual([['5', '3'], ['1']]);
  expect(await pages(it, { store: 'b', state: 'review' }, 2)).toEqual([['4']]);
  expect(await pages(it, { from: '2026-10-02', to: '2026-10-03' }, 5)).toEqual([['2', '1', '4']]);
  // Amounts are found a little later.
  await until(async () => expect(await pages(it, { q: '48,00', state: 'review' }, 1)).toEqual([['5'], ['4']]), { what: 'amounts to be found' });
  expect(await pages(it, { month: '2026-13', state: 'nonsense', from: 'x', code: "'" }, 5)).toEqual([['5', '4', '3', '2', '1']]);
});

/** Two orders, as if the replies of both creates had been lost, and that of the second had recorded nothing. */
async function inDoubt(it: World) {
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  for (const id of ['1', '2', '3']) {
    await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
    await it.bridge.settled(connected, id, 'recorded');
  }
  const idOf = async (id: string) => (await it.bridge.order(connected, id))?.complianceId ?? '';
  const ids = { first: await idOf('1'), third: await idOf('3') };
  await it.bridge.pool.query(`update orders o set state = 'unconfirmed', compliance_id = null, record = null, record_destination = null, recorded_revision = 0, review_revision = 1,
    open_step = jsonb_build_object('kind', 'create', 'seq', s.seq, 'uncertain', true, 'receipt', false, 'destinationId', s.destination_id, 'idempotencyKey', 'k',
      'record', s.record || case when o.order_id = '2' then '{"internalId": "2b"}' else '{}' end::jsonb) from steps s where s.order_ref = o.id and o.order_id <> '3'`);
  return { connected, ids };
}

test('the record of an unconfirmed order is looked for where the service lists its records', async () => {
  await using it = await world({ embeddedService: true });
  const { ids } = await inDoubt(it);
  await using access = await openRecordAccess(it.bridge.app.core);
  const look = (named: string) => lookForRecord({ ...access, pool: it.bridge.pool }, named);

  expect(await look('1')).toEqual({ is: 'found', id: ids.first });
  expect(await look('2')).toEqual({ is: 'none' });
});

test('a wrong word about an unconfirmed order is refused where the service shows its records', async () => {
  await using it = await world({ embeddedService: true });
  const { connected, ids } = await inDoubt(it);
  await using access = await openRecordAccess(it.bridge.app.core);
  const confirm = (named: string, recorded: string | null) =>
    confirmOrder({ ...access, pool: it.bridge.pool, notify: () => undefined }, { named, recorded, by: BY });

  await expect(confirm('1', null)).rejects.toMatchObject({ kind: 'conflict', message: expect.stringContaining(`confirm 1 --recorded ${ids.first}`) });
  await expect(confirm('1', randomUUID())).rejects.toMatchObject({ kind: 'conflict', what: expect.stringContaining('no record with this id') });
  await expect(confirm('1', ids.third)).rejects.toMatchObject({ kind: 'conflict', what: expect.stringContaining('it is the record of the order #3') });
  await expect(confirm('2', ids.first)).rejects.toMatchObject({ kind: 'conflict', what: expect.stringContaining('it is the record of the order 1') });
  expect((await it.bridge.order(connected, '1'))?.state).toBe('unconfirmed');

  await confirm('1', ids.first);
  await confirm('2', null);

  expect((await it.bridge.settled(connected, '1', 'recorded')).complianceId).toBe(ids.first);
  expect((await it.bridge.order(connected, '2'))?.state).not.toBe('unconfirmed');
});
