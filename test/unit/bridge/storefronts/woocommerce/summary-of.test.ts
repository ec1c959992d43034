import { expect, test } from 'vitest';
import { knownSummaryOf } from '../../../../../src/bridge/ledger/sync/known-summaries.ts';
import { factsOf } from '../../../../../src/bridge/order/facts/merge.ts';
import { compareSummary } from '../../../../../src/bridge/reconciliation/compare-summary.ts';
import { summaryOf } from '../../../../../src/bridge/storefronts/woocommerce/changed-since.ts';
import { wooSummary } from '../../../../../src/bridge/storefronts/woocommerce/payload.ts';
import { answerOf, bodyOf, recordings } from '../../../../fixtures/woocommerce/recordings.ts';
import { snapshotOf } from '../../../../support/samples/snapshot-of.ts';
import { normalize, wooOrder } from '../../../../support/samples/woo-order.ts';

const trashed = answerOf('19-trash-restore-delete--GET-order-trashed').body;
const manyDecimals = wooOrder({ total: '24.001', refunds: [{ id: 8, total: '-1.0' }] });
const bodies = [
  ...recordings.filter(({ bodyIs }) => bodyIs === 'order').map(({ file }) => [file, bodyOf(file.slice(0, 3))] as const),
  ['an order in the trash', trashed] as const,
  ['an order with more decimals than its currency', manyDecimals] as const,
];

test('there are recorded orders', () => expect(bodies.length).toBeGreaterThan(20));

test.each(bodies)('the summary of %s is that of its snapshot, so that an unchanged order is known', (_name, body) => {
  const summary = summaryOf(wooSummary.parse(body));
  const snapshot = snapshotOf(normalize(body));
  const { updatedAt, status, lifecycle, payment, test: isTest, currency, total, number, paidAt, placedAt, refunds } = snapshot;

  expect(summary).toMatchObject({ updatedAt, status, lifecycle, payment, test: isTest, currency, total, number, soldAt: paidAt ?? placedAt });
  const refundIds = refunds?.map(({ id }) => id) ?? null;
  expect(summary.refundIds).toEqual(refundIds);
  expect(compareSummary(summary, [knownSummaryOf(factsOf({ orderId: summary.orderId, snapshot }, snapshot.updatedAt))])).toBe('known');
});

test('what is kept is the total less the refunds', () => {
  expect(summaryOf(wooSummary.parse(bodyOf('024')))).toMatchObject({ total: '70.35', kept: '46.35' });
  expect(summaryOf(wooSummary.parse(manyDecimals))).toMatchObject({ total: '24.001', kept: '23.001' });
});
