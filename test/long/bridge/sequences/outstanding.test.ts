import { expect, test } from 'vitest';
import { z } from 'zod';
import { changeSettings } from '../../../../src/operations/connections/change-settings.ts';
import { readOne, readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { readMonthSummary } from '../../../../src/service/audit/month/read-summary.ts';
import type { MonthSummary } from '../../../../src/service/audit/summary/month-summary.ts';
import { monthOf, sofiaDay } from '../../../../src/service/law/calendar.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { ownShop } from '../../../support/worlds/own-service.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

/** Shops are looked at every 200 ms. */
const OFTEN = { reconcileSeconds: 1 };

/** Paid today with a method that the settings do not know, unless said otherwise. */
function paidToday(id: string, method = 'odd'): Record<string, unknown> {
  const now = new Date().toISOString();
  return orderOf(id, { createdAt: now, updatedAt: now, paidAt: now, payment: { method, transactionId: 'pi_1' } });
}

async function monthPage({ bridge }: World, shopId: string): Promise<MonthSummary> {
  const now = () => new Date();
  const summary = await readMonthSummary(
    { pool: bridge.pool, now, currency: null, replacementWaitMs: 0 },
    { shopId, month: monthOf(sofiaDay(now().toISOString())) },
  );
  if (summary === null) throw new Error('there is no shop');
  return summary;
}

async function outstandingIs(it: World, shopId: string, expected: object | undefined): Promise<void> {
  await until(async () => expect((await monthPage(it, shopId)).outstanding).toEqual(expected), { what: 'the page of the month to say what is outstanding' });
}

test('an order that waits for a person is on the page of its month until it is recorded', async () => {
  await using it = await world({ embeddedService: true, config: OFTEN });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  await it.bridge.send(connected, 'order.paid', { order: paidToday('1') });
  await it.bridge.send(connected, 'order.paid', { order: paidToday('2') });
  await it.bridge.send(connected, 'order.paid', { order: paidToday('3', 'stripe') });
  await it.bridge.settled(connected, '3', 'recorded');

  const totals = [{ currency: 'EUR', total: '96.00' }];
  await outstandingIs(it, shopId, { at: expect.any(String), orders: 2, totals, oldest: expect.any(String), codes: [{ code: 'payment.unmapped', orders: 2 }] });

  const { connection } = connected;
  const payments = { ...connection.settings.payments, odd: { paymentType: 'BANK_TRANSFER' as const } };
  // The sweeper wakes what is decided again.
  const deps = { ...it.bridge.app.core, notify: () => undefined };
  await changeSettings(deps, { id: connection.id, by: 'test', settings: { ...connection.settings, payments } });
  await it.bridge.settled(connected, '2', 'recorded');
  await it.bridge.settled(connected, '1', 'recorded');

  await outstandingIs(it, shopId, undefined);
  // Not by chance: the empty list was told.
  const kept = rowsOf('compliance.outstanding', z.object({ months: z.array(z.unknown()) }));
  expect(await readOne(it.bridge.pool, kept, { text: 'select months from compliance.outstanding' })).toEqual({ months: [] });
});

test('unpaid, free and test orders are not outstanding, nor is a record whose change waits for a person', async () => {
  await using it = await world({ embeddedService: true, config: OFTEN });
  const { shopId } = await ownShop(it);
  const connected = await it.bridge.connect({ shopId });
  await it.bridge.send(connected, 'order.paid', { order: paidToday('1', 'stripe') });
  await it.bridge.settled(connected, '1', 'recorded');
  const later = new Date(Date.now() + 60_000).toISOString();
  await it.bridge.send(connected, 'order.updated', { order: { ...paidToday('1', 'stripe'), updatedAt: later, status: 'cancelled' } });
  await it.bridge.settled(connected, '1', 'review');
  await it.bridge.send(connected, 'order.created', { order: { ...paidToday('2'), status: 'pending', paidAt: null } });
  await it.bridge.send(connected, 'order.paid', { order: { ...paidToday('3'), test: true } });
  await it.bridge.send(connected, 'order.paid', { order: paidToday('4') });

  await outstandingIs(it, shopId, expect.objectContaining({ orders: 1 }));
});

test('a service without a place for it is left in peace for a day', async () => {
  await using it = await world({ config: OFTEN });
  const connected = await it.bridge.connect();
  await it.bridge.send(connected, 'order.paid', { order: paidToday('1') });
  await it.bridge.settled(connected, '1', 'review');

  const row = rowsOf('outstanding_reports', z.object({ error: z.string(), hours: z.number(), at: z.null() }));
  const text = `select r.error, extract(epoch from j.due_at - now())::float8 / 3600 as hours, r.at from outstanding_reports r
    join jobs j on j.kind = 'outstanding' and j.key = r.shop_id::text and j.lease is null where r.error is not null`;
  const [kept] = await until(
    async () => {
      const rows = await readRows(it.bridge.pool, row, { text });
      expect(rows).toHaveLength(1);
      return rows;
    },
    { what: 'the service to be tried' },
  );

  expect(kept?.error).toContain('404');
  expect(kept?.hours).toBeGreaterThan(23.9);
});
