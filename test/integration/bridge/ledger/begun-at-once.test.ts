import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createClaimStore } from '../../../../src/bridge/ledger/claim-store.ts';
import { readClaimed, toClaim } from '../../../../src/bridge/ledger/claimed-row.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/due-store.ts';
import { LEDGER_SCHEMA } from '../../../../src/bridge/ledger/migrate-ledger.ts';
import { recordOrders } from '../../../../src/bridge/ledger/record-store.ts';
import { erase } from '../../../../src/bridge/ledger/tombstones.ts';
import { createPool, type Pool } from '../../../../src/platform/postgres/postgres.ts';
import { BEGUN, begunOf, ordersOf, visitsOf, WAITS } from '../../../support/ledger/begun-orders.ts';
import { insertStore, type LedgerStore, paidOrder } from '../../../support/ledger/recorded-order.ts';
import { at, snapshot } from '../../../support/samples/order-facts.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { cap, coat } from '../../../support/worlds/two-of-one-id.ts';

let postgres: TestPostgres;
let pool: Pool;
let store: LedgerStore;

beforeAll(async () => {
  postgres = await startPostgres('bridge');
  pool = createPool({ url: postgres.url, schema: LEDGER_SCHEMA, max: 4, onError: () => undefined });
});
afterAll(async () => {
  await pool.end();
  await postgres[Symbol.asyncDispose]();
});
beforeEach(async () => {
  store = await insertStore(pool, `c_${randomUUID().slice(0, 8)}`);
});

const orders = () => ordersOf(pool, store);
const many = (count: number) => Array.from({ length: count }, (_, n) => paidOrder(store, String(n)));

describe('a new order that is due', () => {
  test('comes back claimed, as any other claim would read it, with its first step journaled', async () => {
    const name = 'Чаша \u0000 \ud800';
    const item = paidOrder(store, '1', { snapshot: snapshot({ number: '#1', lines: [{ ...snapshot().lines[0], name } as never] }) });

    const [recorded] = (await recordOrders(pool, [item], visitsOf(store))).orders;

    expect(await orders()).toEqual([{ orderId: '1', ...BEGUN }]);
    if (recorded?.claimed == null || recorded.claimed.begun === null) throw new Error('it was not begun');
    const { claim, begun } = recorded.claimed;
    const stored = (await readClaimed(pool, [{ id: recorded.id, fence: 1 }])).readable.map(toClaim);
    expect(stored).toEqual([{ ...claim, openStep: { ...begun.move.step, uncertain: true }, stepSeq: 1 }]);
    expect(claim.facts.snapshot?.lines[0]?.name).toBe('Чаша \ufffd \ufffd');
  });

  test('is no other worker’s while its lease holds, and its answer is written by this claim', async () => {
    const [recorded] = (await recordOrders(pool, many(1), visitsOf(store))).orders;
    const { claim, begun } = recorded?.claimed ?? {};
    const step = begun?.move.step;
    if (claim === undefined || step?.kind !== 'create') throw new Error('it was not begun');
    const page = { size: 50, each: 50, not: [], notOf: [], notTo: [], served: {}, inTurn: false };
    const due = await createDueLedger(pool, { leaseMs: 60_000, plan: async () => null }).claim(page);
    const ledger = createClaimStore(pool, { leaseMs: 60_000 });
    const end = { seq: step.seq, outcome: 'recorded', status: 200, detail: null, complianceId: randomUUID() };
    const standing = { record: step.record, complianceId: end.complianceId, destinationId: store.destinationId };

    const written = await ledger.write({ claim, sent: step, write: { state: 'recorded', recordedRevision: 1, step: end, standing, openStep: null } });

    expect([due.orders.filter(({ claim: { connectionId } }) => connectionId === store.connectionId), written.owned]).toEqual([[], true]);
    expect(await orders()).toEqual([{ ...BEGUN, orderId: '0', state: 'recorded', leased: expect.any(Boolean), openStep: null }]);
  });

  test('is due again when its lease is over, with a step of unknown outcome: its sender died', async () => {
    const [recorded] = (await recordOrders(pool, many(1), visitsOf(store, { leaseMs: 0 }))).orders;
    const page = { size: 500, each: 500, not: [], notOf: [], notTo: [], served: {}, inTurn: false };

    const due = await createDueLedger(pool, { leaseMs: 60_000, plan: async () => null }).claim(page);

    const found = due.orders.filter(({ claim: { id } }) => id === recorded?.id);
    expect(found).toMatchObject([{ abandoned: true, claim: { fence: 2, openStep: { ...recorded?.claimed?.begun?.move.step, uncertain: true } } }]);
  });

  test('whose buyer is erased is claimed without him', async () => {
    const [named, early, late] = [paidOrder(store, 'named'), paidOrder(store, 'early'), paidOrder(store, 'late')];
    const until = new Date(Date.now() - 1_000).toISOString();
    early.delivery.arrivedAt = until;
    const { shopId, platform, store: name } = named.key;
    await erase(pool, { shopId, platform, store: name, orderIds: ['named'], until });
    await erase(pool, { shopId, platform, store: name, orderIds: null, until });

    const recorded = await recordOrders(pool, [named, early, late], visitsOf(store));

    const customers = recorded.orders.map(({ claimed }) => [claimed?.claim.key.orderId, claimed?.claim.facts.customer.kind]);
    expect(Object.fromEntries(customers)).toEqual({ named: 'erased', early: 'erased', late: 'known' });
  });
});

