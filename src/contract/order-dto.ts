import { z } from 'zod';
import { hasUsualOffset, OFFSET_TOO_LARGE } from './day.ts';
import { decimal, decimalsIn, fixed, unitOf } from './decimal.ts';
import type { Dialect } from './dialect.ts';
import { limits } from './limits.ts';
import { formatMoney, parseMoney } from './money.ts';
import type { Customer, RecordLine, TaxRecord } from './record.ts';
import { type FieldError, fieldErrors } from './schema-errors.ts';
import { anyText, fittingText, text } from './text.ts';

// Room for minor units of the largest amount; the exact limit is checked once the unit is known (see `decodeOrder`).
const amount = z
  .number()
  .min(0, 'must not be negative')
  .lt(limits.amountBelow * 10 ** limits.precision, 'is too large');

/** Buyer data. Only lengths are checked: a tax record must not be refused for a buyer's mistyped phone number. */
const customerDto = z.strictObject({
  email: anyText(limits.customerEmail).optional().describe('E-mail address; the receipt is sent to it. Needed if receipts are to be mailed.'),
  phone: anyText(limits.customerPhone).optional(),
  firstName: anyText(limits.customerName).optional(),
  lastName: anyText(limits.customerName).optional(),
});

/** The closed sets of the interface that its documentation leaves open. `docs/compliance-api.md` lists them. */
export const VAT_GROUPS = ['GROUP_A', 'GROUP_B', 'GROUP_C', 'GROUP_D'] as const;

const lineItemDto = z.strictObject({
  name: text(limits.lineName).describe('What was sold.'),
  quantity: z.number().positive('must be above zero').max(limits.quantity, `must be ${limits.quantity} at most`).describe('How many; three decimals at most.'),
  price: amount.describe('Price of one with VAT, before the discount, in the unit of the API key; no more decimals than `precision`, below 1000000000.'),
  discount: amount
    .optional()
    .describe(
      'Money taken off the whole line, with VAT, in the unit of the API key; at most price × quantity, with no more decimals than `precision`. 0 if left out.',
    ),
  vatRate: z
    .number()
    .min(0, 'must not be negative')
    .max(100, 'must be 100 at most')
    .describe('VAT rate in percent (20) or as a fraction (0.2), as the API key says.'),
  vatGroup: z.enum(VAT_GROUPS).describe('VAT group of the line; its rate on the day of the order must be `vatRate`.'),
});

export const PAYMENT_TYPES = ['PAYMENT_PROCESSOR', 'VIRTUAL_POS', 'POSTAL_PAYMENT', 'BANK_TRANSFER', 'FISCAL_RECEIPT', 'OTHER'] as const;

const WITH_OFFSET = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)$/;

/** An ISO 8601 timestamp, with or without an offset. Those with one are read into the form of RFC 3339: +0200 and +03 as +02:00 and +03:00, no seconds as :00. */
const timestamp = z
  .string()
  .overwrite(rfc3339)
  .check(z.iso.datetime({ offset: true, local: true, error: 'must be an ISO 8601 timestamp' }))
  .refine(hasUsualOffset, OFFSET_TOO_LARGE);

