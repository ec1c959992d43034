import { divideHalfUp, sum } from '../../../contract/money.ts';
import { itemCharge, netOf, shippingCharges } from './charges.ts';
import type { Basis } from './left-lines.ts';
import type { Leaving, ListedRefund } from './listed-refund.ts';
import type { ShopifyOrder } from './payload.ts';

/** What one payload says of the money of its order. */
export type OrderCase = {
  order: ShopifyOrder;
  listed: readonly ListedRefund[];
  /** What edits took off, the newest first: pieces that went without money. */
  takenOff: readonly Leaving[];
  /** The ways in which pieces may be valued, the usual one first. */
  bases: readonly [Basis, ...Basis[]];
  /** What each item but the oldest costs: an edit or an exchange may have added it. */
  added: readonly bigint[];
};

const MOST_ADDED = 20;

export function orderCase(order: ShopifyOrder, listed: readonly ListedRefund[]): OrderCase {
  const usual: Basis = { value: 'stated', tip: true };
  const others = (['stated', 'share', 'current'] as const).flatMap((value) => [true, false].map((tip) => ({ value, tip })));
  const hasTip = Boolean(order.total_tip_received);
  const bases = others.filter(({ value, tip }) => (tip ? value !== 'stated' : hasTip));
  return { order, listed, takenOff: takenOffIn(order, listed), bases: [usual, ...bases], added: addedTo(order) };
}

/** Did money of it go back, so that what it names has left the order? */
export function hasMoved({ back, isOpen, underWay }: ListedRefund): boolean {
  return (back > 0n || isOpen) && underWay === 0n;
}

function takenOffIn(order: ShopifyOrder, listed: readonly ListedRefund[]): Leaving[] {
  const withoutMoney = listed.filter(({ back, isOpen, underWay }) => back === 0n && !isOpen && underWay === 0n);
  const items = new Set(order.line_items.map(({ id }) => id));
  const noted = withoutMoney.flatMap(({ leavings }) => leavings.filter(({ lineId }) => items.has(lineId)));
  return [...noted.toSorted((a, b) => Number(a.at < b.at) - Number(a.at > b.at)), ...unlisted(order, listed)];
}

/** Pieces and shipping that are gone, though no refund names them with its money. */
function unlisted(order: ShopifyOrder, listed: readonly ListedRefund[]): Leaving[] {
  const named = listed.flatMap(({ leavings }) => leavings);
  const items = order.line_items.flatMap((item): Leaving[] => {
    const quantity = item.quantity - (item.current_quantity ?? item.quantity) - unitsOf(named, item.id);
    if (quantity <= 0) return [];
    return [
      { refund: null, at: '', lineId: item.id, quantity, amount: divideHalfUp(netOf(itemCharge(item, order)) * BigInt(quantity), BigInt(item.quantity)) },
    ];
  });
  const shipping = order.shipping_lines.flatMap((line): Leaving[] => {
    const givenBack = listed.filter(hasMoved).flatMap(({ leavings }) => leavings.filter(({ lineId }) => lineId === line.id));
    if (line.is_removed !== true || givenBack.length > 0) return [];
    return [{ refund: null, at: '', lineId: line.id, quantity: 1, amount: sum(shippingCharges(line, order).map(netOf)) }];
  });
  return [...items, ...shipping];
}

function unitsOf(leavings: readonly Leaving[], id: string): number {
  return leavings.filter(({ lineId }) => lineId === id).reduce((all, { quantity }) => all + quantity, 0);
}

function addedTo(order: ShopifyOrder): bigint[] {
  const byAge = order.line_items.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)));
  return byAge.slice(Math.max(1, byAge.length - MOST_ADDED)).map((item) => netOf(itemCharge(item, order)));
}
