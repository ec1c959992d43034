import { type Decimal, decimal, fixed, quotient, total, unitOf, ZERO } from '../../../contract/decimal.ts';
import { decimalsOf } from '../../../contract/money.ts';
import { asMoney, isNegative } from '../amounts.ts';
import type { WooLine } from './payload.ts';
import { type Rates, taxesByRate, vatRateOf } from './vat-rate.ts';

/** The part of a line's money that bears one rate: "-1.54" at "20". */
export type RatePart = { rate: string; paid: string };

/** What the lines of an order cost at each rate, without VAT. */
export type Costs = ReadonlyMap<string, Decimal>;

export type Spread = { paid: string; currency: string; rates: Rates; costs: Costs };

/** Decimals of net amounts here. */
const SCALE = 12;
const SMALLEST = unitOf(SCALE);

type Net = { rate: string; net: Decimal; tax: Decimal };
type Uncertain = Net & { tolerance: Decimal };

/** Discounts do not count: WooCommerce spreads a negative fee over what the others cost. A line of unclear rate is left out. */
export function costsOf(lines: readonly WooLine[], rates: Rates): Costs {
  const costs = lines.filter(({ total }) => !isNegative(total)).map((line) => ({ rate: vatRateOf(line, rates), net: at(line.total) }));
  const byRate = Map.groupBy(costs, ({ rate }) => rate);
  return new Map([...byRate].flatMap(([rate, each]) => (rate === null ? [] : [[rate, total(each.map(({ net }) => net))]])));
}

/** A negative fee that WooCommerce has spread over the rates of the basket, by what is sold at each; null if its taxes say otherwise. */
export function asSpread(line: WooLine, { paid, currency, rates, costs }: Spread): RatePart[] | null {
  const taxes = taxesByRate(line, rates);
  const money = asMoney(paid, currency);
  const all = total([...costs.values()]);
  if (!isNegative(line.total) || taxes === null || taxes.length < 2 || money === null || all.isZero()) return null;
  const whole = at(line.total);
  const nets = [...costs].map(([rate, cost]) => withTax(rate, shareOf(whole, cost, all)));
  const known = taxes.every(({ rate }) => costs.has(rate)) && nets.every(({ rate, tax }) => isNear(tax, taxOf(taxes, rate), at(rates.smallest)));
  return known ? inMoney(nets, money, currency) : null;
}

/**
 * A line that bears several rates, by its taxes alone: each rate's net is what its tax comes from, and the rest bears none. The parts add up to
 * `paid`, which is money. Null if its taxes do not explain it.
 */
export function byTaxes(line: WooLine, { paid, currency, rates }: Omit<Spread, 'costs'>): RatePart[] | null {
  const charged = (taxesByRate(line, rates) ?? []).filter(({ tax }) => !at(tax).isZero());
  const money = asMoney(paid, currency);
  if (money === null || charged.length < (isNegative(line.total) ? 1 : 2)) return null;
  const half = at(rates.smallest).div(2n);
  const nets = charged.map(({ rate, tax }) => ({ rate, tax: at(tax), net: netOf(decimal(tax), rate), tolerance: netOf(half, rate) }));
  const whole = at(line.total);
  const rest = whole.minus(total(nets.map(({ net }) => net)));
  if (nets.some(({ net }) => net.gt(0n) !== whole.gt(0n))) return null;
  if (isNear(rest, ZERO, half.plus(total(nets.map(({ tolerance }) => tolerance))))) return inMoney(shared(nets, rest), money, currency);
  return rest.gt(0n) === whole.gt(0n) ? inMoney([...nets, { rate: '0', net: rest, tax: ZERO }], money, currency) : null;
}

function at(amount: string): Decimal {
  return decimal(amount).toDecimalPlaces(SCALE);
}

/** Cut off at `SCALE`. */
function shareOf(amount: Decimal, part: Decimal, whole: Decimal): Decimal {
  return amount.times(part).divToInt(whole.times(SMALLEST)).times(SMALLEST);
}

function withTax(rate: string, net: Decimal): Net {
  return { rate, net, tax: quotient(net.times(decimal(rate)), decimal(100), SCALE) };
}

/** The net amount from which a tax comes, at `SCALE`. */
function netOf(tax: Decimal, rate: string): Decimal {
  return quotient(tax.times(100n), decimal(rate), SCALE);
}

function taxOf(taxes: readonly { rate: string; tax: string }[], rate: string): Decimal {
  return at(taxes.find((each) => each.rate === rate)?.tax ?? '0');
}

function isNear(a: Decimal, b: Decimal, most: Decimal): boolean {
  return a.minus(b).abs().lte(most);
}

// The lower the rate, the less exactly its tax says from what it comes.
function shared(nets: Uncertain[], rest: Decimal): Net[] {
  const tolerance = total(nets.map((each) => each.tolerance));
  return nets.map((each) => ({ ...each, net: each.net.plus(shareOf(rest, each.tolerance, tolerance)) }));
}

/** The cents that rounding leaves are put on the largest part. */
function inMoney(nets: Net[], money: string, currency: string): RatePart[] {
  const decimals = decimalsOf(currency);
  const parts = nets.map(({ rate, net, tax }) => ({ rate, paid: net.plus(tax).toDecimalPlaces(decimals) }));
  const largest = parts.reduce((a, b) => (b.paid.abs().gt(a.paid.abs()) ? b : a));
  const left = decimal(money).minus(total(parts.map(({ paid }) => paid)));
  return parts
    .map(({ rate, paid }) => ({ rate, paid: rate === largest.rate ? paid.plus(left) : paid }))
    .flatMap(({ rate, paid }) => (paid.isZero() ? [] : [{ rate, paid: fixed(paid, decimals) }]));
}
