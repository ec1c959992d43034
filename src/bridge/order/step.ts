import type { TaxRecord } from '../../contract/record.ts';

/** `uncertain` once a reply was lost or the process died: nobody knows whether the service has done it. */
export type CreateStep = {
  kind: 'create';
  seq: number;
  record: TaxRecord;
  idempotencyKey: string;
  destinationId: string;
  uncertain: boolean;
  /** Is a receipt asked for once it stands? As the settings said when it was planned; absent in steps of earlier releases. */
  receipt?: boolean;
};

export type DeleteStep = { kind: 'delete'; seq: number; complianceId: string; destinationId: string; uncertain: boolean };

/** A step that is journaled and whose outcome is not known (yet). */
export type OpenStep = CreateStep | DeleteStep;

/** Never open: that its receipt is due is known of the order, and asking again is harmless. */
export type ReceiptStep = { kind: 'receipt'; seq: number; complianceId: string; destinationId: string; uncertain: false };

export type Step = OpenStep | ReceiptStep;

/** How a step ended, for the journal. */
export type StepEnd = { seq: number; outcome: string; status: number | null; detail: string | null; complianceId: string | null };
