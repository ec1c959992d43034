import { type Decimal, decimal, decimalsIn, fixed, quotient, total, unitOf, ZERO } from '../../../contract/decimal.ts';
import { decimalsOf, formatMoney, parseMoney, sum } from '../../../contract/money.ts';
import { isVisible } from '../../../contract/text.ts';
import type { DraftLine, LineKind } from '../../order/facts/facts.ts';
import type { Problem } from '../../order/facts/failure.ts';
import { addUp, asMoney, isNegative, isZero, roundedMoney, subtract, trimZeros } from '../amounts.ts';
import type { WooLine, WooOrder, WooTaxLine } from './payload.ts';

type Read = { lines: DraftLine[]; problems: Problem[] };

/** Items, shipping and fees as lines with VAT. A line that a tax record can't express is kept, and named among the problems. */
export function readLines(body: WooBody): Read & { mayBeOff?: string } {
  const { order, decimals } = body;
  const { of, ...off } = moneyOf(body);
  const rates = { listed: order.tax_lines, smallest: formatMoney(1n, decimals) };
  const all = [...given(order.line_items, 'item'), ...given(order.shipping_lines, 'shipping'), ...given(order.fee_lines, 'fee')];
  const context = {
    currency: order.currency,
    rates,
    costs: costsOf(
      all.map(({ line }) => line),
      rates,
    ),
  };
  const reads = all.map(({ line, kind }) => readLine({ line, kind, money: of(line) }, context));
  return { lines: reads.flatMap(({ lines }) => lines), problems: reads.flatMap(({ problems }) => problems), ...off };
}

type LineInput = { line: WooLine; kind: LineKind };

function given(lines: WooLine[], kind: LineKind): LineInput[] {
  return lines.map((line) => ({ line, kind }));
}

function readLine({ line, kind, money }: LineInput & { money: LineMoney }, context: Omit<Spread, 'paid'>): Read {
  const { currency } = context;
  const { gross, paid } = amountsOf(money, currency);
  const free = isZero(gross) && isZero(paid);
  const quantity = quantityOf(line);
  if (quantity === null && kind === 'item' && free) return { lines: [], problems: [] };
  const { parts, problems } = ratesOf(line, { ...context, paid });
  const inexact: Problem[] = asMoney(paid, currency) === null ? [{ code: 'amount.inexact', detail: `line ${line.id}: ${paid} ${currency}` }] : [];
  const draft: DraftLine = {
    id: line.id,
    // Plugins sell discounts as items or shipping below zero; only a fee may be that.
    kind: isNegative(gross) ? 'fee' : kind,
    name: [line.name, line.method_title, line.sku].find(isVisible) ?? kind,
    quantity: quantity ?? '1',
    gross,
    discount: roundedMoney(subtract(gross, paid), currency),
    vatRate: '0',
  };
  const [{ rate }, ...others] = parts;
  const lines = others.length === 0 ? [{ ...draft, vatRate: rate }] : parts.map((part, index) => partOf(draft, part, index));
  return { lines, problems: [...inexact, ...(free ? [] : problems)] };
}

/** The rates of a line, and what is paid at each: nearly always one. */
function ratesOf(line: WooLine, spread: Spread): { parts: [RatePart, ...RatePart[]]; problems: Problem[] } {
  const { paid, rates } = spread;
  const vatRate = vatRateOf(line, rates);
  const [first, ...others] = asSpread(line, spread) ?? (vatRate === null ? byTaxes(line, spread) : null) ?? [];
  if (first !== undefined) return { parts: [first, ...others], problems: [] };
  const problems: Problem[] = vatRate === null ? [{ code: 'vat.unclear', detail: `line ${line.id}: its taxes do not name one rate` }] : [];
  return { parts: [{ rate: vatRate ?? '0', paid }], problems };
}

function partOf(draft: DraftLine, { rate, paid }: RatePart, index: number): DraftLine {
  const part = { ...draft, gross: paid, discount: '0', vatRate: rate };
  return index === 0 ? part : { ...part, id: `${draft.id}:${rate}`, partOf: draft.id };
}

/** The amount before coupons counts as gross only if something was really taken off. */
function amountsOf(money: LineMoney, currency: string): { gross: string; paid: string } {
  const paid = asMoney(money.paid, currency);
  if (paid === null) return { gross: money.paid, paid: money.paid };
  const before = money.before === null ? paid : roundedMoney(money.before, currency);
  const isDiscounted = !isNegative(paid) && !isNegative(subtract(before, paid));
  return { gross: isDiscounted ? before : paid, paid };
}

function quantityOf({ quantity }: WooLine): string | null {
  const isSome = typeof quantity === 'string' && !isZero(quantity) && !isNegative(quantity);
  return isSome ? trimZeros(quantity) : null;
}

/** What a line costs before coupons (null: it does not say), and what is paid for it, with VAT. */
type LineMoney = { before: string | null; paid: string };

