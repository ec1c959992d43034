import { decimal, decimalsIn, fixed, unitOf } from './decimal.ts';
import type { AmountDialect } from './encode-order.ts';
import { limits } from './limits.ts';
import { formatMoney } from './money.ts';
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
  if (!hasDecimals(quantity, limits.quantityDecimals)) reject(reading, 'quantity', `must have ${limits.quantityDecimals} decimals at most`);
  const price = decodeAmount(line.price, 'price', reading);
  const discount = decodeAmount(line.discount ?? 0, 'discount', reading);
  return { name, quantity, price, discount, vatRate: decodeRate(line.vatRate, reading), vatGroup };
}

function decodeAmount(value: number, field: string, reading: Reading): string {
  const { precision, dialect } = reading;
  const inMinor = dialect.amounts === 'minor';
  if (!hasDecimals(value, inMinor ? 0 : precision)) {
    return reject(reading, field, inMinor ? 'must be a whole number of minor units' : `must have ${precision} decimals at most, as precision says`);
  }
  const amount = inMinor ? formatMoney(BigInt(value), precision) : fixed(decimal(value), precision);
  return Number(amount) < limits.amountBelow ? amount : reject(reading, field, `must be less than ${limits.amountBelow}`);
}

function decodeRate(value: number, reading: Reading): string {
  const finer = reading.dialect.vatRate === 'fraction' ? 2 : 0;
  if (hasDecimals(value, limits.vatRateDecimals + finer)) return decimal(value).div(unitOf(finer)).toString();
  return reject(reading, 'vatRate', `must have ${limits.vatRateDecimals} decimals at most, in percent`);
}

/** Not if it needs an exponent, as only numbers far outside the limits do. */
function hasDecimals(value: number, most: number): boolean {
  const written = String(value);
  return !written.includes('e') && decimalsIn(written) <= most;
}

function reject({ at, errors }: Reading, field: string, message: string): string {
  errors.push({ path: `${at}.${field}`, message });
  return '0';
}
