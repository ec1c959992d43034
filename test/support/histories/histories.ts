import fc from 'fast-check';
import type { NewLine, Shape } from './shopify-bodies.ts';
import { SimulatedShopify } from './simulated-shopify.ts';
import { type Shop, SimulatedWooCommerce } from './simulated-woocommerce.ts';
import type { ToldHistory } from './told-history.ts';

const newLine: fc.Arbitrary<NewLine> = fc
  .record({
    price: fc.bigInt({ min: 50n, max: 9_999n }),
    quantity: fc.integer({ min: 1, max: 4 }),
    off: fc.integer({ min: 0, max: 60 }),
    rate: fc.constantFrom('20', '20', '20', '9'),
  })
  .map(({ price, quantity, off, rate }) => ({ price, quantity, rate, discount: off < 40 ? 0n : (price * BigInt(quantity) * BigInt(off)) / 100n }));

const baskets = fc.record({
  lines: fc.array(newLine, { minLength: 1, maxLength: 4 }),
  isMixed: fc.integer({ min: 0, max: 3 }).map((dice) => dice === 0),
  shipping: fc.constantFrom(0n, 490n, 600n),
});

/** Numbers that a history draws its choices from. */
const dice = fc.array(fc.nat(9_999), { minLength: 4, maxLength: 28 });

const shapes: fc.Arbitrary<Shape> = fc.record({
  totalPrice: fc.constantFrom('frozen', 'following'),
  current: fc.constantFrom('with-discrepancies', 'without-discrepancies'),
  pending: fc.constantFrom('counted', 'not-counted'),
  transactions: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
});

const shops: fc.Arbitrary<Shop> = fc.record({ key: fc.boolean(), roundsAtSubtotal: fc.boolean(), gateway: fc.constantFrom('stripe', 'cod', 'bacs') });

type Draw = (below: number) => number;

function drawing(numbers: readonly number[]): { draw: Draw; hasMore(): boolean } {
  let at = 0;
  return { draw: (below) => (numbers[at++] ?? 0) % below, hasMore: () => at < numbers.length };
}

type Basket = { lines: NewLine[]; isMixed: boolean };

const basketOf = ({ lines, isMixed }: Basket, added = false) => lines.map((line) => ({ ...line, added, ...(isMixed ? {} : { rate: '20' }) }));

/** Shopify: edits, returns, exchanges and refunds of every kind, before and after payment. */
export const shopifyHistories: fc.Arbitrary<ToldHistory> = fc
  .tuple(baskets, shapes, dice, fc.array(newLine, { minLength: 4, maxLength: 4 }), fc.constantFrom(false, false, true))
  .map(([basket, shape, numbers, more, added]) => {
    const shop = new SimulatedShopify(basketOf(basket, added), { cents: basket.shipping, rate: '20', added }, shape);
    const { draw, hasMore } = drawing(numbers);
    const spare = basketOf({ ...basket, lines: more }, added);
    const gateway = draw(2) === 0 ? 'shopify_payments' : 'Cash on Delivery (COD)';
    for (let steps = draw(3); steps > 0; steps -= 1) editBeforePayment(shop, spare, draw);
    if (draw(20) > 0) shop.pay(gateway);
    while (hasMore() && !shop.isCancelled) afterPayment(shop, { spare, draw, gateway, added });
    if (draw(8) > 0) shop.settlePending();
    return shop.end();
  });

/**
 * Shopify: money goes back without a piece, then the pieces are refunded until none is left. Shopify refuses to give back more than was paid, unless
 * the merchant wants it (`allowOverRefunding`): `over`.
 */
export const refundedToTheEnd: fc.Arbitrary<ToldHistory> = fc.tuple(baskets, shapes, dice, fc.boolean()).map(([basket, shape, numbers, over]) => {
  const shop = new SimulatedShopify(basketOf(basket), { cents: basket.shipping, rate: '20' }, { ...shape, transactions: true });
  const { draw, hasMore } = drawing(numbers);
  shop.pay('shopify_payments');
  for (let left = shop.sold.length; left > 0 && shop.moneyLeft > 0n; left = shop.sold.length) {
    const { index, left: pieces } = shop.sold[draw(left)] ?? { index: 0, left: 1 };
    const unnamed = hasMore() && draw(3) === 0 ? BigInt(1 + draw(300)) : 0n;
    if (unnamed > 0n && shop.has(index, unnamed)) shop.goodwill(unnamed);
    else if (shop.shippingLeft > 0n && draw(4) === 0) shop.refundShipping(shop.shippingLeft);
    else shop.refundPieces(index, 1 + draw(pieces), { over });
  }
  return shop.end();
});

function editBeforePayment(shop: SimulatedShopify, spare: NewLine[], draw: Draw): void {
  const line = draw(2) === 0 ? spare.pop() : undefined;
  if (line !== undefined) return shop.addLine(line);
  const { sold } = shop;
  const one = sold[draw(sold.length)];
  if (one !== undefined && (sold.length > 1 || one.left > 1)) shop.takeOff(one.index, sold.length > 1 ? one.left : 1);
}

type Shopping = { spare: NewLine[]; draw: Draw; gateway: string; added: boolean };
/** A line with pieces left, how many of them are meant, and what one costs. */
type Meant = { index: number; quantity: number; value: bigint };