/** `mayBeOff`: how far the lines may be from the total, if they are off; absent: they add up to it, or the gap is not explained. */
type OrderMoney = { of(line: WooLine): LineMoney; mayBeOff?: string };

/** An order's body, and how many decimals its shop has. `exact`: it was asked for with all the decimals that the store keeps. */
type WooBody = { order: WooOrder; decimals: number; exact: boolean };

type Reading = (line: WooLine, currency: string) => LineMoney;

export function bodyOf(order: WooOrder, exact: boolean): WooBody {
  const shownAmounts = [order.total, ...linesOf(order).flatMap(({ total, total_tax }) => [total, total_tax])];
  return { order, exact, decimals: exact ? decimalsOf(order.currency) : mostDecimals(shownAmounts) };
}

/** The smallest amount of a shop, by amounts that it shows with all its decimals: "0.01", or "1" where it has none. */
export function smallestAmount(shownAmounts: string[]): string {
  return formatMoney(1n, mostDecimals(shownAmounts));
}

function mostDecimals(amounts: string[]): number {
  return Math.max(...amounts.map(decimalsIn));
}

/**
 * The money of an order's lines, by the first reading that adds up to its total: what is shown (`total + total_tax`), then the parts with more
 * decimals (`total` and `taxes[]`). WooCommerce rounds each amount that it shows, and with “Round tax at subtotal level” it adds up other ones:
 * a gap of half the shop's smallest amount per shown amount is then explained.
 */
function moneyOf(body: WooBody): OrderMoney {
  const { order, exact } = body;
  const first: Reading = exact ? rounded : shown;
  const readings = exact || hasLongerTaxes(order) ? [first, parts] : [first];
  const found = readings.map((reading) => ({ reading, gap: gapOf(order, reading) }));
  const exactly = found.find(({ gap }) => gap === 0n);
  if (exactly !== undefined) return reader(order, exactly.reading);
  const most = explainedGap(body);
  const nearly = found.findLast(({ gap }) => gap !== null && gap <= most);
  if (nearly === undefined) return reader(order, first);
  return { ...reader(order, nearly.reading), mayBeOff: formatMoney(most, decimalsOf(order.currency)) };
}

function reader({ currency }: WooOrder, reading: Reading): OrderMoney {
  return { of: (line) => reading(line, currency) };
}

function linesOf({ line_items, shipping_lines, fee_lines }: WooOrder): WooLine[] {
  return [...line_items, ...shipping_lines, ...fee_lines];
}

const shown: Reading = ({ subtotal, subtotal_tax, total, total_tax }) => ({
  before: typeof subtotal === 'string' ? addUp([subtotal, subtotal_tax]) : null,
  paid: addUp([total, total_tax]),
});

/** As a webhook shows them. */
const rounded: Reading = ({ subtotal, subtotal_tax, total, total_tax }, currency) => {
  const added = (amounts: string[]) => addUp(amounts.map((amount) => roundedMoney(amount, currency)));
  return { before: typeof subtotal === 'string' ? added([subtotal, subtotal_tax]) : null, paid: added([total, total_tax]) };
};

const parts: Reading = ({ subtotal, subtotal_tax, total, total_tax, taxes }, currency) => {
  const charged = (taxes ?? []).flatMap((tax) => tax.total ?? []);
  const before = (taxes ?? []).map((tax) => tax.subtotal);
  const added = (net: string, vat: string[], otherwise: string) => roundedMoney(addUp([net, ...(vat.length > 0 ? vat : [otherwise])]), currency);
  return { before: typeof subtotal === 'string' ? added(subtotal, before, subtotal_tax) : null, paid: added(total, charged, total_tax) };
};

function hasLongerTaxes(order: WooOrder): boolean {
  return linesOf(order).some(({ taxes, total_tax }) => (taxes ?? []).some(({ total }) => decimalsIn(total ?? '') > decimalsIn(total_tax)));
}

/** How far the lines are from the total, in minor units; null if one of these amounts is no money. */
function gapOf(order: WooOrder, reading: Reading): bigint | null {
  const decimals = decimalsOf(order.currency);
  const paid = linesOf(order).map((line) => parseMoney(reading(line, order.currency).paid, decimals));
  const known = paid.flatMap((amount) => (amount === undefined ? [] : [amount]));
  const owed = parseMoney(order.total, decimals);
  if (owed === undefined || known.length < paid.length) return null;
  const gap = sum(known) - owed;
  return gap < 0n ? -gap : gap;
}

// Net and VAT of each line are rounded, and the total; of exact ones, each line once, and the total.
function explainedGap({ order, decimals, exact }: WooBody): bigint {
  const amounts = linesOf(order).flatMap(({ total, total_tax }) => (exact ? [total] : [total, total_tax]).filter((amount) => !isZero(amount)));
  const coarser = decimalsOf(order.currency) - decimals;
  return coarser < 0 ? 0n : (BigInt(amounts.length + 1) * 10n ** BigInt(coarser)) / 2n;
}

