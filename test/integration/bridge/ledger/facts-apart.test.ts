import { expect, test } from 'vitest';
import { z } from 'zod';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { type Claim, isPending } from '../../../../src/bridge/order/decisions/claim.ts';
import type { CreateStep } from '../../../../src/bridge/order/decisions/step.ts';
import type { OrderNews } from '../../../../src/bridge/order/facts/facts.ts';
import { factsOf } from '../../../../src/bridge/order/facts/merge.ts';
import { type Pool, reserveConnection } from '../../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { sealedAs } from '../../../support/keys/sealed-pool.ts';
import { at, transaction } from '../../../support/samples/order-facts.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { coat, kept, store } from '../../../support/worlds/two-of-one-id.ts';

const world = useSharedWorlds();
const LEASE = { leaseMs: 30_000 };
/** A delivery is inserted once the test has given up its lock: until then its recorder has the order. */
const SLOW = `create function wait() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock_shared(4711); return new; end $$;
  create trigger wait before insert on deliveries for each row execute function wait()`;
const stands = (pool: Pool, at: 'advisory' | 'transactionid' | 'tuple') =>
  until(async () => (await pool.query(`select from pg_stat_activity where datname = current_database() and wait_event = $1`, [at])).rowCount === 1, {
    what: `a statement to wait for ${at}`,
  });

const paid = (id: string): OrderNews => ({ orderId: '700', transactions: [transaction({ id })] });

async function claimed(ledger: ReturnType<typeof createClaimStore>, id: number): Promise<Claim> {
  const claim = await ledger.claim(id);
  if ('kind' in claim) throw new Error(`the order ${id} was not claimed: ${claim.kind}`);
  return claim;
}

/** A pool that lets something happen before it reads what a claim took. */
function interrupted(pool: Pool, happen: () => Promise<unknown>): Pool {
  const query: Pool['query'] = async (...given) => {
    const [statement] = given;
    if (typeof statement === 'object' && 'name' in statement && statement.name === 'claimed') await happen();
    return pool.query(...given);
  };
  return sealedAs(pool, { query, connect: () => pool.connect(), end: async () => undefined });
}

test('a recorder that waited for another one merges into what that one wrote', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { connectionId, record } = await store(it.bridge);
  await record(coat());
  await pool.query(SLOW);
  using gate = await reserveConnection(pool);
  await gate.client.query('select pg_advisory_lock(4711)');

  const first = record(paid('t1'));
  await stands(pool, 'advisory');
  const second = record(paid('t2'));
  await stands(pool, 'transactionid');
  await gate.client.query('select pg_advisory_unlock(4711)');
  await Promise.all([first, second]);

  expect(Object.keys((await kept(it.bridge, connectionId, '700')).facts.transactions)).toEqual(['t1', 't2']);
});

test('what the store answered is merged into what a recorder wrote meanwhile', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { connectionId, record } = await store(it.bridge);
  const { orders } = await record(coat());
  const ledger = createClaimStore(pool, LEASE);
  const claim = await claimed(ledger, orders[0]?.id ?? 0);
  await pool.query(SLOW);
  using gate = await reserveConnection(pool);
  await gate.client.query('select pg_advisory_lock(4711)');

  const recorded = record(paid('t1'));
  await stands(pool, 'advisory');
  const fetched = ledger.mergeFetched(claim, factsOf(paid('t2'), at('11:00')));
  await stands(pool, 'transactionid');
  await gate.client.query('select pg_advisory_unlock(4711)');

  await recorded;
  expect(Object.keys((await fetched)?.facts.transactions ?? {})).toEqual(['t1', 't2']);
  expect(Object.keys((await kept(it.bridge, connectionId, '700')).facts.transactions)).toEqual(['t1', 't2']);
});

test('facts that come while an order is claimed come with their revision', async () => {
  await using it = await world({ role: 'receiver' });
  const { record } = await store(it.bridge);
  const { orders } = await record(coat());
  const news = coat({ updatedAt: at('12:00'), total: '30.00' });

  const claim = await claimed(
    createClaimStore(
      interrupted(it.bridge.pool, () => record(news)),
      LEASE,
    ),
    orders[0]?.id ?? 0,
  );

  expect(claim).toMatchObject({ revision: 2, facts: { snapshot: { total: '30.00' } } });
  expect(isPending(claim)).toBe(true);
});

test('an order that is lost before it was read is not claimed', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { record } = await store(it.bridge);
  const { orders } = await record(coat());
  const takeAway = () => pool.query('update orders set fence = fence + 1');

  expect(await createClaimStore(interrupted(pool, takeAway), LEASE).claim(orders[0]?.id ?? 0)).toMatchObject({ kind: 'leased' });
});

const keptRows = rowsOf('orders', z.object({ inStep: z.boolean().nullable(), record: z.int().nullable(), journaled: z.object({ internalId: z.string() }) }));

test('the record of a step is in the journal alone, also when it stands, and each claim reads it there', async () => {
  await using it = await world({ role: 'receiver' });
  const { pool } = it.bridge;
  const { record } = await store(it.bridge);
  const { orders } = await record(coat());
  const ledger = createClaimStore(pool, { leaseMs: 0 });
  const row = () => readOne(pool, keptRows, { text: `select open_step ? 'record' as "inStep", o.record, s.record as journaled from orders o, steps s` });
  const claim = await claimed(ledger, orders[0]?.id ?? 0);
  const { destination_id: destinationId } = await readOne(pool, rowsOf('connections', z.object({ destination_id: z.string() })), {
    text: 'select destination_id from connections',
  });
  const step: CreateStep = { ...create, destinationId };

  await ledger.begin({ claim, step });
  expect(await row()).toMatchObject({ inStep: false, record: null, journaled: { internalId: '700' } });
  const again = await claimed(ledger, claim.id);
  expect(again.openStep).toEqual({ ...step, uncertain: true });

  const end = { seq: 1, outcome: 'failed', status: null, detail: null, complianceId: null };
  await ledger.write({ claim: again, sent: step, write: { state: 'queued', step: end, openStep: { ...step, uncertain: true } } });
  expect(await row()).toMatchObject({ inStep: false });
  const last = await claimed(ledger, claim.id);
  const current = { record: step.record, complianceId: 'R-1', destinationId };
  await ledger.write({
    claim: last,
    sent: step,
    write: { state: 'recorded', step: { ...end, outcome: 'recorded', complianceId: 'R-1' }, current, openStep: null },
  });
  expect(await row()).toMatchObject({ inStep: null, record: 1, journaled: { internalId: '700' } });
  expect((await claimed(ledger, claim.id)).current).toEqual(current);
});

const create: CreateStep = {
  ...{ kind: 'create', seq: 1, idempotencyKey: 'key', destinationId: '', uncertain: false, receipt: false },
  record: {
    ...{ internalId: '700', internalNumber: '#1042', internalCreatedAt: at('10:00') },
    lineItems: [{ name: 'Coat', quantity: 1, price: '24.00', discount: '0.00', vatRate: '20', vatGroup: 'GROUP_B' }],
    ...{ paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe', transactionId: 'pi_1', currency: 'EUR', precision: 2 },
  },
};
