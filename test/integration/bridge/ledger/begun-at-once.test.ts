import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readClaimed, toClaim } from '../../../../src/bridge/ledger/order-columns.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/orders/due-orders.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { erase } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { attemptsOf, BEGUN, begunOf, ordersOf, WAITS } from '../../../support/ledger/begun-orders.ts';
import { paidOrder } from '../../../support/ledger/recorded-order.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';
import { at, snapshot } from '../../../support/samples/order-facts.ts';
import { cap, coat } from '../../../support/worlds/two-of-one-id.ts';

const it = useLedger({ max: 4 });

const orders = () => ordersOf(it.pool, it.store);
const many = (count: number) => Array.from({ length: count }, (_, n) => paidOrder(it.store, String(n)));

describe('a new order that is due', () => {
  test('comes back claimed, as any other claim would read it, with its first step journaled', async () => {
    const name = 'Чаша \u0000 \ud800';
    const item = paidOrder(it.store, '1', { snapshot: snapshot({ number: '#1', lines: [{ ...snapshot().lines[0], name } as never] }) });

    const [recorded] = (await recordOrders(it.pool, [item], attemptsOf(it.store))).orders;

    expect(await orders()).toEqual([{ orderId: '1', ...BEGUN }]);
    if (recorded?.claimed == null || recorded.claimed.begun === null) throw new Error('it was not begun');
    const { claim, begun } = recorded.claimed;
    const stored = (await readClaimed(it.pool, [{ id: recorded.id, fence: 1 }])).readable.map(toClaim);
    expect(stored).toEqual([{ ...claim, openStep: { ...begun.action.step, uncertain: true }, stepSeq: 1 }]);
    expect(claim.facts.snapshot?.lines[0]?.name).toBe('Чаша \ufffd \ufffd');
  });

  test('is no other worker’s while its lease holds, and its answer is written by this claim', async () => {
    const [recorded] = (await recordOrders(it.pool, many(1), attemptsOf(it.store))).orders;
    const { claim, begun } = recorded?.claimed ?? {};
    const step = begun?.action.step;
    if (claim === undefined || step?.kind !== 'create') throw new Error('it was not begun');
    const page = { size: 50, each: 50, not: [], notOf: [], notTo: [], served: {}, roundRobin: false };
    const due = await createDueLedger(it.pool, { leaseMs: 60_000, plan: async () => null }).claim(page);
    const ledger = createClaimStore(it.pool, { leaseMs: 60_000 });
    const end = { seq: step.seq, outcome: 'recorded', status: 200, detail: null, complianceId: randomUUID() };
    const current = { record: step.record, complianceId: end.complianceId, destinationId: it.store.destinationId };

    const written = await ledger.write({ claim, sent: step, write: { state: 'recorded', recordedRevision: 1, step: end, current, openStep: null } });

    expect([due.orders.filter(({ claim: { connectionId } }) => connectionId === it.store.connectionId), written.owned]).toEqual([[], true]);
    expect(await orders()).toEqual([{ ...BEGUN, orderId: '0', state: 'recorded', leased: expect.any(Boolean), openStep: null }]);
  });

  test('is due again when its lease is over, with a step of unknown outcome: its sender died', async () => {
    const [recorded] = (await recordOrders(it.pool, many(1), attemptsOf(it.store, { leaseMs: 0 }))).orders;
    const page = { size: 500, each: 500, not: [], notOf: [], notTo: [], served: {}, roundRobin: false };

    const due = await createDueLedger(it.pool, { leaseMs: 60_000, plan: async () => null }).claim(page);

    const found = due.orders.filter(({ claim: { id } }) => id === recorded?.id);
    expect(found).toMatchObject([{ abandoned: true, claim: { fence: 2, openStep: { ...recorded?.claimed?.begun?.action.step, uncertain: true } } }]);
  });

  test('whose buyer is erased is claimed without them', async () => {
    const [named, early, late] = [paidOrder(it.store, 'named'), paidOrder(it.store, 'early'), paidOrder(it.store, 'late')];
    const until = new Date(Date.now() - 1_000).toISOString();
    early.delivery.arrivedAt = until;
    const { shopId, platform, store: name } = named.key;
    await erase(it.pool, { shopId, platform, store: name, orderIds: ['named'], until });
    await erase(it.pool, { shopId, platform, store: name, orderIds: null, until });

    const recorded = await recordOrders(it.pool, [named, early, late], attemptsOf(it.store));

    const customers = recorded.orders.map(({ claimed }) => [claimed?.claim.key.orderId, claimed?.claim.facts.customer.kind]);
    expect(Object.fromEntries(customers)).toEqual({ named: 'erased', early: 'erased', late: 'known' });
  });
});

