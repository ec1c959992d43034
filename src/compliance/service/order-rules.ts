import { decimalsOf, parseMoney } from '../../domain/money.ts';
import type { RecordLine, TaxRecord } from '../../domain/record.ts';
import { numberText } from '../wire/decimal-text.ts';
import { limits } from '../wire/limits.ts';
import type { FieldError } from '../wire/schema-errors.ts';
import { sofiaDay } from './sofia-day.ts';
import { vatRateOn } from './vat-rates.ts';

const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2099-12-31';
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** What the schema can't say of an order: all that is wrong with its date, currency, rates, discounts and sum. */
export function orderErrors(record: TaxRecord): FieldError[] {
  return [...headErrors(record), ...record.lineItems.flatMap((line, i) => lineErrors(line, record, `lineItems[${i}]`)), ...sumErrors(record)];
}

function headErrors({ internalCreatedAt, currency, precision }: TaxRecord): FieldError[] {
  const day = sofiaDay(internalCreatedAt);
  const errors: FieldError[] = [];
  if (!(day >= FIRST_DAY && day <= LAST_DAY)) errors.push({ path: 'internalCreatedAt', message: `must be between ${FIRST_DAY} and ${LAST_DAY}` });
  if (!currencies.has(currency)) errors.push({ path: 'currency', message: 'is not a currency code of ISO 4217' });
  else if (precision > decimalsOf(currency))
    errors.push({ path: 'precision', message: `must be ${decimalsOf(currency)} at most, for ${currency} has no smaller unit` });
  return errors;
}

function lineErrors(line: RecordLine, { internalCreatedAt, precision }: TaxRecord, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const day = sofiaDay(internalCreatedAt);
  const rate = vatRateOn(line.vatGroup, day);
  if (rate !== line.vatRate)
    errors.push({
      path: `${at}.vatRate`,
      message: rate === undefined ? `${line.vatGroup} had no rate on ${day}` : `must be ${rate}, the rate of ${line.vatGroup} on ${day}`,
    });
  if (minor(line.discount, precision) * THOUSAND > grossInThousandths(line, precision)) {
    errors.push({ path: `${at}.discount`, message: 'must not be more than price times quantity' });
  }
  return errors;
}

function sumErrors({ lineItems, precision }: TaxRecord): FieldError[] {
  const gross = lineItems.reduce((sum, line) => sum + grossInThousandths(line, precision), 0n);
  const tooMuch = gross >= BigInt(limits.totalBelow) * 10n ** BigInt(precision) * THOUSAND;
  return tooMuch ? [{ path: 'lineItems', message: `must cost less than ${limits.totalBelow} together` }] : [];
}

// Quantities have three decimals at most, so thousandths of a minor unit are exact.
const THOUSAND = 1000n;

function grossInThousandths({ price, quantity }: RecordLine, precision: number): bigint {
  return minor(price, precision) * (parseMoney(numberText(quantity) ?? '', limits.quantityDecimals) ?? 0n);
}

function minor(amount: string, precision: number): bigint {
  return parseMoney(amount, precision) ?? 0n;
}
