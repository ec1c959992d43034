import { type Decimal, decimal, total, ZERO } from '../../contract/decimal.ts';
import { limits } from '../../contract/limits.ts';
import { decimalsOf } from '../../contract/money.ts';
import type { RecordLine, TaxRecord } from '../../contract/record.ts';
import type { FieldError } from '../../contract/schema-errors.ts';
import { addDays } from '../law/months.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import { vatRateOn } from '../law/vat-rates.ts';
import { neededFields } from './needed-fields.ts';

const FIRST_DAY = '2000-01-01';
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** All errors that the schema can't find: in the date, currency, payment, rates, discounts and sum of an order. */
export function orderErrors(record: TaxRecord, today: string): FieldError[] {
  const day = sofiaDay(record.internalCreatedAt);
  const gross = record.lineItems.map(({ price, quantity }) => decimal(price).times(decimal(quantity)));
  return [
    ...dayErrors(day, today),
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

function dayErrors(day: string, today: string): FieldError[] {
  return isCovered(day, today) ? [] : [{ path: 'internalCreatedAt', message: `must be between ${FIRST_DAY} and tomorrow (${addDays(today, 1)} in Bulgaria)` }];
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