/** What can happen to a paid order; drawn with equal chances, and left out where it can't. */
const lifeEvents: readonly ((shop: SimulatedShopify, meant: Meant, shopping: Shopping) => void)[] = [
  (shop, { index, quantity }) => {
    if (shop.owes === 0n) shop.refundPieces(index, quantity);
  },
  (shop, { index, quantity }) => {
    if (shop.owes === 0n) shop.refundPieces(index, quantity);
  },
  (shop, { index, quantity }) => shop.refundPieces(index, quantity, { pending: true }),
  (shop, { index, quantity, value }, { draw }) => {
    if (value > 20n && shop.owes === 0n) shop.refundPieces(index, quantity, { keep: 10n + (value * BigInt(draw(50))) / 100n });
  },
  (shop, { index, quantity }) => (shop.owes === 0n ? shop.takeOff(index, quantity) : shop.giveBackOwed()),
  (shop) => {
    if (shop.owes > 0n) shop.giveBackOwed();
  },
  (shop, { value }, { draw }) => {
    // Less would be lost in what rounding moves.
    if (value > 20n) shop.goodwill(10n + (value * BigInt(draw(40))) / 100n);
  },
  (shop, _meant, { draw, added }) => {
    const { shippingLeft } = shop;
    if (shippingLeft > 0n) shop.refundShipping(added || draw(2) === 0 ? shippingLeft : 1n + BigInt(draw(Number(shippingLeft))));
  },
  exchange,
  exchange,
  (shop, _meant, { spare, gateway }) => {
    const line = shop.owes === 0n ? spare.pop() : undefined;
    if (line === undefined) return;
    shop.addLine(line);
    shop.pay(gateway);
  },
  (shop, _meant, { draw }) => {
    if (shop.owes === 0n && !shop.gaveUnnamed && draw(3) === 0) shop.cancel({ refund: draw(4) > 0, shipping: draw(2) === 0 });
  },
];

function exchange(shop: SimulatedShopify, { index, quantity }: Meant, { spare, gateway }: Shopping): void {
  const line = shop.owes === 0n ? spare.pop() : undefined;
  if (line !== undefined) shop.exchange(index, quantity, { line, gateway });
}

function afterPayment(shop: SimulatedShopify, shopping: Shopping): void {
  const { draw } = shopping;
  if (!shop.isPaid) return shop.cancel({ refund: false, shipping: false });
  const one = shop.sold[draw(Math.max(1, shop.sold.length))];
  const happens = lifeEvents[draw(lifeEvents.length)];
  if (one === undefined || happens === undefined || !shop.has(one.index, one.cents)) return;
  happens(shop, { index: one.index, quantity: 1 + draw(one.left), value: one.cents / BigInt(one.left) }, shopping);
}

/** WooCommerce: statuses, edits, refunds with and without lines, deleted refunds, the trash. */
export const wooHistories: fc.Arbitrary<ToldHistory> = fc
  .tuple(baskets, shops, dice, fc.array(newLine, { maxLength: 3 }))
  .map(([basket, shop, numbers, more]) => {
    const spare = basketOf({ ...basket, lines: more });
    const order = new SimulatedWooCommerce(basketOf(basket), { cents: basket.shipping, rate: '20' }, shop);
    const { draw, hasMore } = drawing(numbers);
    order.setStatus(shop.gateway === 'bacs' && draw(2) === 0 ? 'on-hold' : 'processing');
    if (draw(3) === 0) editOrder(order, spare, draw);
    if (draw(10) > 0) order.setStatus(draw(2) === 0 ? 'completed' : 'processing');
    for (let isTrashed = false; hasMore(); ) {
      if (isTrashed) order.restore();
      else if (!order.isRefunded && draw(8) === 0) editOrder(order, spare, draw);
      isTrashed = !step(order, draw);
    }
    return order.end();
  });

/** What is not paid can be edited; an order that is, is opened for it. */
function editOrder(order: SimulatedWooCommerce, spare: NewLine[], draw: Draw): void {
  const { left, isPaid, status } = order;
  const one = left[draw(Math.max(1, left.length))];
  const line = draw(2) === 0 ? spare.pop() : undefined;
  if (isPaid) order.setStatus('on-hold');
  if (line !== undefined) order.addLine(line);
  else if (one !== undefined) order.edit(one.index, left.length > 1 ? draw(one.quantity + 2) : 1 + draw(one.quantity + 1));
  if (isPaid) order.setStatus(status);
}

/** False: it lies in the trash now. */
function step(order: SimulatedWooCommerce, draw: Draw): boolean {
  const { left, isPaid, keeps } = order;
  const one = left[draw(Math.max(1, left.length))];
  const choice = draw(14);
  if (choice === 13) order.trash();
  else if (choice === 12 && draw(3) === 0) order.setStatus('cancelled');
  else if (choice === 11) order.setStatus('completed');
  else if (!isPaid) order.setStatus('processing');
  else if (choice < 5 && one !== undefined && one.cents <= keeps) order.refundPieces(one.index, 1 + draw(one.quantity));
  else if (choice === 5 && keeps > 0n) order.refundAmount(draw(3) === 0 ? keeps : 1n + BigInt(draw(Number(keeps))));
  else if (choice === 6) order.deleteRefund();
  return choice !== 13;
}
