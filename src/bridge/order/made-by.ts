import type { Standing } from './claim.ts';
import { type Receipt, receiptDue } from './receipt.ts';
import type { CreateStep } from './step.ts';

export type Made = { standing: Standing; receipt: Receipt | null };

/** The record that a create has made, and the receipt that is then due. `now` in ms since 1970. */
export function madeBy({ record, destinationId, receipt }: CreateStep, complianceId: string, now: number): Made {
  return { standing: { record, complianceId, destinationId }, receipt: receipt ? receiptDue(complianceId, now) : null };
}
