import type { TaxRecord } from '../../contract/record.ts';
import type { FieldError } from '../../contract/schema-errors.ts';
import { lacksNumber, processorId } from '../law/payment-providers.ts';

/** Warnings about values of an order that are accepted, and that the month's file will be warned about. */
export function orderWarnings({ paymentType, paymentProcessorName }: Pick<TaxRecord, 'paymentType' | 'paymentProcessorName'>): FieldError[] {
  if (paymentProcessorName === null) return [];
  if (paymentType === 'PAYMENT_PROCESSOR' && lacksNumber(processorId(paymentProcessorName)))
    return [{ path: 'paymentProcessorName', message: 'is a name without a number: the audit file must bear the provider’s ЕИК or VAT number and its name' }];
  if (paymentType === 'VIRTUAL_POS' && !/\d/.test(paymentProcessorName))
    return [{ path: 'paymentProcessorName', message: 'is written into the audit file as the number of the virtual POS, and has no digit' }];
  return [];
}