describe('is not begun, and waits in the ledger:', () => {
  const begun = async (...given: Parameters<typeof recordOrders>) =>
    (await recordOrders(...given)).orders.flatMap(({ claimed }) => claimed?.claim.key.orderId ?? []);

  test('one that is not due yet', async () => {
    const waits = { ...paidOrder(store, 'waits'), settleSeconds: 5 };
    const over = { ...paidOrder(store, 'over'), settleSeconds: 5 };
    over.delivery.arrivedAt = new Date(Date.now() - 5_001).toISOString();

    expect(await begun(pool, [waits, over], visitsOf(store))).toEqual(['over']);
    expect(await orders()).toEqual([
      { orderId: 'over', ...BEGUN },
      { orderId: 'waits', ...WAITS },
    ]);
  });

  test('more than there is room for', async () => {
    expect(await begun(pool, many(5), visitsOf(store, { size: 2 }))).toHaveLength(2);
    const fences = (await orders()).map(({ fence, steps }) => [fence, steps].join());
    expect(fences.toSorted()).toEqual(['0,0', '0,0', '0,0', '1,1', '1,1']);
  });

  test('one of a connection that has no place, one whose first step is not sure, and any while nobody may be visited', async () => {
    expect(await begun(pool, [paidOrder(store, '1')], visitsOf(store, { notOf: [store.connectionId] }))).toEqual([]);
    expect(await begun(pool, [paidOrder(store, '2')], visitsOf(store, { plan: async () => null }))).toEqual([]);
    expect(await begun(pool, [paidOrder(store, '3')], null)).toEqual([]);
    expect(await orders()).toEqual(['1', '2', '3'].map((orderId) => ({ orderId, ...WAITS })));
  });

  test('one of a connection that came on trial meanwhile, whatever its reader knew', async () => {
    const plan = async (claim: Parameters<typeof begunOf>[0]) => {
      await pool.query('update connections set trial_since = now() where id = $1', [store.connectionId]);
      return begunOf(claim, store);
    };

    expect(await begun(pool, many(1), visitsOf(store, { plan }))).toEqual([]);
    expect(await orders()).toEqual([{ orderId: '0', ...WAITS }]);
  });

  test('news of a known order', async () => {
    await recordOrders(pool, many(1));
    const news = paidOrder(store, '0', { snapshot: snapshot({ updatedAt: at('12:00'), total: '30.00' }) });

    const [recorded] = (await recordOrders(pool, [news], visitsOf(store))).orders;

    expect(recorded).toMatchObject({ raised: true, revision: 2, claimed: null });
    expect(await orders()).toEqual([{ orderId: '0', ...WAITS }]);
  });

  test.each(['together', 'apart'])('a second order under the id of another one (%s), about which a person is asked', async (how) => {
    const [first, second] = [coat(), cap()].map((news) => paidOrder(store, '700', news));
    if (first === undefined || second === undefined) throw new Error('there are two');
    const planned: string[] = [];
    const plan = async (claim: Parameters<typeof begunOf>[0]) => {
      planned.push(claim.key.orderId);
      return begunOf(claim, store);
    };

    for (const items of how === 'together' ? [[first, second]] : [[first], [second]]) await recordOrders(pool, items, visitsOf(store, { plan }));

    expect(planned).toEqual(['700']);
    expect((await orders()).map(({ orderId, state, fence, steps }) => [orderId, state, fence, steps])).toEqual([
      ['700', 'queued', 1, 1],
      ['700~2', 'parked', 0, 0],
    ]);
  });
});
