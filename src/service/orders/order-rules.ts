import { type Decimal, decimal, total, ZERO } from '../../contract/decimal.ts';
import { limits } from '../../contract/limits.ts';
import { decimalsOf, endedBy, isTied, LEVA_PER_EURO } from '../../contract/money.ts';
import type { RecordLine, TaxRecord } from '../../contract/record.ts';
import type { FieldError } from '../../contract/schema-errors.ts';
import { isTurned } from '../../contract/text.ts';
import { lacksNumber, processorId } from '../law/audit-codes.ts';
import { addDays, sofiaDay } from '../law/calendar.ts';
import { vatRateOn } from '../law/vat-rates.ts';
import type { OrderDoubts } from './questionable-orders.ts';

const FIRST_DAY = '2000-01-01';
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** All errors that the schema can't find: in the date, currency, payment, rates, discounts and sum of an order. */
export function orderErrors(record: TaxRecord, today: string): FieldError[] {
  const day = sofiaDay(record.internalCreatedAt);
  const gross = record.lineItems.map(({ price, quantity }) => decimal(price).times(decimal(quantity)));
  return [
    ...dayErrors('internalCreatedAt', day, today),
    ...currencyErrors(record),
    ...paymentErrors(record),
    ...(isCovered(day, today) ? rateErrors(record, day) : []),
    ...record.lineItems.flatMap((line, i) => discountErrors(line, gross[i] ?? ZERO, `lineItems[${i}]`)),
    ...sumErrors(gross),
  ];
}

// A caller's clock may be a little ahead; a sale in the future is a mistake, and no file could list it.
function isCovered(day: string, today: string): boolean {
  return day >= FIRST_DAY && day <= addDays(today, 1);
}

/** Of the day of a timestamp. */
export function dayErrors(path: string, day: string, today: string): FieldError[] {
  return isCovered(day, today) ? [] : [{ path, message: `must be between ${FIRST_DAY} and tomorrow (${addDays(today, 1)} in Bulgaria)` }];
}

function currencyErrors({ currency, precision }: TaxRecord): FieldError[] {
  // Units of account with four decimals are in ISO 4217, and not in the runtime's list.
  if (!currencies.has(currency) && decimalsOf(currency) !== 4) return [{ path: 'currency', message: 'is not a currency code of ISO 4217' }];
  const decimals = decimalsOf(currency);
  return precision <= decimals ? [] : [{ path: 'precision', message: `must be ${decimals} at most, for ${currency} has no smaller unit` }];
}

function paymentErrors(record: TaxRecord): FieldError[] {
  const { paymentType } = record;
  return neededFields
    .filter((needed) => needed.paymentType === paymentType && record[needed.field] === null)
    .map(({ field, why }) => ({ path: field, message: `is required with ${paymentType}: ${why}` }));
}

function rateErrors({ lineItems }: TaxRecord, day: string): FieldError[] {
  return lineItems.flatMap(({ vatGroup, vatRate }, i) => {
    const rate = vatRateOn(vatGroup, day);
    if (rate === vatRate) return [];
    const message = rate === undefined ? `${vatGroup} had no rate on ${day}` : `must be ${rate}, the rate of ${vatGroup} on ${day}`;
    return [{ path: `lineItems[${i}].vatRate`, message }];
  });
}

function discountErrors({ discount }: RecordLine, gross: Decimal, at: string): FieldError[] {
  return gross.lt(decimal(discount)) ? [{ path: `${at}.discount`, message: 'must not be more than price times quantity' }] : [];
}

function sumErrors(gross: readonly Decimal[]): FieldError[] {
  const fits = total(gross).lt(decimal(limits.totalBelow));
  return fits ? [] : [{ path: 'lineItems', message: `must cost less than ${limits.totalBelow} together` }];
}

const YEAR_DAYS = 366;

/** Warnings about values of an order that are accepted. `recordedAt`: ISO 8601. */
export function orderWarnings(record: TaxRecord, recordedAt: string, { twin, hasNoRates }: OrderDoubts): FieldError[] {
  return [
    ...dayWarnings(sofiaDay(record.internalCreatedAt), sofiaDay(recordedAt)),
    ...turnedWarnings(record),
    ...payeeWarnings(record),
    ...transactionWarnings(record, twin),
    ...currencyWarnings(record, hasNoRates),
  ];
}

function dayWarnings(day: string, today: string): FieldError[] {
  const path = 'internalCreatedAt';
  if (day > today) return [{ path, message: 'is after the day on which the order was recorded: see whether the caller’s clock is right' }];
  return day < addDays(today, -YEAR_DAYS) ? [{ path, message: 'is more than a year before the order was recorded: see whether it is this sale’s' }] : [];
}

function turnedWarnings({ internalNumber, lineItems }: TaxRecord): FieldError[] {
  const texts = [['internalNumber', internalNumber], ...lineItems.map(({ name }, i) => [`lineItems[${i}].name`, name])] as const;
  return texts
    .filter(([, text = '']) => isTurned(text))
    .map(([path = '']) => ({ path, message: 'has characters that turn the direction of text: it is read otherwise than it is written' }));
}

function payeeWarnings({ paymentType, paymentProcessorName }: TaxRecord): FieldError[] {
  if (paymentProcessorName === null) return [];
  if (paymentType === 'PAYMENT_PROCESSOR' && lacksNumber(processorId(paymentProcessorName)))
    return [{ path: 'paymentProcessorName', message: 'is a name without a number: the audit file must bear the provider’s ЕИК or VAT number and its name' }];
  if (paymentType === 'VIRTUAL_POS' && !/\d/.test(paymentProcessorName))
    return [{ path: 'paymentProcessorName', message: 'is written into the audit file as the number of the virtual POS, and has no digit' }];
  return [];
}

function transactionWarnings({ paymentType, transactionId }: TaxRecord, twin: string | null): FieldError[] {
  const path = 'transactionId';
  if (paymentType === 'PAYMENT_PROCESSOR' && transactionId === null)
    return [{ path, message: 'is missing: the sale document and its QR code must bear the payment’s reference (Ordinance N-18, art. 52о)' }];
  return twin === null ? [] : [{ path, message: `is also that of the order ${twin} of this shop: see whether one sale is recorded twice` }];
}

function currencyWarnings({ currency, internalCreatedAt }: TaxRecord, hasNoRates: boolean): FieldError[] {
  const lastDay = endedBy(currency, internalCreatedAt);
  const never = 'no rate of it will ever come, so that the file of its month can’t be made: delete the order, and create it in the currency that was paid';
  if (lastDay === null) return hasNoRates ? [{ path: 'currency', message: `${currency} is in no sheet of the central bank: ${never}` }] : [];
  const then = isTied(currency) ? `the order is declared in euro, at ${LEVA_PER_EURO} ${currency} for 1 EUR: see whether its prices are in euro` : never;
  return [{ path: 'currency', message: `${currency} ended on ${lastDay}, before the order was made; ${then}` }];
}

/** The field that a way of payment needs: without it the month's file could not be made. Refused at create, the order can still be corrected. */
export const neededFields = [
  { paymentType: 'PAYMENT_PROCESSOR', field: 'paymentProcessorName', why: 'the audit file must name the provider' },
  { paymentType: 'VIRTUAL_POS', field: 'transactionId', why: 'the audit file must bear it' },
] as const;