/** The part of a line's money that bears one rate: "-1.54" at "20". */
type RatePart = { rate: string; paid: string };

/** What the lines of an order cost at each rate, without VAT. */
type Costs = ReadonlyMap<string, Decimal>;

type Spread = { paid: string; currency: string; rates: Rates; costs: Costs };

/** Decimals of net amounts here. */
const SCALE = 12;
const SMALLEST = unitOf(SCALE);

type Net = { rate: string; net: Decimal; tax: Decimal };

/** Discounts do not count: WooCommerce spreads a negative fee over what the others cost. A line of unclear rate is left out. */
function costsOf(lines: readonly WooLine[], rates: Rates): Costs {
  const costs = lines.filter(({ total }) => !isNegative(total)).map((line) => ({ rate: vatRateOf(line, rates), net: at(line.total) }));
  const byRate = Map.groupBy(costs, ({ rate }) => rate);
  return new Map([...byRate].flatMap(([rate, each]) => (rate === null ? [] : [[rate, total(each.map(({ net }) => net))]])));
}

/** A negative fee that WooCommerce has spread over the rates of the basket, by what is sold at each; null if its taxes say otherwise. */
function asSpread(line: WooLine, { paid, currency, rates, costs }: Spread): RatePart[] | null {
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
function byTaxes(line: WooLine, { paid, currency, rates }: Omit<Spread, 'costs'>): RatePart[] | null {
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
function shared(nets: (Net & { tolerance: Decimal })[], rest: Decimal): Net[] {
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

type Taxed = Pick<WooLine, 'total' | 'total_tax' | 'taxes'>;
type Tax = { id: string; total: string; subtotal: string };

/** The order's own table of rates, and the smallest amount of its shop ("0.01"). */
type Rates = { listed: readonly WooTaxLine[]; smallest: string };

/**
 * The VAT rate of a line in percent ("20"), by the order's own table of rates; "0" for an untaxed line, null if it is unclear:
 * several taxes at once, a rate that the order does not list, or a tax that the rate does not explain.
 */
export function vatRateOf(line: Taxed, rates: Rates): string | null {
  const taxes = decisive(taxesOf(line));
  if (taxes.length === 0) return isUntaxed(line) ? '0' : null;
  const [rate, ...others] = taxes.map((tax) => percentOf(tax, rates.listed));
  if (typeof rate !== 'string' || others.some((other) => other !== '0' || rate !== '0')) return null;
  return explains(rate, line, rates.smallest) ? rate : null;
}

/** The taxes of a line by their rates, without those of 0 %; null if the order does not list one of them. */
function taxesByRate(line: WooLine, rates: Rates): { rate: string; tax: string }[] | null {
  const taxes = taxesOf(line).map((tax) => ({ rate: percentOf(tax, rates.listed), tax: tax.total }));
  const known = taxes.flatMap(({ rate, tax }) => (rate === undefined ? [] : [{ rate, tax }]));
  if (known.length < taxes.length) return null;
  const byRate = Map.groupBy(known, ({ rate }) => rate);
  return [...byRate].flatMap(([rate, each]) => (rate === '0' ? [] : [{ rate, tax: addUp(each.map(({ tax }) => tax)) }]));
}

// A tax without an amount does not apply to the line.
function taxesOf({ taxes }: Taxed): Tax[] {
  return (taxes ?? []).flatMap(({ id, total, subtotal }) => (typeof total === 'string' ? [{ id, total, subtotal }] : []));
}

function isUntaxed({ total_tax, subtotal_tax = '0' }: Taxed & Partial<Pick<WooLine, 'subtotal_tax'>>): boolean {
  return isZero(total_tax) && isZero(subtotal_tax);
}

// A coupon can bring every tax to nothing; then the taxes before it show which one applies.
function decisive(taxes: readonly Tax[]): readonly Tax[] {
  const charged = taxes.filter((tax) => !isZero(tax.total));
  if (charged.length > 0) return charged;
  const beforeCoupons = taxes.filter((tax) => !isZero(tax.subtotal));
  return beforeCoupons.length > 0 ? beforeCoupons : taxes;
}

function percentOf(tax: Tax, rates: readonly WooTaxLine[]): string | undefined {
  const percent = rates.find((rate) => rate.rate_id === tax.id)?.rate_percent;
  return typeof percent === 'string' && !isNegative(percent) ? trimZeros(percent) : undefined;
}

/** Rounding moves a cent or two, or the shop's smallest amount; five cents and a percent more is another rate than the named one. */
function explains(rate: string, { total, total_tax }: Taxed, smallest: string): boolean {
  const expected = decimal(total).times(decimal(rate)).div(100n);
  const gap = expected.minus(decimal(total_tax)).abs();
  const [cents, unit] = [decimal('0.05'), decimal(smallest)];
  return gap.lte((unit.gt(cents) ? unit : cents).plus(expected.abs().div(100n)));
}
