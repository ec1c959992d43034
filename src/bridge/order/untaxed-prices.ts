import { decimalsOf, parseMoney } from '../../contract/money.ts';
import type { DraftLine } from './facts.ts';
import type { FiscalSettings } from './settings.ts';
import { canonicalRate } from './vat-groups.ts';
import type { OrderView } from './view.ts';

type Priced = Pick<OrderView, 'lines' | 'currency'>;

/** True if the order has lines that cost something, gift cards aside, and none of them bears a tax. */
export function isUntaxed(order: Priced): boolean {
  const goods = goodsOf(order);
  return goods.length > 0 && goods.every(({ vatRate }) => canonicalRate(vatRate) === '0');
}

/** In a store that reckons no taxes, an order's lines bear the rate that its prices contain. An order with any taxed line stays as it is. */
export function withContainedVat<Order extends Priced>(order: Order, { pricesContainVat }: Pick<FiscalSettings, 'pricesContainVat'>): Order {
  if (pricesContainVat === null || !isUntaxed(order)) return order;
  return { ...order, lines: order.lines.map((line) => (line.giftCard === true ? line : { ...line, vatRate: canonicalRate(pricesContainVat) })) };
}

function goodsOf({ lines, currency }: Priced): DraftLine[] {
  return lines.filter(({ giftCard, gross }) => giftCard !== true && parseMoney(gross, decimalsOf(currency)) !== 0n);
}
