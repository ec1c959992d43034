import type { Desired } from './desired.ts';
import type { Facts } from './facts.ts';

/** `waitSeconds` counts from the first paid state seen. */
type Wait = { facts: Facts; desired: Desired; waitSeconds: number };

// Only these payments have a processor that gives a reference.
const ONLINE: ReadonlySet<string> = new Set(['PAYMENT_PROCESSOR', 'VIRTUAL_POS']);

/**
 * Until when a record may wait for its processor's reference or a gift card's payment, in ms since 1970; null if there is nothing to wait for. For platforms that
 * never write them into the order, but send them in another webhook. After that time the order is recorded without the reference, or a person is asked.
 */
export function transactionDueAt({ facts: { paidSeenAt }, desired, waitSeconds }: Wait): number | null {
  if (paidSeenAt === null) return null;
  const due = Date.parse(paidSeenAt) + waitSeconds * 1000;
  if (desired.kind === 'problems' && desired.mayCome === true) return due;
  if (desired.kind !== 'record') return null;
  const { transactionId, paymentType } = desired.record;
  return transactionId === null && ONLINE.has(paymentType) ? due : null;
}
