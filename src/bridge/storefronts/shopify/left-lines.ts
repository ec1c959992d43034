import { larger, shareOut, smaller, sum } from '../../../contract/money.ts';
import { amountsOf, type Charge, dutiesOf, feesOf, type Item, itemCharge, netOf, type ShippingLine, shippingCharges, tipOf } from './charges.ts';
import type { Leaving } from './listed-refund.ts';
import { roundTo, unitOf } from './micro-money.ts';
import type { ShopifyOrder } from './payload.ts';

/**
 * How the pieces that are left of a line are valued: what refunds and edits say that the others cost is taken off; or their share of the line; or
 * the line’s discounts and taxes are those of the pieces left. A tip is a line item in some checkouts.
 */
export type Basis = { value: 'stated' | 'share' | 'current'; tip: boolean };

/** The lines of an order without what left them. */
export function leftLines(order: ShopifyOrder, gone: readonly Leaving[], basis: Basis): Charge[] {
  const byLine = Map.groupBy(gone, ({ lineId }) => lineId);
  const left = (id: string) => byLine.get(id) ?? [];
  return [
    ...order.line_items.flatMap((item) => itemLeft(item, left(item.id), { order, basis })),
    ...order.shipping_lines.flatMap((line) => shippingLeft(line, left(line.id), order)),
    ...dutiesOf(order, order.current_total_duties_set ?? order.original_total_duties_set).flatMap((duty) =>
      withMoney(duty, netOf(duty) - amountOf(left(duty.id))),
    ),
    ...feesOf(order.current_total_additional_fees_set ?? order.original_total_additional_fees_set),
    ...(basis.tip ? tipOf(order) : []),
  ];
}

function amountOf(gone: readonly Leaving[]): bigint {
  return sum(gone.map(({ amount }) => amount));
}

type How = { order: ShopifyOrder; basis: Basis };

function itemLeft(item: Item, gone: Leaving[], { order, basis }: How): Charge[] {
  const charge = itemCharge(item, order);
  const units = item.quantity - gone.reduce((all, { quantity }) => all + quantity, 0);
  if (item.quantity === 0 || (units <= 0 && gone.length > 0)) return [];
  if (gone.length === 0) return [charge];
  if (basis.value === 'current' && units === item.current_quantity && units < item.quantity)
    return [{ ...charge, quantity: units, ...amountsOf(item, units, order) }];
  const share = (whole: bigint) => roundTo(order.currency, { dividend: whole * BigInt(units), divisor: BigInt(item.quantity) });
  const stated = netOf(charge) - amountOf(gone);
  const net = basis.value === 'stated' && stated >= 0n ? stated : share(netOf(charge));
  const gross = charge.discount === 0n && units < item.quantity ? net : larger(net, share(charge.gross));
  return [{ ...charge, quantity: units, gross, discount: gross - net }];
}

function shippingLeft(line: ShippingLine, gone: Leaving[], order: ShopifyOrder): Charge[] {
  const charges = shippingCharges(line, order);
  const whole = sum(charges.map(netOf));
  const off = smaller(amountOf(gone), whole);
  const isGone = line.is_removed === true && gone.some(({ quantity }) => quantity > 0);
  if (off <= 0n) return isGone ? [] : charges;
  // In whole cents, so that each part of a mixed shipping stays an amount of money.
  const unit = unitOf(order.currency);
  return shareOut(off / unit, charges, (charge) => netOf(charge) / unit).flatMap(({ item, part }) => withMoney(item, netOf(item) - part * unit));
}

/** What was given back of one piece is a discount; with all its money it is gone. */
function withMoney(charge: Charge, net: bigint): Charge[] {
  if (net === netOf(charge)) return [charge];
  return net <= 0n ? [] : [{ ...charge, discount: charge.gross - net }];
}
