import { decimal } from '../../../contract/decimal.ts';
import { addUp, isNegative, isZero, trimZeros } from '../amounts.ts';
import type { WooLine, WooTaxLine } from './payload.ts';

type Tax = { id: string; total: string; subtotal: string };

/** The order's own table of rates, and the smallest amount of its shop ("0.01"). */
export type Rates = { listed: readonly WooTaxLine[]; smallest: string };

/**
 * The VAT rate of a line in percent ("20"), by the order's own table of rates; "0" for an untaxed line, null if it is unclear:
 * several taxes at once, a rate that the order does not list, or a tax that the rate does not explain.
 */
export function vatRateOf(line: WooLine, rates: Rates): string | null {
  const taxes = decisive(taxesOf(line));
  if (taxes.length === 0) return isUntaxed(line) ? '0' : null;
  const [rate, ...others] = taxes.map((tax) => percentOf(tax, rates.listed));
  if (typeof rate !== 'string' || others.some((other) => other !== '0' || rate !== '0')) return null;
  return explains(rate, line, rates.smallest) ? rate : null;
}

/** The taxes of a line by their rates, without those of 0 %; null if the order does not list one of them. */
export function taxesByRate(line: WooLine, rates: Rates): { rate: string; tax: string }[] | null {
  const taxes = taxesOf(line).map((tax) => ({ rate: percentOf(tax, rates.listed), tax: tax.total }));
  const known = taxes.flatMap(({ rate, tax }) => (rate === undefined ? [] : [{ rate, tax }]));
  if (known.length < taxes.length) return null;
  const byRate = Map.groupBy(known, ({ rate }) => rate);
  return [...byRate].flatMap(([rate, each]) => (rate === '0' ? [] : [{ rate, tax: addUp(each.map(({ tax }) => tax)) }]));
}

// A tax without an amount does not apply to the line.
function taxesOf({ taxes }: WooLine): Tax[] {
  return (taxes ?? []).flatMap(({ id, total, subtotal }) => (typeof total === 'string' ? [{ id, total, subtotal }] : []));
}

function isUntaxed({ total_tax, subtotal_tax }: WooLine): boolean {
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
function explains(rate: string, { total, total_tax }: WooLine, smallest: string): boolean {
  const expected = decimal(total).times(decimal(rate)).div(100n);
  const gap = expected.minus(decimal(total_tax)).abs();
  const [cents, unit] = [decimal('0.05'), decimal(smallest)];
  return gap.lte((unit.gt(cents) ? unit : cents).plus(expected.abs().div(100n)));
}
