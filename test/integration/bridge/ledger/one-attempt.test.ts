import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { AttemptLedger } from '../../../../src/bridge/delivery/attempt-ports.ts';
import { createClaimStore } from '../../../../src/bridge/ledger/orders/claim-store.ts';
import { createDueLedger } from '../../../../src/bridge/ledger/orders/due-orders.ts';
import { recordOrders } from '../../../../src/bridge/ledger/orders/record-store.ts';
import type { Claim } from '../../../../src/bridge/order/decisions/claim.ts';
import { readOne, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { begunOf, ordersOf } from '../../../support/ledger/begun-orders.ts';
import { createOf, paidOrder, recordCreate } from '../../../support/ledger/recorded-order.ts';
import { useLedger } from '../../../support/ledger/use-ledger.ts';
import { refund } from '../../../support/samples/order-facts.ts';

const it = useLedger({ max: 8 });
const reviewRow = rowsOf(
  'orders',
  z.object({ state: z.string(), revision: z.int(), review_code: z.string().nullable(), review_detail: z.string().nullable() }),
);
const dueRow = rowsOf('orders', z.object({ inMs: z.number() }));
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

async function claimed(ledger: AttemptLedger, id: number): Promise<Claim> {
  const claim = await ledger.claim(id);
  if ('kind' in claim) throw new Error(`it was not claimed: ${claim.kind}`);
  return claim;
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
  const claim = await claimed(namedOf(0), id);
  const page = await dueOf().claim(PAGE);

  const begun = await namedOf().begin({ claim, step: createOf(claim, it.store) });
  const fetched = await namedOf().mergeFetched(claim, claim.facts);
  const written = await namedOf().write({ claim, write: { state: 'recorded', recordedRevision: 1 } });
  await namedOf().release(claim);

  expect([page.orders.map(({ claim: { fence } }) => fence), begun, fetched, written.owned]).toEqual([[2], null, null, false]);
  expect(await ordersOf(it.pool, it.store)).toMatchObject([{ state: 'queued', fence: 2, leased: true, openStep: 1, steps: 1 }]);
});

test('an order that is recorded twice stays in review while its receipt is requested and its refund comes', async () => {
  const [id = 0] = await recorded('doubled');
  const ledger = namedOf();
  const due = { state: 'due', complianceId: 'c-1', since: '2026-11-20T12:00:00Z', seq: null } as const;
  await recordCreate(ledger, await claimed(ledger, id), it.store);
  await it.pool.query(
    `update orders set state = 'review', review_code = 'record.doubled', review_detail = 'as c-2', review_revision = revision, receipt = $2 where id = $1`,
    [id, due],
  );
  const claim = await claimed(ledger, id);
  await recordOrders(it.pool, [paidOrder(it.store, 'doubled', { refunds: [refund()] })]);

  const written = await ledger.write({ claim, write: { state: 'review', receipt: { ...due, state: 'refused', at: due.since, detail: 'no' } } });

  expect(written).toMatchObject({ owned: true, newer: true });
  expect(await readOne(it.pool, reviewRow, { text: 'select state, revision, review_code, review_detail from orders where id = $1', values: [id] })).toEqual({
    ...{ state: 'review', revision: 2, review_code: 'record.doubled', review_detail: 'as c-2' },
  });
});

test('what came of an order meanwhile is due at once, however much later the attempt leaves it for', async () => {
  const [known = 0, newer = 0] = await recorded('known', 'newer');
  const ledger = namedOf();
  const [one, other] = [await claimed(ledger, known), await claimed(ledger, newer)];
  await it.pool.query('update orders set revision = revision + 1 where id = $1', [newer]);

  await ledger.release(one, 600_000);
  await ledger.release(other, 600_000);

  expect((await dueOf().claim(PAGE)).orders.map(({ claim: { id } }) => id)).toEqual([newer]);
});

test.each([-60_000, 60_000])('an order that waits is due by the database’s clock, from which the process’s differs by %i ms', async (ms) => {
  const [id = 0] = await recorded(`off by ${ms}`);
  const ledger = namedOf();
  const claim = await claimed(ledger, id);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

  await ledger.write({ claim, write: { state: 'queued', dueAt: Date.now() + 30_000 } }).finally(() => vi.useRealTimers());

  const text = 'select extract(epoch from due_at - updated_at)::float8 * 1000 as "inMs" from orders where id = $1';
  expect(Math.round((await readOne(it.pool, dueRow, { text, values: [id] })).inMs / 10_000)).toBe(3);
});
