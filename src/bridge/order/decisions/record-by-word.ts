import { decimalsOf } from '../../../contract/money.ts';
import type { TaxRecord } from '../../../contract/record.ts';
import type { Facts } from '../facts/facts.ts';
import type { Desired } from './desired.ts';

type RecordSaid = { orderId: string; facts: Facts; wanted: Desired };

/**
 * The content of a record that a person says was made by hand, at a service that can't be read: what should be recorded. Where that can't be decided,
 * it has no lines: it equals nothing that is desired later, so that a change replaces it.
 */
export function recordByWord({ orderId, facts, wanted }: RecordSaid): TaxRecord {
  if (wanted.kind === 'record') return wanted.record;
  const { number = '', createdAt = '', currency = 'EUR', transactionId = null } = facts.snapshot ?? {};
  const head = { internalId: orderId, internalNumber: number, internalCreatedAt: createdAt };
  return { ...head, lineItems: [], paymentType: 'OTHER', paymentProcessorName: null, transactionId, currency, precision: decimalsOf(currency) };
}

/** False for one that a person reported and nobody could read. */
export function isContentKnown({ lineItems }: Pick<TaxRecord, 'lineItems'>): boolean {
  return lineItems.length > 0;
}
