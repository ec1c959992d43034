import { decimalsOf, numberText, padDecimals, shiftPoint } from './decimal-text.ts';
import type { AmountDialect } from './encode-order.ts';
import { limits } from './limits.ts';
import { type CreateOrderDto, createOrderDto, type LineItemDto } from './order-dto.ts';
import { presentCustomer } from './present-customer.ts';
import type { Customer, RecordLine, TaxRecord } from './record.ts';
import { type FieldError, fieldErrors } from './schema-errors.ts';

/** A received order; amounts are decimal text with as many decimals as its precision. */
export type ReceivedOrder = { record: TaxRecord; customer: Customer | null; shopId: string };

export type DecodedOrder = { ok: true; order: ReceivedOrder } | { ok: false; errors: FieldError[] };

/** Reads a parsed `CreateOrderDto` in a dialect: the inverse of `encodeOrder`. Returns all bad fields at once. */
export function decodeOrder(body: unknown, dialect: AmountDialect): DecodedOrder {
  const parsed = createOrderDto.safeParse(body, { reportInput: true });
  if (!parsed.success) return { ok: false, errors: fieldErrors(parsed.error.issues) };
  const dto = parsed.data;
  const errors: FieldError[] = [];
  const lineItems = dto.lineItems.map((line, i) => decodeLine(line, { precision: dto.precision, dialect, at: `lineItems[${i}]`, errors }));
  return errors.length > 0
    ? { ok: false, errors }
    : { ok: true, order: { record: toRecord(dto, lineItems), customer: presentCustomer(dto.customer), shopId: dto.shopId } };
}

function toRecord(dto: CreateOrderDto, lineItems: RecordLine[]): TaxRecord {
  const { internalId, internalNumber, internalCreatedAt, paymentType, paymentProcessorName = null, transactionId = null, precision, currency } = dto;
  return { internalId, internalNumber, internalCreatedAt, lineItems, paymentType, paymentProcessorName, transactionId, precision, currency };
}

type Reading = { precision: number; dialect: AmountDialect; at: string; errors: FieldError[] };

function decodeLine(line: LineItemDto, reading: Reading): RecordLine {
  const { name, quantity, vatGroup } = line;
  if (decimalsIn(quantity) > limits.quantityDecimals) reject(reading, 'quantity', `must have ${limits.quantityDecimals} decimals at most`);
  const price = decodeAmount(line.price, 'price', reading);
  const discount = decodeAmount(line.discount ?? 0, 'discount', reading);
  return { name, quantity, price, discount, vatRate: decodeRate(line.vatRate, reading), vatGroup };
}

function decodeAmount(value: number, field: string, reading: Reading): string {
  const { precision, dialect } = reading;
  const inMinor = dialect.amounts === 'minor';
  const written = numberText(value);
  if (written === null || decimalsOf(written) > (inMinor ? 0 : precision)) {
    return reject(reading, field, inMinor ? 'must be a whole number of minor units' : `must have ${precision} decimals at most, as precision says`);
  }
  const amount = inMinor ? shiftPoint(written, -precision) : written;
  return Number(amount) >= limits.amountBelow ? reject(reading, field, `must be less than ${limits.amountBelow}`) : padDecimals(amount, precision);
}

function decodeRate(value: number, reading: Reading): string {
  const written = numberText(value);
  const percent = written !== null && reading.dialect.vatRate === 'fraction' ? shiftPoint(written, 2) : written;
  if (percent !== null && decimalsOf(percent) <= limits.vatRateDecimals) return percent;
  return reject(reading, 'vatRate', `must have ${limits.vatRateDecimals} decimals at most, in percent`);
}

function decimalsIn(value: number): number {
  const written = numberText(value);
  return written === null ? Number.POSITIVE_INFINITY : decimalsOf(written);
}

function reject({ at, errors }: Reading, field: string, message: string): string {
  errors.push({ path: `${at}.${field}`, message });
  return '0';
}
