import { randomUUID } from 'node:crypto';
import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { OrderDelivery } from '../../../../src/bridge/delivery/record-deliveries.ts';
import { foldDeliveries, type KnownOrder } from '../../../../src/bridge/ledger/orders/fold-deliveries.ts';
import type { OrderNews, Snapshot } from '../../../../src/bridge/order/facts/facts.ts';
import { at, line, refund, snapshot } from '../../../support/samples/order-facts.ts';

const shared = { updatedAt: fc.integer({ min: 10, max: 59 }).map((minute) => at(`17:${minute}`)), total: fc.constantFrom('1.00', '2.00', '3.00') };

/** A state of one of three paid orders of the id 700, each placed in another month. `isKeyed`: their platform names keys. */
function stateOf(isKeyed: boolean): fc.Arbitrary<OrderNews> {
  return fc.record({ month: fc.integer({ min: 1, max: 3 }), ...shared }).map(({ month, updatedAt, total }) => {
    const own: Partial<Snapshot> = { createdAt: `2026-0${month}-01T10:00:00Z`, transactionId: `pi_${month}`, lines: [line({ id: `${month}`, gross: total })] };
    const key = isKeyed ? { identity: `k${month}` } : {};
    return { orderId: '700', snapshot: snapshot({ ...own, ...key, updatedAt, total, digest: `${updatedAt} ${total}`, refunds: null }) };
  });
}

function delivered(news: OrderNews): OrderDelivery {
  const of = { id: randomUUID(), connectionId: 'c1', arrivedAt: at('18:00'), topic: '', platformDeliveryId: null, store: null, body: null };
  return { delivery: { ...of, normalized: { kind: 'order', news } }, key: { shopId: 's', platform: 'p', store: 'x', orderId: '700' }, news, quietSeconds: 0 };
}

/** The ledger after these batches, each recorded by itself. */
function ledgerAfter(batches: readonly (readonly OrderNews[])[]): KnownOrder[] {
  return batches.reduce<KnownOrder[]>((rows, batch) => {
    const folds = foldDeliveries(rows, batch.map(delivered));
    const changed = rows.map((row) => folds.find(({ known }) => known === row)?.fold.facts ?? { ...row.facts, customer: row.customer });
    const made = folds.flatMap(({ known, fold }) => (known === undefined ? [fold.facts] : []));
    return [...changed, ...made].map((facts, id) => ({ ...atRest, id, orderId: `${id}`, facts, customer: facts.customer }));
  }, []);
}

const atRest = { revision: 1, atRest: true, isRecorded: true, state: 'recorded', reviewCode: null, dirty_since: null } as const;
const factsIn = (rows: readonly KnownOrder[]) => rows.map(({ facts }) => JSON.stringify(facts)).toSorted();
const shuffled = (news: readonly OrderNews[]) => fc.shuffledSubarray([...news], { minLength: news.length });
const cut = (news: readonly OrderNews[], size: number) =>
  Array.from({ length: Math.ceil(news.length / size) }, (_, at) => news.slice(at * size, (at + 1) * size));

describe.each([true, false])('orders that share an id (keys are named: %s)', (isKeyed) => {
  const history = fc.array(stateOf(isKeyed), { minLength: 1, maxLength: 12 });

  test.prop([history.chain((news) => fc.tuple(fc.constant(news), shuffled(news))), fc.integer({ min: 1, max: 4 })])(
    'get the same states in any order of arrival and in any batches',
    ([news, reordered], size) => {
      const inOrder = ledgerAfter(cut(news, 1));

      expect(factsIn(ledgerAfter(cut(reordered, size)))).toEqual(factsIn(inOrder));
      expect(inOrder).toHaveLength(new Set(news.map((each) => each.snapshot?.createdAt)).size);
    },
  );

  test.prop([
    history,
    fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }).chain((months) => fc.tuple(fc.constant(months), fc.shuffledSubarray(months))),
  ])('get their own refunds, once their states list them', (news, [months]) => {
    const listing = [1, 2, 3].flatMap((month) =>
      news
        .filter(({ snapshot: state }) => state?.createdAt.includes(`-0${month}-`))
        .slice(0, 1)
        .map(({ snapshot: state, ...rest }) => ({
          ...rest,
          ...(state && { snapshot: { ...state, updatedAt: at('18:00'), refunds: [{ id: `r${month}`, amount: '1.00' }] } }),
        })),
    );
    const details = months.map((month): OrderNews => ({ orderId: '700', refunds: [refund({ id: `r${month}` })] }));

    for (const { facts } of ledgerAfter(cut([...news, ...listing, ...details], 2))) {
      const [own] = facts.snapshot?.refunds ?? [];
      const known = listing.map(({ snapshot: state }) => state?.refunds?.[0]?.id);
      const strange = Object.keys(facts.refunds).filter((id) => id !== own?.id);
      expect(strange.filter((id) => known.includes(id))).toEqual([]);
    }
  });
});
