import { formatMoney } from '../../../contract/money.ts';
import { isVisible } from '../../../contract/text.ts';
import type { DraftLine, LineKind } from '../../order/facts.ts';
import type { Problem } from '../../order/failure.ts';
import { asMoney, isNegative, isZero, roundedMoney, subtract, trimZeros } from '../amounts.ts';
import { asSpread, byTaxes, costsOf, type RatePart, type Spread } from './by-rate.ts';
import { type LineMoney, moneyOf, type WooBody } from './line-money.ts';
import type { WooLine } from './payload.ts';
import { vatRateOf } from './vat-rate.ts';

type Read = { lines: DraftLine[]; problems: Problem[] };
type Context = Omit<Spread, 'paid'>;

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

type Given = { line: WooLine; kind: LineKind };

function given(lines: WooLine[], kind: LineKind): Given[] {
  return lines.map((line) => ({ line, kind }));
}

function readLine({ line, kind, money }: Given & { money: LineMoney }, context: Context): Read {
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
  const takenOff = !isNegative(paid) && !isNegative(subtract(before, paid));
  return { gross: takenOff ? before : paid, paid };
}

function quantityOf({ quantity }: WooLine): string | null {
  const isSome = typeof quantity === 'string' && !isZero(quantity) && !isNegative(quantity);
  return isSome ? trimZeros(quantity) : null;
}
