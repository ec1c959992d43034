import { wooOrder } from './woo-order.ts';

/** How a shop is set up: whether its prices contain VAT, and “Round tax at subtotal level”. */
export type WooShop = { pricesWithVat: boolean; roundAtSubtotal: boolean };

/** How an order is read: with how many decimals, and whether `taxes[]` has all of its own (WooCommerce 8) or not (WooCommerce 10). */
export type WooReading = { roundAtSubtotal: boolean; decimals?: 2 | 6; freeTaxes?: boolean };

type Amount = { net: number; taxes: Map<number, number> };
type Line = { id: number; kind: 'line_items' | 'shipping_lines' | 'fee_lines'; quantity: number; before: Amount; after: Amount };

/** An order as WooCommerce reckons it: `total` is stored, what else it shows depends on the settings of the moment. */
export type WooBasket = {
  total: string;
  /** What each rate really comes to, with VAT. */
  byRate: Map<string, number>;
  body(reading: WooReading): Record<string, unknown>;
};

const RATES = new Map([
  [1, 20],
  [2, 9],
]);

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One to five products, now and then with a coupon, shipping and fees, reckoned as `WC_Cart_Totals` does. */
export function wooBasket(random: () => number, shop: WooShop): WooBasket {
  const lines: Line[] = Array.from({ length: whole(random, 1, 5) }, (_, index) => product(index + 1, random, shop));
  if (random() < 0.4) withCoupon(lines, [5, 10, 15, 33][whole(random, 0, 3)] ?? 10, shop);
  if (random() < 0.6) lines.push(net(lines.length + 1, 'shipping_lines', [5, 4.17, 3.99, 2.5][whole(random, 0, 3)] ?? 5));
  if (random() < 0.3) lines.push(net(lines.length + 1, 'fee_lines', whole(random, 50, 400) / 100));
  if (random() < 0.2) lines.push(discount(lines.length + 1, -whole(random, 20, 300) / 100, lines));
  return basketOf(lines, shop);
}

function whole(random: () => number, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1));
}

function product(id: number, random: () => number, shop: WooShop): Line {
  const price = whole(random, 99, 9999) / 100;
  const quantity = whole(random, 1, 4);
  const amount = taxed(price * quantity, random() < 0.6 ? 1 : 2, shop);
  return { id, kind: 'line_items', quantity, before: amount, after: amount };
}

/** Taxes are not rounded here, and where prices contain them, net is what is left of the price. */
function taxed(price: number, rateId: number, { pricesWithVat }: WooShop): Amount {
  const rate = (RATES.get(rateId) ?? 0) / 100;
  const tax = pricesWithVat ? price - price / (1 + rate) : price * rate;
  return { net: pricesWithVat ? price - tax : price, taxes: new Map([[rateId, tax]]) };
}

/** A coupon takes whole cents off each price. */
function withCoupon(lines: Line[], percent: number, shop: WooShop): void {
  for (const line of lines) {
    const [[rateId, tax] = [1, 0]] = line.before.taxes;
    const price = round(shop.pricesWithVat ? line.before.net + tax : line.before.net, 2);
    line.after = taxed(price - round((price * percent) / 100, 2), rateId, shop);
  }
}

/** Shipping and fees are given without VAT. */
function net(id: number, kind: Line['kind'], amount: number): Line {
  const each = taxed(amount, 1, { pricesWithVat: false, roundAtSubtotal: false });
  return { id, kind, quantity: 1, before: each, after: each };
}

/** A fee below zero is spread over the rates by what the basket costs at each. */
function discount(id: number, amount: number, lines: Line[]): Line {
  const costs = new Map<number, number>();
  for (const { after } of lines) for (const rateId of after.taxes.keys()) costs.set(rateId, (costs.get(rateId) ?? 0) + after.net);
  const all = [...costs.values()].reduce((a, b) => a + b, 0);
  const taxes = new Map([...costs].map(([rateId, cost]) => [rateId, ((amount * cost) / all) * ((RATES.get(rateId) ?? 0) / 100)]));
  return { id, kind: 'fee_lines', quantity: 1, before: { net: amount, taxes }, after: { net: amount, taxes } };
}

function basketOf(lines: Line[], shop: WooShop): WooBasket {
  const lineTax = (tax: number) => (shop.roundAtSubtotal ? tax : round(tax, 2, shop.pricesWithVat));
  const lineNet = (line: Line) => (shop.roundAtSubtotal || line.kind !== 'line_items' ? line.after.net : round(line.after.net, 2));
  const byRate = new Map<string, number>();
  for (const { after } of lines) for (const [rateId, tax] of after.taxes) addTo(byRate, rateId, tax + tax / ((RATES.get(rateId) ?? 0) / 100));
  const total = lines.reduce((sum, line) => sum + lineNet(line) + [...line.after.taxes.values()].reduce((taxes, tax) => taxes + lineTax(tax), 0), 0);
  const shown = round(total, 2);
  return { total: shown.toFixed(2), byRate, body: (reading) => bodyOf(lines, shown, { shop, reading }) };
}

function addTo(byRate: Map<string, number>, rateId: number, amount: number): void {
  const rate = String(RATES.get(rateId));
  byRate.set(rate, (byRate.get(rate) ?? 0) + amount);
}

function bodyOf(lines: Line[], total: number, { shop, reading }: { shop: WooShop; reading: WooReading }): Record<string, unknown> {
  const { decimals = 2, freeTaxes = false } = reading;
  const text = (amount: number) => round(amount, decimals).toFixed(decimals);
  const tax = (amount: number) => (freeTaxes ? String(round(amount, 6)) : text(amount));
  const lineTax = ({ taxes }: Amount) =>
    [...taxes.values()].reduce((sum, each) => sum + (reading.roundAtSubtotal ? each : round(each, 2, shop.pricesWithVat)), 0);
  const asLine = ({ id, kind, quantity, before, after }: Line) => ({
    ...{ id, name: `Product ${id}`, total: text(after.net), total_tax: text(lineTax(after)) },
    ...(kind === 'line_items' ? { quantity, subtotal: text(before.net), subtotal_tax: text(lineTax(before)) } : {}),
    taxes: [...after.taxes].map(([rateId, each]) => ({
      id: rateId,
      total: tax(each),
      subtotal: kind === 'line_items' ? tax(before.taxes.get(rateId) ?? 0) : '',
    })),
  });
  const of = (kind: Line['kind']) => lines.filter((line) => line.kind === kind).map(asLine);
  return wooOrder({ total: text(total), line_items: of('line_items'), shipping_lines: of('shipping_lines'), fee_lines: of('fee_lines') });
}

/** As PHP rounds: what a float lost in its last digits does not count. Halves away from zero, or towards it. */
function round(amount: number, decimals: number, halfDown = false): number {
  const scaled = Number((Math.abs(amount) * 10 ** decimals).toPrecision(15));
  return (Math.sign(amount) * (halfDown ? Math.ceil(scaled - 0.5) : Math.floor(scaled + 0.5))) / 10 ** decimals;
}
