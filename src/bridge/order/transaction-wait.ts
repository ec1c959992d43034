import type { Desired } from './desired.ts';
import type { Facts } from './facts.ts';

/** `waitSeconds` counts from the first paid state seen. */
type Wait = { facts: Facts; desired: Desired; waitSeconds: number };

// Only these payments have a processor that gives a reference.
const ONLINE: ReadonlySet<string> = new Set(['PAYMENT_PROCESSOR', 'VIRTUAL_POS']);

/**
 * Until when a record may wait for its processor's reference, in ms since 1970; null if there is nothing to wait for. For platforms that
 * never write the reference into the order, but send it in another webhook. After that time the order is recorded without it.
 */
export function transactionDueAt({ facts: { paidSeenAt }, desired, waitSeconds }: Wait): number | null {
  if (paidSeenAt === null || desired.kind !== 'record') return null;
  const { transactionId, paymentType } = desired.record;
  return transactionId === null && ONLINE.has(paymentType) ? Date.parse(paidSeenAt) + waitSeconds * 1000 : null;
}
