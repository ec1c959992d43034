import { decimal, decimalsIn, fixed, unitOf } from './decimal.ts';
import type { Dialect } from './dialect.ts';
import { limits } from './limits.ts';
import { formatMoney, parseMoney } from './money.ts';
import { type CreateOrderDto, createOrderDto, type LineItemDto } from './order-dto.ts';
import type { Customer, RecordLine, TaxRecord } from './record.ts';
import { type FieldError, fieldErrors } from './schema-errors.ts';

/** How amounts and rates are written as JSON numbers. */
export type AmountDialect = Pick<Dialect, 'amounts' | 'vatRate'>;

type Sale = { record: TaxRecord; customer: Customer | null; shopId: string };

/** The `CreateOrderDto` of a tax record in decimal amounts and percent, for people. Absent values are left out. */
export function toDto(record: TaxRecord, customer: Customer | null, shopId: string): CreateOrderDto {
  return toWire({ record, customer, shopId }, { amounts: 'decimal', vatRate: 'percent' });
}

/** The exact JSON to send, in the service's dialect. Throws a RangeError if an amount has more decimals than the record's precision. */
export function encodeOrder({ dialect, ...sale }: Sale & { dialect: AmountDialect }): string {
  return JSON.stringify(toWire(sale, dialect));
}

/** The `CreateOrderDto` of a tax record in a dialect. */
export function toWire({ record, customer, shopId }: Sale, dialect: AmountDialect): CreateOrderDto {
  const buyer = presentCustomer(customer);
  const { internalId, internalNumber, internalCreatedAt, paymentProcessorName, transactionId, precision, currency } = record;
  return {
    internalId,
    internalNumber,
    internalCreatedAt,
    ...(buyer === null ? {} : { customer: buyer }),
    lineItems: record.lineItems.map((line) => encodeLine(line, precision, dialect)),
    paymentType: record.paymentType,
    ...(paymentProcessorName === null ? {} : { paymentProcessorName }),
    ...(transactionId === null ? {} : { transactionId }),
    precision,
    currency,
    shopId,
  };
}

function encodeLine({ name, quantity, price, discount, vatRate, vatGroup }: RecordLine, precision: number, dialect: AmountDialect): LineItemDto {
  const amount = (value: string) => encodeAmount(value, precision, dialect.amounts);
  return { name, quantity, price: amount(price), discount: amount(discount), vatRate: encodeRate(vatRate, dialect.vatRate), vatGroup };
}

/** Decimal text as the JSON number of a dialect: "12.90" at precision 2 is 12.9 or 1290. */
export function encodeAmount(value: string, precision: number, unit: Dialect['amounts']): number {
  const minor = parseMoney(value, precision);
  if (minor === undefined) throw new RangeError(`${value} has more than ${precision} decimals`);
  return Number(unit === 'minor' ? minor : value);
}

/** Percent text as the JSON number of a dialect: "25.5" is 25.5 or 0.255. */
export function encodeRate(percent: string, unit: Dialect['vatRate']): number {
  return unit === 'fraction' ? decimal(percent).times(unitOf(2)).toNumber() : Number(percent);
}

/** A received order; amounts are decimal text with as many decimals as its precision. */
export type ReceivedOrder = { record: TaxRecord; customer: Customer | null; shopId: string };

type DecodedOrder = { ok: true; order: ReceivedOrder } | { ok: false; errors: FieldError[] };

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

/** Buyer data without empty parts; null if nothing remains, so that `customer` is left out. */
function presentCustomer(customer: CreateOrderDto['customer'] | null): Customer | null {
  const { email, phone, firstName, lastName } = customer ?? {};
  const present = { ...(email && { email }), ...(phone && { phone }), ...(firstName && { firstName }), ...(lastName && { lastName }) };
  return Object.keys(present).length === 0 ? null : present;
}
