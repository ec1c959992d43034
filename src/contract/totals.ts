/**
 * The documented calculation rules of the compliance service. Money with VAT is computed exactly and rounded once, half up, at the order's precision. The
 * VAT of an order is computed once for each rate, from the sum of its subtotals, and split over its lines. Money without VAT is the difference. So net +
 * VAT is always the amount itself, and the VAT of an order is the sum of the VAT shown on its lines.
 */
import { type Decimal, decimal, decimalsIn, quotient } from './decimal.ts';
import { divideHalfUp, exactMoney, formatMoney, minorOf, parseMoney, sum } from './money.ts';

/** Decimal text, including VAT; `quantity` may be a JSON number; `vatRate` is in percent; `discount` is the reduction of the whole line. */
export type TotalsLine = { quantity: number | string; price: string; discount: string; vatRate: string };

/** Decimal text. `subtotalNet` is before the discount, `subtotalVat` and `subtotal` are after it. */
export type LineTotals = { netPrice: string; subtotalNet: string; priceVat: string; subtotalVat: string; subtotal: string };

export type OrderTotals = { lines: LineTotals[]; total: string; netTotal: string; totalVat: string; totalDiscount: string };

/** `vatDecimals`: of VAT and of money without it, where they are more than the precision; absent: the precision. */
type Taxed = { lines: readonly TotalsLine[]; precision: number; vatDecimals?: number };

/** All documented quantities of an order. Throws RangeError on text that is no plain decimal. */
export function totalsOf({ lines, precision, vatDecimals = precision }: Taxed): OrderTotals {
  const finer = 10n ** BigInt(vatDecimals - precision);
  const money = (minor: bigint): string => formatMoney(minor, precision);
  const fine = (minor: bigint): string => formatMoney(minor, vatDecimals);
  const parts = lines.map((line) => partsOf(line, precision));
  const after = splitVat(parts.map(({ gross, vatRate }) => ({ gross: gross * finer, vatRate })));
  const isDiscounted = parts.some(({ gross, before }) => gross !== before);
  const before = isDiscounted ? splitVat(parts.map((part) => ({ gross: part.before * finer, vatRate: part.vatRate }))) : after;
  const shown = parts.map((part, i) => {
    const priceVat = vatOfPrice(part, vatDecimals);
    return {
      netPrice: fine(part.one * finer - priceVat),
      subtotalNet: fine(part.before * finer - (before[i] ?? 0n)),
      priceVat: fine(priceVat),
      subtotalVat: fine(after[i] ?? 0n),
      subtotal: money(part.gross),
    };
  });
  const [total, vat] = [sum(parts.map(({ gross }) => gross)), sum(after)];
  const discount = sum(parts.map((part) => part.discount));
  return { lines: shown, total: money(total), netTotal: fine(total * finer - vat), totalVat: fine(vat), totalDiscount: money(discount) };
}

/** `totalVat` alone, in minor units. */
export function totalVatOf({ lines, precision }: Omit<Taxed, 'vatDecimals'>): bigint {
  return sum(splitVat(lines.map((line) => ({ gross: subtotalOf(line, precision), vatRate: line.vatRate }))));
}

/** A line after its discount, with VAT, in minor units. */
export function subtotalOf(line: TotalsLine, precision: number): bigint {
  return partsOf(line, precision).gross;
}

/** In minor units, with VAT: one piece, the line before its discount, and after it (`gross`). `price`: of one piece, not rounded. */
type Parts = Taxable & { price: string; one: bigint; before: bigint; discount: bigint };

function partsOf({ quantity, price, discount, vatRate }: TotalsLine, precision: number): Parts {
  const [one, off] = [parseMoney(price, precision), parseMoney(discount, precision)];
  // Whole pieces at a price in minor units, as nearly all are, need no decimals, which take ten times as long.
  if (one !== undefined && off !== undefined && Number.isSafeInteger(quantity)) {
    const before = one * BigInt(quantity);
    return { price, one, before, gross: before - off, discount: off, vatRate };
  }
  const [each, less] = [decimal(price), decimal(discount)];
  const whole = each.times(decimal(quantity));
  const minor = (amount: Decimal): bigint => minorOf(amount, precision);
  return { price, one: minor(each), before: minor(whole), gross: minor(whole.minus(less)), discount: minor(less), vatRate };
}

function vatOfPrice({ price, vatRate }: Parts, decimals: number): bigint {
  const exact = parseMoney(price, decimals);
  if (exact !== undefined) return vatIn(exact, partOfGross(vatRate));
  const rate = decimal(vatRate);
  return minorOf(quotient(decimal(price).times(rate), rate.plus(100n), decimals), decimals);
}

/** An amount with VAT in minor units, and its rate in percent, as decimal text. */
export type Taxable = { gross: bigint; vatRate: string };

/**
 * The VAT in each amount, in the same units. It is computed once for all amounts of a rate, rounded half up, and split by the largest remainder: each
 * part is the exact VAT of its amount, rounded up or down; of equal remainders the first is rounded up. Throws RangeError for a rate that is no plain decimal.
 */
export function splitVat(amounts: readonly Taxable[]): bigint[] {
  const parts = amounts.map(() => 0n);
  const indexed = amounts.map(({ gross, vatRate }, index) => ({ gross, vatRate, index }));
  for (const [vatRate, members] of Map.groupBy(indexed, (amount) => amount.vatRate)) {
    for (const { index, part } of splitOne(members, partOfGross(vatRate))) parts[index] = part;
  }
  return parts;
}

/** The share of VAT in money with VAT, rate / (100 + rate), in whole numbers. */
type Fraction = { above: bigint; below: bigint };

function partOfGross(vatRate: string): Fraction {
  const decimals = decimalsIn(vatRate);
  const above = exactMoney(vatRate, decimals);
  return { above, below: 100n * 10n ** BigInt(decimals) + above };
}

function vatIn(gross: bigint, { above, below }: Fraction): bigint {
  return divideHalfUp(gross * above, below);
}

type Share = { index: number; part: bigint; rest: bigint };

function splitOne(members: readonly { gross: bigint; index: number }[], part: Fraction): Share[] {
  const shares = members.map(({ gross, index }) => ({ index, ...roundedDown(gross * part.above, part.below) }));
  const whole = vatIn(sum(members.map(({ gross }) => gross)), part);
  const missing = Number(whole - sum(shares.map((share) => share.part)));
  if (missing === 0) return shares;
  for (const share of shares.toSorted(byRemainder).slice(0, missing)) share.part += 1n;
  return shares;
}

// The sort is stable: of equal remainders the first of the list stays first.
function byRemainder(a: Share, b: Share): number {
  return Number(b.rest > a.rest) - Number(b.rest < a.rest);
}

function roundedDown(dividend: bigint, divisor: bigint): { part: bigint; rest: bigint } {
  const [part, rest] = [dividend / divisor, dividend % divisor];
  return rest < 0n ? { part: part - 1n, rest: rest + divisor } : { part, rest };
}
