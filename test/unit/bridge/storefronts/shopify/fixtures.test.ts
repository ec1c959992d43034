import { expect, test } from 'vitest';
import { z } from 'zod';
import { desired } from '../../../../../src/bridge/order/decisions/desired.ts';
import { type DraftLine, noFacts, type OrderNews } from '../../../../../src/bridge/order/facts/facts.ts';
import { factsOf, merge } from '../../../../../src/bridge/order/facts/merge.ts';
import type { FiscalSettings } from '../../../../../src/bridge/order/facts/settings.ts';
import { decimalsOf, formatMoney, parseMoney } from '../../../../../src/contract/money.ts';
import { totalsOf } from '../../../../../src/contract/totals.ts';
import { unsetSettings } from '../../../../support/samples/order-facts.ts';
import { asNews, fixtureBytes, receiveBytes } from './bodies.ts';

const line = z.object({ kind: z.string().optional(), name: z.string(), quantity: z.number(), vatRate: z.number(), totalInclVat: z.string() });
const paidOrder = z.object({
  record: z.object({
    internalId: z.string(),
    internalNumber: z.string(),
    internalCreatedAt: z.string(),
    customer: z.record(z.string(), z.string()),
    currency: z.string(),
    lines: z.array(line),
  }),
  totals: z.object({ totalInclVat: z.string() }),
});
const current = z.object({ lines: z.array(line), totalInclVat: z.string() });
const givenBack = z.object({
  refunded: z.array(line.extend({ sourceLineId: z.number() })),
  refundedTotal: z.string(),
  recordAfterRefund: current,
});

const settings: FiscalSettings = {
  ...unsetSettings,
  vatGroups: { '20': 'GROUP_B', '9': 'GROUP_D' },
  payments: { shopify_payments: { paymentType: 'PAYMENT_PROCESSOR' }, paypal: { paymentType: 'PAYMENT_PROCESSOR' } },
  recordFrom: '2026-01-01T00:00:00.000Z',
};

const paid = fixtureNews('orders/paid', 'order-paid-eur-incl-mixed-rates');
const refund = fixtureNews('refunds/create', 'refund-create-eur-partial-item-and-shipping');
const updated = fixtureNews('orders/updated', 'order-updated-eur-after-partial-refund');

test.each(['order-paid-eur-incl-mixed-rates', 'order-paid-eur-excl-tax-rounding'])('%s gives the expected lines, to the cent', (name) => {
  const expected = paidOrder.parse(expectation(name));
  const { orderId, snapshot, customer } = fixtureNews('orders/paid', name);

  expect({ internalId: orderId, internalNumber: snapshot?.number, internalCreatedAt: snapshot?.createdAt, currency: snapshot?.currency, customer }).toEqual({
    internalId: expected.record.internalId,
    internalNumber: expected.record.internalNumber,
    internalCreatedAt: expected.record.internalCreatedAt,
    currency: expected.record.currency,
    customer: expected.record.customer,
  });
  expect(snapshot?.lines.map(inShort)).toEqual(
    expected.record.lines.map(({ kind, name: what, quantity, vatRate, totalInclVat }) => [kind, what, quantity, vatRate, totalInclVat]),
  );
  expect(snapshot).toMatchObject({ total: expected.totals.totalInclVat, payment: 'paid', problems: [] });
});

test('a tax-exclusive order becomes a record of whole cents, with no discount but the real one', () => {
  const { record, totals } = paidOrder.parse(expectation('order-paid-eur-excl-tax-rounding'));
  const name = record.lines.map((line) => line.name);

  expect(recordAfter([fixtureNews('orders/paid', 'order-paid-eur-excl-tax-rounding')])).toEqual({
    lines: [
      [name[0], 2, '20', '10.04'],
      [name[0], 1, '20', '5.01'],
      [name[1], 2, '20', '21.58'],
      [name[2], 1, '20', '4.00'],
    ],
    total: totals.totalInclVat,
  });
});