/** CreateOrderDto: the shape of an order on the wire. Amounts are in the unit of the API key (see `Dialect`). */
export const createOrderDto = z.strictObject({
  internalId: text(limits.internalId).describe('The caller’s own identifier; a shop has one recorded order with it at most.'),
  internalNumber: text(limits.internalNumber).describe('The caller’s own order number, as the buyer knows it.'),
  internalCreatedAt: timestamp.describe('When the order was made, from 2000 to tomorrow in Bulgaria; without an offset it is Bulgarian time.'),
  customer: customerDto.optional().describe('The buyer, as far as known.'),
  lineItems: z
    .array(lineItemDto)
    .min(1, 'must hold at least one line')
    .max(limits.lineItems, `must hold ${limits.lineItems} lines at most`)
    .describe('What was sold, shipping and fees included; before discounts less than 100000000000 together.'),
  paymentType: z.enum(PAYMENT_TYPES).describe('How the order was paid: PAYMENT_PROCESSOR needs `paymentProcessorName`, VIRTUAL_POS needs `transactionId`.'),
  paymentProcessorName: text(limits.paymentProcessorName)
    .optional()
    .describe('Name of the payment processor, or number of the virtual POS. Required with PAYMENT_PROCESSOR.'),
  transactionId: text(limits.transactionId).optional().describe('The processor’s identifier of the transaction. Required with VIRTUAL_POS.'),
  precision: z
    .int('must be a whole number')
    .min(0, 'must be 0 or more')
    .max(limits.precision, `must be ${limits.precision} at most`)
    .describe('How many decimals amounts have; no more than the currency: 2 for EUR, 0 for JPY.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a currency code of three capital letters')
    .describe('Currency of all amounts, ISO 4217.'),
  shopId: z.guid('must be a UUID').describe('The shop that the order belongs to.'),
});

// Another service may have other groups and payment types than ours: those sent are typed as text, those we accept are checked above.
export type LineItemDto = Omit<z.output<typeof lineItemDto>, 'vatGroup'> & { vatGroup: string };
export type CreateOrderDto = Omit<z.output<typeof createOrderDto>, 'lineItems' | 'paymentType'> & { lineItems: LineItemDto[]; paymentType: string };

function rfc3339(text: string): string {
  const [, minutes, seconds = ':00', offset] = WITH_OFFSET.exec(text) ?? [];
  return minutes === undefined || offset === undefined ? text : `${minutes}${seconds}${wholeOffset(offset)}`;
}

function wholeOffset(offset: string): string {
  if (offset === 'Z' || offset.includes(':')) return offset;
  return `${offset.slice(0, 3)}:${offset.slice(3).padEnd(2, '0')}`;
}

/** When an order was delivered: it is listed by the file of that month. */
export const deliveredDto = z.strictObject({
  at: createOrderDto.shape.internalCreatedAt.describe('When the order was delivered, ISO 8601; without an offset it is Bulgarian time.'),
});

export const RETURN_PAYMENT_METHODS = ['IBAN', 'CARD', 'CASH', 'OTHER'] as const;

/** Payment types with a receipt, the sale document of art. 52о: payments in absence, by card or through a payment service. */
export const typesWithReceipt: ReadonlySet<string> = new Set(['PAYMENT_PROCESSOR', 'VIRTUAL_POS']);

/** Payment types that a shop may leave out of its audit files (`auditNoReceiptOrders`): the postal money order is their document. */
export const typesWithoutReceipt: ReadonlySet<string> = new Set(['POSTAL_PAYMENT']);

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

/** Reads a parsed `CreateOrderDto` in a dialect: the inverse of `encodeOrder`. Returns all bad fields at once. */
export function decodeOrder(body: unknown, dialect: AmountDialect): { ok: true; order: ReceivedOrder } | { ok: false; errors: FieldError[] } {
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

/** Buyer data without empty parts and as `customerDto` takes them; null if nothing remains, so that `customer` is left out. */
function presentCustomer(customer: CreateOrderDto['customer'] | null): Customer | null {
  const fitting = (field: keyof Customer, max: number) => fittingText(customer?.[field] ?? '', max);
  const [phone, firstName, lastName] = [
    fitting('phone', limits.customerPhone),
    fitting('firstName', limits.customerName),
    fitting('lastName', limits.customerName),
  ];
  // A part of an address leads to somebody else.
  const email = fitting('email', limits.customerEmail) === customer?.email && customer.email;
  const present = { ...(email && { email }), ...(phone && { phone }), ...(firstName && { firstName }), ...(lastName && { lastName }) };
  return Object.keys(present).length === 0 ? null : present;
}
