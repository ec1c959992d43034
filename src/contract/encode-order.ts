import { decimal, unitOf } from './decimal.ts';
import type { Dialect } from './dialect.ts';
import { parseMoney } from './money.ts';
import type { CreateOrderDto, LineItemDto } from './order-dto.ts';
import { presentCustomer } from './present-customer.ts';
import type { Customer, RecordLine, TaxRecord } from './record.ts';

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