test('the refund gives back the expected lines and money', () => {
  const expected = givenBack.parse(expectation('refund-create-eur-partial-item-and-shipping'));
  const [given] = refund.refunds ?? [];

  expect(given?.lines).toEqual(
    expected.refunded.map(({ sourceLineId, quantity, totalInclVat }) => ({ lineId: `${sourceLineId}`, quantity: `${quantity}`, amount: totalInclVat })),
  );
  expect(refund.transactions).toMatchObject([{ id: given?.transactions[0], kind: 'refund', status: 'success', amount: expected.refundedTotal }]);
});

test('the refund is the same alone and within the updated order', () => {
  expect(updated).toMatchObject({ refunds: refund.refunds, transactions: refund.transactions });
});

test('the updated order has the lines that are left, and names how much of the refund they have left out', () => {
  const expected = givenBack.parse(expectation('refund-create-eur-partial-item-and-shipping'));

  expect(updated.snapshot?.lines.map(inShort)).toEqual(
    expected.recordAfterRefund.lines.map(({ kind, name, quantity, vatRate, totalInclVat }) => [kind ?? 'item', name, quantity, vatRate, totalInclVat]),
  );
  expect(updated.snapshot).toMatchObject({
    kept: expected.recordAfterRefund.totalInclVat,
    total: paid.snapshot?.total,
    refunds: [{ id: refund.refunds?.[0]?.id, amount: expected.refundedTotal, deducted: expected.refundedTotal }],
  });
});

test.each([
  ['paid, then refunded', [paid, refund]],
  ['the refund before its order', [refund, paid]],
  ['the updated order alone', [updated]],
  ['everything, the newest first', [updated, refund, paid]],
  ['everything, twice', [paid, updated, refund, refund, updated, paid]],
])('%s: the record is the expected one', (_what, deliveries) => {
  const expected = givenBack.parse(expectation('refund-create-eur-partial-item-and-shipping')).recordAfterRefund;

  expect(recordAfter(deliveries)).toEqual(inRecord(expected));
});

test('the updated order’s own expectation is the same', () => {
  const expected = z.object({ recordAfterRefund: current }).parse(expectation('order-updated-eur-after-partial-refund')).recordAfterRefund;

  expect(recordAfter([updated])).toEqual(inRecord(expected));
});

function inRecord({ lines, totalInclVat }: z.infer<typeof current>) {
  return { lines: lines.map(({ name, quantity, vatRate, totalInclVat: total }) => [name, quantity, `${vatRate}`, total]), total: totalInclVat };
}

function recordAfter(deliveries: OrderNews[]) {
  const facts = deliveries.map((news, index) => factsOf(news, `2026-10-21T00:00:0${index}.000Z`)).reduce(merge, noFacts);
  const wanted = desired({ orderId: paid.orderId, facts, settings });
  if (wanted.kind !== 'record') throw new Error(`no record: ${JSON.stringify(wanted)}`);
  const { lineItems, precision } = wanted.record;
  const totals = totalsOf({ lines: lineItems.map((item) => ({ ...item, quantity: `${item.quantity}` })), precision });
  return { lines: lineItems.map(({ name, quantity, vatRate }, index) => [name, quantity, vatRate, totals.lines[index]?.subtotal]), total: totals.total };
}

function inShort({ kind, name, quantity, vatRate, gross, discount }: DraftLine) {
  const decimals = decimalsOf('EUR');
  const paidForIt = (parseMoney(gross, decimals) ?? 0n) - (parseMoney(discount, decimals) ?? 0n);
  return [kind, name, Number(quantity), Number(vatRate), formatMoney(paidForIt, decimals)];
}

function fixtureNews(topic: string, name: string): OrderNews {
  return asNews(receiveBytes(topic, fixtureBytes(name)));
}

function expectation(name: string): unknown {
  return JSON.parse(`${fixtureBytes(`${name}.expected`)}`);
}