describe('is not begun, and waits in the ledger:', () => {
  const begun = async (...given: Parameters<typeof recordOrders>) =>
    (await recordOrders(...given)).orders.flatMap(({ claimed }) => claimed?.claim.key.orderId ?? []);

  test('one that is not due yet', async () => {
    const waits = { ...paidOrder(it.store, 'waits'), quietSeconds: 3_600 };
    const over = { ...paidOrder(it.store, 'over'), quietSeconds: 3_600 };
    over.delivery.arrivedAt = new Date(Date.now() - 3_600_001).toISOString();

    expect(await begun(it.pool, [waits, over], attemptsOf(it.store))).toEqual(['over']);
    expect(await orders()).toEqual([
      { orderId: 'over', ...BEGUN },
      { orderId: 'waits', ...WAITS },
    ]);
  });

  test('more than there is room for', async () => {
    expect(await begun(it.pool, many(5), attemptsOf(it.store, { size: 2 }))).toHaveLength(2);
    const fences = (await orders()).map(({ fence, steps }) => [fence, steps].join());
    expect(fences.toSorted()).toEqual(['0,0', '0,0', '0,0', '1,1', '1,1']);
  });

  test('one of a connection that has no place, one whose first step is not sure, and any while nobody may be processed', async () => {
    expect(await begun(it.pool, [paidOrder(it.store, '1')], attemptsOf(it.store, { notOf: [it.store.connectionId] }))).toEqual([]);
    expect(await begun(it.pool, [paidOrder(it.store, '2')], attemptsOf(it.store, { plan: async () => null }))).toEqual([]);
    expect(await begun(it.pool, [paidOrder(it.store, '3')])).toEqual([]);
    expect(await orders()).toEqual(['1', '2', '3'].map((orderId) => ({ orderId, ...WAITS })));
  });

  test('one of a connection that came on trial meanwhile, whatever its reader knew', async () => {
    const plan = async (claim: Parameters<typeof begunOf>[0]) => {
      await it.pool.query('update connections set trial_since = now() where id = $1', [it.store.connectionId]);
      return begunOf(claim, it.store);
    };

    expect(await begun(it.pool, many(1), attemptsOf(it.store, { plan }))).toEqual([]);
    expect(await orders()).toEqual([{ orderId: '0', ...WAITS }]);
  });

  test('news of a known order', async () => {
    await recordOrders(it.pool, many(1));
    const news = paidOrder(it.store, '0', { snapshot: snapshot({ updatedAt: at('12:00'), total: '30.00' }) });

    const [recorded] = (await recordOrders(it.pool, [news], attemptsOf(it.store))).orders;

    expect(recorded).toMatchObject({ raised: true, revision: 2, claimed: null });
    expect(await orders()).toEqual([{ orderId: '0', ...WAITS }]);
  });

  test.each(['together', 'apart'])('a second order under the id of another one (%s), about which a person is asked', async (how) => {
    const [first, second] = [coat(), cap()].map((news) => paidOrder(it.store, '700', news));
    if (first === undefined || second === undefined) throw new Error('there are two');
    const planned: string[] = [];
    const plan = async (claim: Parameters<typeof begunOf>[0]) => {
      planned.push(claim.key.orderId);
      return begunOf(claim, it.store);
    };

    for (const items of how === 'together' ? [[first, second]] : [[first], [second]]) await recordOrders(it.pool, items, attemptsOf(it.store, { plan }));

    expect(planned).toEqual(['700']);
    expect((await orders()).map(({ orderId, state, fence, steps }) => [orderId, state, fence, steps])).toEqual([
      ['700', 'queued', 1, 1],
      ['700~2', 'review', 0, 0],
    ]);
  });
});
