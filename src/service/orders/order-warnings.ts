import { endedBy } from '../../contract/ended-currencies.ts';
import { LEVA_PER_EURO } from '../../contract/fixed-rate.ts';
import { isTied } from '../../contract/money.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { FieldError } from '../../contract/schema-errors.ts';
import { isTurned } from '../../contract/text.ts';
import { addDays } from '../law/months.ts';
import { lacksNumber, processorId } from '../law/payment-providers.ts';
import { sofiaDay } from '../law/sofia-day.ts';
import type { OrderDoubts } from './order-doubts.ts';

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
