import { type Decimal, decimal, quotient, rounded } from '../../../contract/decimal.ts';
import { decimalsOf, formatMoney, parseMoney, sum } from '../../../contract/money.ts';
import { isNegative } from '../amounts.ts';
import type { WooLine } from './payload.ts';
import { type Rates, taxesByRate, vatRateOf } from './vat-rate.ts';

/** The part of a line's money that bears one rate: "-1.54" at "20". */
export type RatePart = { rate: string; paid: string };

/** What the lines of an order cost at each rate, without VAT. */
export type Costs = ReadonlyMap<string, bigint>;

export type Spread = { paid: string; currency: string; rates: Rates; costs: Costs };

/** Decimals of net amounts here. */
const SCALE = 12;

type Net = { rate: string; net: bigint; tax: bigint };
type Uncertain = Net & { tolerance: bigint };

/** Discounts do not count: WooCommerce spreads a negative fee over what the others cost. A line of unclear rate is left out. */
export function costsOf(lines: readonly WooLine[], rates: Rates): Costs {
  const costs = lines.filter(({ total }) => !isNegative(total)).map((line) => ({ rate: vatRateOf(line, rates), net: at(line.total) }));
  const byRate = Map.groupBy(costs, ({ rate }) => rate);
  return new Map([...byRate].flatMap(([rate, each]) => (rate === null ? [] : [[rate, sum(each.map(({ net }) => net))]])));
}

/** A negative fee that WooCommerce has spread over the rates of the basket, by what is sold at each; null if its taxes say otherwise. */
export function asSpread(line: WooLine, { paid, currency, rates, costs }: Spread): RatePart[] | null {
  const taxes = taxesByRate(line, rates);
  const money = parseMoney(paid, decimalsOf(currency));
  const all = sum([...costs.values()]);
  if (!isNegative(line.total) || taxes === null || taxes.length < 2 || money === undefined || all === 0n) return null;
  const whole = at(line.total);
  const nets = [...costs].map(([rate, cost]) => withTax(rate, (whole * cost) / all));
  const known = taxes.every(({ rate }) => costs.has(rate)) && nets.every(({ rate, tax }) => isNear(tax, taxOf(taxes, rate), at(rates.smallest)));
  return known ? inMoney(nets, money, currency) : null;
}

/**
 * A line that bears several rates, by its taxes alone: each rate's net is what its tax comes from, and the rest bears none. The parts add up to
 * `paid`, which is money. Null if its taxes do not explain it.
 */
export function byTaxes(line: WooLine, { paid, currency, rates }: Omit<Spread, 'costs'>): RatePart[] | null {
  const charged = (taxesByRate(line, rates) ?? []).filter(({ tax }) => at(tax) !== 0n);
  const money = parseMoney(paid, decimalsOf(currency));
  if (money === undefined || charged.length < (isNegative(line.total) ? 1 : 2)) return null;
  const half = at(rates.smallest) / 2n;
  const nets = charged.map(({ rate, tax }) => ({ rate, tax: at(tax), net: netOf(decimal(tax), rate), tolerance: netOf({ units: half, scale: SCALE }, rate) }));
  const whole = at(line.total);
  const rest = whole - sum(nets.map(({ net }) => net));
  if (nets.some(({ net }) => net > 0n !== whole > 0n)) return null;
  if (isNear(rest, 0n, half + sum(nets.map(({ tolerance }) => tolerance)))) return inMoney(shared(nets, rest), money, currency);
  return rest > 0n === whole > 0n ? inMoney([...nets, { rate: '0', net: rest, tax: 0n }], money, currency) : null;
}

function at(amount: string): bigint {
  return rounded(decimal(amount), SCALE);
}

function withTax(rate: string, net: bigint): Net {
  const { units, scale } = decimal(rate);
  return { rate, net, tax: quotient(net * units, 100n, -scale) };
}

/** The net amount from which a tax comes, at `SCALE`. */
function netOf(tax: Decimal, rate: string): bigint {
  const { units, scale } = decimal(rate);
  return quotient(tax.units * 100n, units, SCALE + scale - tax.scale);
}

function taxOf(taxes: readonly { rate: string; tax: string }[], rate: string): bigint {
  return at(taxes.find((each) => each.rate === rate)?.tax ?? '0');
}

function isNear(a: bigint, b: bigint, most: bigint): boolean {
  return magnitude(a - b) <= most;
}

// The lower the rate, the less exactly its tax says from what it comes.
function shared(nets: Uncertain[], rest: bigint): Net[] {
  const tolerance = sum(nets.map((each) => each.tolerance));
  return nets.map((each) => ({ ...each, net: each.net + (rest * each.tolerance) / tolerance }));
}

/** The cents that rounding leaves are put on the largest part. */
function inMoney(nets: Net[], money: bigint, currency: string): RatePart[] {
  const decimals = decimalsOf(currency);
  const parts = nets.map(({ rate, net, tax }) => ({ rate, minor: rounded({ units: net + tax, scale: SCALE }, decimals) }));
  const largest = parts.reduce((a, b) => (magnitude(b.minor) > magnitude(a.minor) ? b : a));
  const left = money - sum(parts.map(({ minor }) => minor));
  return parts
    .map(({ rate, minor }) => ({ rate, minor: rate === largest.rate ? minor + left : minor }))
    .flatMap(({ rate, minor }) => (minor === 0n ? [] : [{ rate, paid: formatMoney(minor, decimals) }]));
}

function magnitude(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}
