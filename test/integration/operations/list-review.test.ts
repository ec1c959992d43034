import { expect, test } from 'vitest';
import { listReview } from '../../../src/operations/orders/list-review.ts';
import { longTest } from '../../support/long-test.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { useClearedWorlds } from '../../support/worlds/cleared-world.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useClearedWorlds();
const ON = '2026-11-22T10:00:00Z';

function review({ bridge }: World, now = ON) {
  return listReview({ ...bridge.app.core, now: () => new Date(now) });
}

async function sendToReview({ bridge }: World, connected: Connected, { id, ...changes }: { id: string } & Record<string, unknown>): Promise<void> {
  await bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: 'shells' }, ...changes }) });
  await bridge.settled(connected, id, 'review');
}

test('orders are counted by reason and store, with sums, the first, and the month that would miss them', async () => {
  await using it = await world();
  const [first, second] = [await it.bridge.connect(), await it.bridge.connect()];
  await sendToReview(it, first, { id: '1' });
  await sendToReview(it, first, { id: '2', createdAt: '2026-10-31T22:30:00Z', currency: 'USD' });
  await sendToReview(it, second, { id: '3' });
  await sendToReview(it, second, { id: '4', payment: { method: 'stripe' }, lines: [{ id: 'a', name: 'Книга', quantity: 2, amount: '48.00', vatRate: '13' }] });

  const { reasons } = await review(it);

  const month = { month: '2026-11', due: '2026-12-15' };
  expect(reasons).toMatchObject([
    {
      ...{ code: 'payment.unmapped', orders: 3, total: '96.00 EUR + 48.00 USD', todo: expect.stringContaining('payments') },
      stores: [
        { connectionId: first.connection.id, orders: 2, total: '48.00 EUR + 48.00 USD', oldest: '2026-10-31T22:30:00.000Z', month },
        { connectionId: second.connection.id, orders: 1, total: '48.00 EUR', oldest: '2026-11-01T10:00:00.000Z', month },
      ],
    },
    { code: 'vat.unmapped', orders: 1, stores: [{ examples: [{ orderId: '4', number: '#4', detail: 'The VAT rate 13 % has no group.' }] }] },
  ]);
});

test('an order of a month whose term is over would be missed by the first one that is not', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendToReview(it, connected, { id: '1', createdAt: '2026-11-02T10:00:00Z' });

  const monthOn = async (now: string) => (await review(it, now)).reasons[0]?.stores[0]?.month;

  expect(await monthOn('2026-12-15T10:00:00Z')).toEqual({ month: '2026-11', due: '2026-12-15' });
  expect(await monthOn('2026-12-16T10:00:00Z')).toEqual({ month: '2026-12', due: '2027-01-15' });
});

longTest('ten thousand orders are one group with three of them, and an amount that is none hides nothing', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  await sendToReview(it, connected, { id: '1' });
  await it.bridge.pool.query(`with copies as (
      insert into orders (shop_id, platform, store, order_id, connection_id, number, total, currency, revision, review_revision, state, review_code, review_detail)
      select shop_id, platform, store, 'copy ' || n, connection_id, number, case when n <> 7 then total end, currency, revision, review_revision, state, review_code, review_detail
      from orders, generate_series(1, 9999) n returning id)
    insert into order_facts select copies.id, facts from copies, order_facts`);

  const { reasons } = await review(it);

  expect(reasons).toMatchObject([{ orders: 10_000, total: '479952.00 EUR', stores: [{ orders: 10_000, examples: [{}, {}, {}] }] }]);
  expect(reasons[0]?.stores[0]?.examples).toHaveLength(3);
});
