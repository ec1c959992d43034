import { decimal } from '../../contract/decimal.ts';
import { decimalsOf, formatMoney, parseMoney } from '../../contract/money.ts';
import type { EffectiveRefund } from './effective-refunds.ts';
import type { Problem } from './failure.ts';
import { canonicalRate } from './vat-groups.ts';
import type { OrderView } from './view.ts';

/** Decimals of a quantity as a bigint: "0.5" is 0.5 × ONE. */
const QUANTITY_DECIMALS = 18;
export const ONE = 10n ** BigInt(QUANTITY_DECIMALS);
const MOST_UNITS = 1_000_000_000n * ONE;

/** A line in minor units. `gross` less `discount` is what the customer pays for it; below zero for a fee that is a discount. */
export type MoneyLine = { id: string; name: string; quantity: bigint; gross: bigint; discount: bigint; vatRate: string; partOf?: string };
/** A refund in minor units, with what the lines have left out of it already; `lines` null where it names none. */
export type MoneyRefund = { id: string; amount: bigint; settled: bigint; lines: ReturnedLine[] | null };
export type ReturnedLine = { lineId: string; quantity: bigint; amount: bigint };

/** The amounts of an order and its refunds, and the problems in them; a number that can't be read counts as zero. */
export type OrderMoney = { total: bigint; mayBeOff: bigint; lines: MoneyLine[]; refunds: MoneyRefund[]; problems: Problem[] };

export function netOf({ gross, discount }: Pick<MoneyLine, 'gross' | 'discount'>): bigint {
  return gross - discount;
}

/** Reads every amount and quantity of an order; reports all inexact ones together. */
export function readMoney(view: OrderView): OrderMoney {
  const reader = new MoneyReader(view.currency);
  const total = reader.money(view.total, 'the total');
  const mayBeOff = wholeUnits(view.mayBeOff ?? '0', view.currency);
  const lines = view.lines.map((line) => readLine(line, reader));
  const refunds = view.refunds.map((refund) => readRefund(refund, reader));
  return { total, mayBeOff, lines, refunds, problems: reader.problems };
}

// Halves of the smallest amount add up: only whole ones can be put on a line. What can't be read explains nothing.
function wholeUnits(text: string, currency: string): bigint {
  const precise = parseMoney(text, QUANTITY_DECIMALS) ?? 0n;
  return precise / 10n ** BigInt(QUANTITY_DECIMALS - decimalsOf(currency));
}

function readLine({ id, name, vatRate, partOf, ...text }: OrderView['lines'][number], reader: MoneyReader): MoneyLine {
  const where = `line "${name}"`;
  const quantity = reader.quantity(text.quantity, where);
  const gross = reader.money(text.gross, where);
  const discount = reader.money(text.discount, `the discount of ${where}`);
  if (discount < 0n || (gross >= 0n && discount > gross)) reader.inexpressible(`The discount of ${where} is ${text.discount} off ${text.gross}.`);
  if (quantity === 0n) reader.inexpressible(`The quantity of ${where} is ${text.quantity}.`);
  return { id, name, quantity, gross, discount, vatRate: canonicalRate(vatRate), ...(partOf === undefined ? {} : { partOf }) };
}

function readRefund({ id, amount, lines, settled = '0' }: EffectiveRefund, reader: MoneyReader): MoneyRefund {
  const where = `refund ${id}`;
  const returned = lines?.map((line) => ({
    lineId: line.lineId,
    quantity: reader.quantity(line.quantity, where),
    amount: reader.money(line.amount, where),
  }));
  return { id, amount: reader.money(amount, where), settled: reader.money(settled, where), lines: returned ?? null };
}

class MoneyReader {
  readonly problems: Problem[] = [];
  readonly #currency: string;

  constructor(currency: string) {
    this.#currency = currency;
  }

  money(text: string, where: string): bigint {
    const minor = parseMoney(text, decimalsOf(this.#currency));
    if (minor === undefined) this.problems.push({ code: 'amount.inexact', detail: `The amount ${text} of ${where} is not exact in ${this.#currency}.` });
    return minor ?? 0n;
  }

  quantity(text: string, where: string): bigint {
    const quantity = parseMoney(text, QUANTITY_DECIMALS);
    if (quantity !== undefined && quantity >= 0n && quantity <= MOST_UNITS) return quantity;
    this.inexpressible(`The quantity ${text} of ${where} can’t be recorded.`);
    return ONE;
  }

  inexpressible(detail: string): void {
    this.problems.push({ code: 'order.inexpressible', detail });
  }
}

/** Is this a number of whole pieces? */
export function isWhole(quantity: bigint): boolean {
  return quantity % ONE === 0n;
}

/** "0.5" for half of ONE: no trailing zeros. */
export function quantityText(quantity: bigint): string {
  return decimal(formatMoney(quantity, QUANTITY_DECIMALS)).toString();
}
