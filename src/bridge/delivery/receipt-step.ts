import type { Receipt } from '../order/receipt.ts';
import type { Converged } from './converge-order.ts';
import type { Claim, ReceiptStep } from './converge-ports.ts';
import type { Convergence } from './convergence.ts';
import type { StepReply } from './send-step.ts';

/**
 * Asks for the receipt that the standing record still lacks; null if it lacks none. Asked again it is the same step of the journal, and harmless:
 * the service gives the receipt that it has.
 */
export function receiptStep({ receipt, standing, openStep, stepSeq }: Claim): ReceiptStep | null {
  if (receipt?.state !== 'due' || standing?.complianceId !== receipt.complianceId || openStep !== null) return null;
  const { complianceId, destinationId } = standing;
  return { kind: 'receipt', seq: receipt.seq ?? stepSeq + 1, complianceId, destinationId, uncertain: false };
}

/** The service has given the receipt, or refuses it: either way the order has nothing left to do, and its record stands as it did. */
export async function receiptEnded(visit: Convergence, { complianceId }: ReceiptStep, { reply, outcome, end }: StepReply): Promise<Converged> {
  const at = new Date(visit.deps.now()).toISOString();
  const detail = end.detail ?? `the service answered ${end.status ?? 'nothing'}`;
  const receipt: Receipt =
    outcome === 'receipt-got'
      ? { state: 'got', complianceId, at, id: reply.kind === 'answered' ? reply.id : null }
      : { state: 'refused', complianceId, at, detail };
  const { state } = visit.claim;
  await visit.settle({ state, receipt, step: end, attempts: 0 });
  return { kind: 'rest', state, detail: receipt.state === 'refused' ? `receipt.refused: ${detail}` : '', recordedMs: null, receipt: receipt.state };
}
