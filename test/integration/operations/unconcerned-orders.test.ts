import { expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { countInReview } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { changeSettings } from '../../../src/operations/connections/change-settings.ts';
import { readActs } from '../../../src/platform/audit-log/audit-log.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useWorlds } from '../../support/worlds/world.ts';

const world = useWorlds();

test('orders that new settings leave as undecided as they were are not tried, and keep nobody waiting', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const ids = Array.from({ length: 21 }, (_, i) => String(i + 1));
  for (const id of ids) await it.bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: 'econt_pay' } }) });
  await until(async () => (await countInReview(it.bridge.pool))['payment.unmapped'] === 21, { what: '21 orders to be sent to review' });
  const { core } = it.bridge.app;
  const deps = { pool: core.pool, connections: core.connections, notify: () => undefined };

  const changes = { set: ['payments.other.paymentType=POSTAL_PAYMENT'], unset: [] };
  const { again, concerned } = await changeSettings(deps, { id: connected.connection.id, by: 'test', firstTry: { waitMs: 10_000 }, changes });

  expect(again).toEqual({ released: 0 });
  expect(concerned.review).toEqual({});
  expect(await countInReview(it.bridge.pool)).toEqual({ 'payment.unmapped': 21 });
  const acts = await readActs(it.bridge.pool, BRIDGE_AUDIT_LOG, { limit: 100 });
  expect(acts.filter(({ act }) => act === 'order.released')).toEqual([]);
});
