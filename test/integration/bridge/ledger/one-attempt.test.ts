import { afterEach, expect, test } from 'vitest';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/orders/due-orders.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import { begunOf, ordersOf } from '../../../support/ledger/begun-orders.ts';
import { createOf, paidOrder } from '../../../support/ledger/recorded-order.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';

const it = useLedger({ max: 8 });
const ROUNDS = 25;
const PAGE = { size: 6, not: [], notOf: [], notTo: [], served: {}, roundRobin: false };

const dueOf = () => createDueLedger(it.pool, { leaseMs: 60_000, plan: async (claim) => begunOf(claim, it.store) });
/** As the store call queue and probes claim, which process orders by name. */
const namedOf = (leaseMs = 60_000) => createClaimStore(it.pool, { leaseMs });

afterEach(async () => {
  await it.pool.query('update orders set recorded_revision = revision, receipt = null');
});

async function recorded(...names: string[]): Promise<number[]> {
  const { orders } = await recordOrders(
    it.pool,
    names.map((name) => paidOrder(it.store, name)),
  );
  return orders.map(({ id }) => id);
}

test('pages, the store call queue and probes of two processes together claim each order once', async () => {
  const claims = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const ids = await recorded(...[1, 2, 3, 4].map((n) => `${round}-${n}`));
    const pages = [dueOf().claim(PAGE), dueOf().claim({ ...PAGE, roundRobin: true })];
    const byName = [ids, ids.toReversed()].flatMap((order) => {
      const { claim } = namedOf();
      return order.map(claim);
    });
    for (const { orders } of await Promise.all(pages)) for (const { claim } of orders) claims.set(claim.id, (claims.get(claim.id) ?? 0) + 1);
    for (const claim of await Promise.all(byName)) if (!('kind' in claim)) claims.set(claim.id, (claims.get(claim.id) ?? 0) + 1);
  }

  expect([claims.size, [...claims.values()].every((count) => count === 1)]).toEqual([ROUNDS * 4, true]);
  expect((await ordersOf(it.pool, it.store)).every(({ fence, steps, openStep }) => fence === 1 && steps === (openStep ?? 0))).toBe(true);
});

test('an attempt of the store call queue that outlived its lease sends nothing once a page has the order', async () => {
  const [id = 0] = await recorded('1');
  const claim = await namedOf(0).claim(id);
  if ('kind' in claim) throw new Error('it was not claimed');
  const page = await dueOf().claim(PAGE);

  const begun = await namedOf().begin({ claim, step: createOf(claim, it.store) });
  const fetched = await namedOf().mergeFetched(claim, claim.facts);
  const written = await namedOf().write({ claim, write: { state: 'recorded', recordedRevision: 1 } });
  await namedOf().release(claim);

  expect([page.orders.map(({ claim: { fence } }) => fence), begun, fetched, written.owned]).toEqual([[2], null, null, false]);
  expect(await ordersOf(it.pool, it.store)).toMatchObject([{ state: 'queued', fence: 2, leased: true, openStep: 1, steps: 1 }]);
});

test('what came of an order meanwhile is due at once, however much later the attempt leaves it for', async () => {
  const [known = 0, newer = 0] = await recorded('known', 'newer');
  const ledger = namedOf();
  const [one, other] = [await ledger.claim(known), await ledger.claim(newer)];
  if ('kind' in one || 'kind' in other) throw new Error('they were not claimed');
  await it.pool.query('update orders set revision = revision + 1 where id = $1', [newer]);

  await ledger.release(one, 600_000);
  await ledger.release(other, 600_000);

  expect((await dueOf().claim(PAGE)).orders.map(({ claim: { id } }) => id)).toEqual([newer]);
});
