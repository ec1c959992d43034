import { sum } from '../../../contract/money.ts';
import type { Refund, RefundLine } from '../../order/facts.ts';
import { microText } from './micro-money.ts';
import type { ShopifyRefund } from './payload.ts';
import { likelyReading, otherReading, type Reading } from './refund-basis.ts';
import { adjustedShipping, adjustedTax, type Part, returnedParts } from './refund-parts.ts';
import { isForeign, isRefund, refundsUnderWay } from './transaction.ts';
import { utc } from './utc.ts';

/**
 * One refund. Neither its body nor its lines say whether their amounts contain VAT, so the reading that adds up to the refunded money is used.
 * Everything is read from the refund alone: it is the same whether it comes alone or within its order.
 */
export function toRefund(raw: ShopifyRefund): Refund {
  const reading = readingOf(raw, likelyReading(raw));
  const inShopMoney = raw.transactions.some(isForeign) ? shopMoneyBack(raw, reading) : undefined;
  return {
    id: raw.id,
    at: utc(raw.processed_at ?? raw.created_at),
    amount: inShopMoney === undefined ? null : microText(inShopMoney),
    transactions: inShopMoney === undefined ? raw.transactions.filter(isRefund).map(({ id }) => id) : [],
    lines: toLines(reading.parts),
  };
}

/** One reading of a refund: the refunded part of each line, shipping that only an adjustment names, and the money that should go back for all. */
export type Read = { parts: Part[]; shipping: bigint; total: bigint };

/** `likely`: the reading of amounts that no refunded money confirms. */
export function readingOf(raw: ShopifyRefund, likely: Reading): Read {
  const readings = [likely, otherReading(likely)].flatMap((lines) => [read(raw, lines, 'without-vat'), read(raw, lines, 'with-vat')]);
  return readings.find(({ total }) => total === moneyGoingBack(raw)) ?? read(raw, likely, 'without-vat');
}

// A positive discrepancy is money that the merchant kept back, a negative one what was given beyond the lines.
function read(raw: ShopifyRefund, lines: Reading, shipping: Reading): Read {
  const parts = returnedParts(raw, lines);
  const adjusted = adjustedShipping(raw, shipping);
  const discrepancies = raw.order_adjustments.filter(({ kind }) => kind !== 'shipping_refund');
  const kept = discrepancies.map((adjustment) => (adjustment.amount_set ?? adjustment.amount) + adjustedTax(adjustment));
  return { parts, shipping: adjusted, total: sum(parts.map(({ amount }) => amount)) + adjusted - sum(kept) };
}

/** The money refunded or under way, in the shop's currency; undefined if the transactions don't show it. */
function moneyGoingBack({ transactions }: ShopifyRefund): bigint | undefined {
  const underWay = refundsUnderWay(transactions);
  return underWay.some(isForeign) ? undefined : sum(underWay.map(({ amount }) => amount));
}

/**
 * A buyer who paid in another currency is refunded in it: the shop's money is then what the lines and adjustments say, once all of it has gone.
 * Undefined if they say nothing: only the order can tell.
 */
export function shopMoneyBack({ transactions }: ShopifyRefund, { total }: Read): bigint | undefined {
  const underWay = refundsUnderWay(transactions);
  const isComplete = underWay.length > 0 && underWay.every(({ status }) => status === 'success');
  if (!isComplete) return 0n;
  return total > 0n ? total : undefined;
}

/** One entry for each line, however many times the refund names it. */
function toLines(parts: Part[]): RefundLine[] {
  const byLine = Map.groupBy(parts, ({ lineId }) => lineId);
  return [...byLine].map(([lineId, same]) => ({
    lineId,
    quantity: `${same.reduce((total, { quantity }) => total + quantity, 0)}`,
    amount: microText(sum(same.map(({ amount }) => amount))),
  }));
}
