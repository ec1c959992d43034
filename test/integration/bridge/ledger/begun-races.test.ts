import { describe, expect, test } from 'vitest';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { reserveConnection } from '../../../../src/platform/postgres/postgres.ts';
import { attemptsOf, BEGUN, begunOf, ordersOf } from '../../../support/ledger/begun-orders.ts';
import { paidOrder } from '../../../support/ledger/recorded-order.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';
import { runs } from '../../../support/run-size.ts';
import { refund } from '../../../support/samples/order-facts.ts';
import { until } from '../../../support/worlds/settled.ts';

const it = useLedger({ max: 8 });

const orders = () => ordersOf(it.pool, it.store);
const claimedOf = ({ orders }: Awaited<ReturnType<typeof recordOrders>>) => orders.flatMap(({ claimed }) => claimed?.claim.key.orderId ?? []);
const waits = (event: 'advisory' | 'transactionid') =>
  until(async () => (await it.pool.query('select from pg_stat_activity where datname = current_database() and wait_event = $1', [event])).rowCount === 1, {
    what: `a recorder to wait for ${event}`,
  });

describe('record, plan and begin are one transaction', () => {
  test('whose failing commit leaves neither order nor claim nor step; recording again begins it', async () => {
    await it.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create constraint trigger refuse after insert on steps deferrable initially deferred for each row execute function refuse()`);
    const item = paidOrder(it.store, '1');

    await expect(recordOrders(it.pool, [item], attemptsOf(it.store))).rejects.toThrow('refused');

    expect(await orders()).toEqual([]);
    expect((await it.pool.query('select from deliveries where id = $1', [item.delivery.id])).rowCount).toBe(0);
    await it.pool.query('drop function refuse() cascade');
    expect(claimedOf(await recordOrders(it.pool, [item], attemptsOf(it.store)))).toEqual(['1']);
    expect(await orders()).toEqual([{ orderId: '1', ...BEGUN }]);
  });

  test('whose connection breaks after the plan leaves nothing either', async () => {
    const plan = async (claim: Parameters<typeof begunOf>[0]) => {
      await it.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`);
      return begunOf(claim, it.store);
    };

    await expect(recordOrders(it.pool, [paidOrder(it.store, '1')], attemptsOf(it.store, { plan }))).rejects.toThrow();

    expect(await orders()).toEqual([]);
  });
});

const ROUNDS = runs(10, 50);

describe('two recorders of one new order', () => {
  test('begin it once: anyone who was overtaken merges into it, and leaves it to the other', async () => {
    await it.pool.query(`create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
      create trigger wait before insert on deliveries for each row execute function wait()`);
    using gate = await reserveConnection(it.pool);
    await gate.client.query('select pg_advisory_lock(4711)');
    let plans = 0;
    const plan = async (claim: Parameters<typeof begunOf>[0]) => {
      plans += 1;
      return begunOf(claim, it.store);
    };

    const first = recordOrders(it.pool, [paidOrder(it.store, '1')], attemptsOf(it.store, { plan }));
    await waits('advisory');
    const second = recordOrders(it.pool, [paidOrder(it.store, '1'), paidOrder(it.store, '2')], attemptsOf(it.store, { plan }));
    await waits('transactionid');
    await gate.client.query('select pg_advisory_unlock(4711)');
    const both = await Promise.all([first, second]);
    await it.pool.query('drop function wait() cascade');

    expect(both.map(claimedOf)).toEqual([['1'], ['2']]);
    // The order `2` was planned again: its first plan was rolled back.
    expect(plans).toBe(4);
    expect(await orders()).toEqual([
      { orderId: '1', ...BEGUN },
      { orderId: '2', ...BEGUN },
    ]);
    expect((await it.pool.query('select from deliveries where connection_id = $1', [it.store.connectionId])).rowCount).toBe(3);
  });

  test(`in ${ROUNDS} rounds with four recorders each, every order is begun exactly once`, async () => {
    const begun: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = [1, 2, 3].map((n) => `${round}-${n}`);
      const batches = [ids, ids.toReversed(), ids.slice(1), ids.slice(0, 1)];
      const recorded = await Promise.all(
        batches.map((batch) =>
          recordOrders(
            it.pool,
            batch.map((id) => paidOrder(it.store, id)),
            attemptsOf(it.store),
          ),
        ),
      );
      begun.push(...recorded.flatMap(claimedOf));
    }

    expect(begun).toHaveLength(3 * ROUNDS);
    expect(new Set(begun).size).toBe(3 * ROUNDS);
    expect((await orders()).every(({ fence, steps }) => fence === 1 && steps === 1)).toBe(true);
  });
});

test('two recorders of news to one order that is known lose nothing of either', async () => {
  await recordOrders(it.pool, [paidOrder(it.store, '1')]);
  using gate = await reserveConnection(it.pool);
  await gate.client.query('begin');
  await gate.client.query('select from orders where connection_id = $1 for update', [it.store.connectionId]);
  const both = ['r1', 'r2'].map((id) => {
    const item = paidOrder(it.store, '1');
    return recordOrders(it.pool, [{ ...item, news: { orderId: '1', refunds: [refund({ id })] } }]);
  });
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until(async () => (await it.pool.query(waiting)).rowCount === 2, { what: 'both to wait for the order' });
  await gate.client.query('commit');
  await Promise.all(both);

  const merged = `select from order_facts f join orders o on o.id = f.order_ref where o.connection_id = $1 and f.facts -> 'refunds' ?& array['r1', 'r2']`;
  expect((await it.pool.query(merged, [it.store.connectionId])).rowCount).toBe(1);
});
