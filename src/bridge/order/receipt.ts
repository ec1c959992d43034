import { typesWithReceipt } from '../../contract/enumerations.ts';
import type { RecordContent } from '../../contract/record.ts';
import type { Standing } from './claim.ts';
import type { OpenStep, ReceiptStep } from './step.ts';

/**
 * The receipt of one record, which `complianceId` names. due: still to be requested, under the journal's step `seq` once that was
 * begun. got: the service has it, under its own `id` if it gave one. refused: given up; `detail` is the service's message. Instants are ISO text.
 */
export type Receipt =
  | { state: 'due'; complianceId: string; since: string; seq: number | null }
  | { state: 'got'; complianceId: string; at: string; id: string | null }
  | { state: 'refused'; complianceId: string; at: string; detail: string };

/** Is a receipt requested once this record is made? `isWanted`: the merchant's setting. */
export function hasReceipt({ paymentType }: Pick<RecordContent, 'paymentType'>, isWanted: boolean): boolean {
  return isWanted && typesWithReceipt.has(paymentType);
}

/** The receipt of a record that was just made, still to be requested; `now` in ms since 1970. */
export function receiptDue(complianceId: string, now: number): Receipt {
  return { state: 'due', complianceId, since: new Date(now).toISOString(), seq: null };
}

type Receiptless = { receipt: Receipt | null; standing: Standing | null; openStep: OpenStep | null; stepSeq: number };

/**
 * Requests the receipt that the standing record still lacks; null if it lacks none. A repeat is the same step of the journal, and harmless:
 * the service returns the existing receipt.
 */
export function receiptStepOf({ receipt, standing, openStep, stepSeq }: Receiptless): ReceiptStep | null {
  if (receipt?.state !== 'due' || standing?.complianceId !== receipt.complianceId || openStep !== null) return null;
  const { complianceId, destinationId } = standing;
  return { kind: 'receipt', seq: receipt.seq ?? stepSeq + 1, complianceId, destinationId, uncertain: false };
}
