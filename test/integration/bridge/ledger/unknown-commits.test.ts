import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LEDGER_SCHEMA } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/orders/due-orders.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import type { Pool } from '../../../../src/platform/postgres/postgres.ts';
import { createSealedPool } from '../../../support/keys/sealed-pool.ts';
import { attemptsOf, BEGUN, begunOf, ordersOf, WAITS } from '../../../support/ledger/begun-orders.ts';
import { createOf, paidOrder } from '../../../support/ledger/recorded-order.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';
import { type LosingProxy, losingProxy } from '../../../support/servers/losing-proxy.ts';

const it = useLedger({ max: 4 });
const PAGE = { size: 50, not: [], notOf: [], notTo: [], served: {}, roundRobin: false };
const COMMIT = 'commit';

let proxy: LosingProxy;
let pool: Pool;

beforeEach(async () => {
  proxy = await losingProxy(it.url);
  pool = createSealedPool({ url: proxy.url, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
});
afterEach(async () => {
  await pool.end();
  await proxy[Symbol.asyncDispose]();
  await it.pool.query('update orders set recorded_revision = revision');
});

const orders = () => ordersOf(it.pool, it.store);
const dueOf = (leaseMs = 60_000) => createDueLedger(pool, { leaseMs, plan: async (claim: Claim) => begunOf(claim, it.store) });

async function claimed(): Promise<Claim> {
  const [order] = (await recordOrders(it.pool, [paidOrder(it.store, '1')])).orders;
  const claim = await createClaimStore(pool, { leaseMs: 60_000 }).claim(order?.id ?? 0);
  if ('kind' in claim) throw new Error('it was not claimed');
  return claim;
}

describe('the connection breaks when the transaction is committed, and the step is begun all the same:', () => {
  test('of an order that was recorded with it', async () => {
    proxy.lose(COMMIT);

    const { orders: recorded } = await recordOrders(pool, [paidOrder(it.store, '1')], attemptsOf(it.store));

    expect([proxy.lost, recorded.map(({ claimed: of }) => of?.begun?.action.step.seq)]).toEqual([1, [1]]);
    expect(await orders()).toEqual([{ orderId: '1', ...BEGUN }]);
  });

  test('of orders of a page', async () => {
    await recordOrders(it.pool, [paidOrder(it.store, '1')]);
    proxy.lose(COMMIT);

    const page = await dueOf().claim(PAGE);

    expect([proxy.lost, page.orders.map(({ claim, begun }) => [claim.fence, begun?.action.step.seq])]).toEqual([1, [[1, 1]]]);
    expect(await orders()).toEqual([{ orderId: '1', ...BEGUN }]);
  });

  test('unless half of the lease is over: then it waits for the end of the lease, as after the death of a worker', async () => {
    await recordOrders(it.pool, [paidOrder(it.store, '1')]);
    proxy.lose(COMMIT);

    expect((await dueOf(0).claim(PAGE)).orders.map(({ claim: { openStep }, begun }) => [openStep?.uncertain, begun])).toEqual([[true, null]]);
  });

  test('of an attempt', async () => {
    const claim = await claimed();
    const step = createOf(claim, it.store);
    proxy.lose(step.idempotencyKey);

    expect(await createClaimStore(pool, { leaseMs: 60_000 }).begin({ claim, step })).toMatchObject({ isKnown: true });

    expect(proxy.lost).toBe(1);
    expect(await orders()).toEqual([{ orderId: '1', ...BEGUN }]);
  });
});

describe('an attempt does not send what it can’t know to be its own:', () => {
  test('a step that was open before may have been sent by another', async () => {
    const claim = await claimed();
    const step = createOf(claim, it.store);
    const ledger = createClaimStore(pool, { leaseMs: 60_000 });
    await ledger.begin({ claim, step });
    proxy.lose(step.idempotencyKey);

    await expect(ledger.begin({ claim: { ...claim, openStep: { ...step, uncertain: true } }, step })).rejects.toThrow();
    expect(proxy.lost).toBe(1);
  });

  test('a statement that was not carried out', async () => {
    const claim = await claimed();
    await it.pool.query(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
      create trigger refuse before insert on steps for each row execute function refuse()`);

    await expect(createClaimStore(pool, { leaseMs: 60_000 }).begin({ claim, step: createOf(claim, it.store) })).rejects.toThrow('refused');

    await it.pool.query('drop function refuse() cascade');
    expect(await orders()).toEqual([{ ...WAITS, orderId: '1', fence: 1, leased: true }]);
  });
});
