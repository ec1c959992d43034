import { decimal, unitOf } from '../../contract/decimal.ts';
import type { Dialect } from '../../contract/dialect.ts';
import { decimalsOf, parseMoney } from '../../contract/money.ts';
import { type CreateOrderDto, type LineItemDto, type ReceivedOrder, toWire } from '../../contract/order-dto.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { FieldError } from '../../contract/schema-errors.ts';
import { type LineTotals, type OrderTotals, totalsOf } from '../../contract/totals.ts';
import { orderWarnings } from './order-rules.ts';
import type { OrderDoubts } from './questionable-orders.ts';

type LineSums = Record<keyof LineTotals, number>;

/**
 * The answer to creating an order: the fields that were sent, the id, the document number (ten digits), and the sums by the documented rules; amounts
 * are in the caller's unit.
 */
export type OrderDto = Omit<CreateOrderDto, 'lineItems'> &
  Record<Exclude<keyof OrderTotals, 'lines'>, number> & {
    lineItems: (LineItemDto & LineSums)[];
    id: string;
    /** Its document is no real one: it is of a test shop. */
    test?: true;
    documentNumber: string | null;
    createdAt: string;
    updatedAt: string;
    /** Accepted values that look wrong. */
    warnings: FieldError[];
  };

/** SQL of the `taxRecord` of a row of `compliance.orders o`. */
export const RECORD_OF_ORDER = `json_build_object('internalId', o.internal_id, 'internalNumber', o.internal_number, 'internalCreatedAt', o.internal_created_at,
  'lineItems', o.line_items, 'paymentType', o.payment_type, 'paymentProcessorName', o.payment_processor_name, 'transactionId', o.transaction_id,
  'precision', o.precision, 'currency', o.currency)`;

/** The sums of an order by the documented rules, in decimal text: VAT, and money without it, to the last decimal of the currency. */
export function recordTotals({ lineItems: lines, precision, currency }: TaxRecord): OrderTotals {
  return totalsOf({ lines, precision, vatDecimals: Math.max(precision, decimalsOf(currency)) });
}

type Stored = ReceivedOrder & {
  totals: OrderTotals;
  id: string;
  test: boolean;
  createdAt: string;
  documentNumber: string | null;
  doubts: OrderDoubts;
  dialect: Dialect;
};

/** An order can't be changed, so it was last updated when it was created. */
export function orderDto({ record, customer, shopId, totals, id, test, createdAt, documentNumber, doubts, dialect }: Stored): OrderDto {
  const amount = dialect.amounts === 'minor' ? (value: string) => minorUnits(value, record.precision) : Number;
  const sent = toWire({ record, customer, shopId }, dialect);
  return {
    id,
    ...sent,
    lineItems: sent.lineItems.map((line, i) => ({ ...line, ...lineSums(totals.lines[i], amount) })),
    total: amount(totals.total),
    netTotal: amount(totals.netTotal),
    totalVat: amount(totals.totalVat),
    totalDiscount: amount(totals.totalDiscount),
    ...(test && { test }),
    documentNumber,
    createdAt,
    updatedAt: createdAt,
    warnings: orderWarnings(record, createdAt, doubts),
  };
}

// VAT may have more decimals than the precision: then it is no whole number of these units.
function minorUnits(amount: string, precision: number): number {
  const minor = parseMoney(amount, precision);
  return minor === undefined ? decimal(amount).div(unitOf(precision)).toNumber() : Number(minor);
}

function lineSums(line: LineTotals | undefined, amount: (value: string) => number): LineSums {
  if (line === undefined) throw new RangeError('a line has no totals');
  const { netPrice, subtotalNet, priceVat, subtotalVat, subtotal } = line;
  return {
    netPrice: amount(netPrice),
    subtotalNet: amount(subtotalNet),
    priceVat: amount(priceVat),
    subtotalVat: amount(subtotalVat),
    subtotal: amount(subtotal),
  };
}
