import type { AmountDialect } from '../../../contract/order-dto.ts';
import type { TaxRecord } from '../../../contract/record.ts';

/** `uncertain` once a reply was lost or the process died: it is unknown whether the service has done it. */
export type CreateStep = {
  kind: 'create';
  seq: number;
  record: TaxRecord;
  idempotencyKey: string;
  destinationId: string;
  uncertain: boolean;
  /** How it was written, where the service takes anything but decimal amounts and percent. */
  encoding?: AmountDialect;
  /** The buyer that it was sent with, if the order's buyer changed since: none, one that the ledger keeps, or one that nobody knows any more. */
  buyer?: 'none' | 'kept' | 'erased';
  /** Is a receipt requested once it is recorded? As the settings said when it was decided. */
  receipt: boolean;
};

export type DeleteStep = {
  kind: 'delete';
  seq: number;
  complianceId: string;
  destinationId: string;
  uncertain: boolean;
  /** ISO instant of its first 404 that the service itself may not have given. */
  since?: string;
};

/** A step that is journaled and whose outcome is not known (yet). */
export type OpenStep = CreateStep | DeleteStep;

/** Never open: the order itself says that its receipt is due, and a repeated request is harmless. */
export type ReceiptStep = { kind: 'receipt'; seq: number; complianceId: string; destinationId: string; uncertain: false };

export type Step = OpenStep | ReceiptStep;

/** How a step ended, for the journal. */
export type StepEnd = { seq: number; outcome: string; status: number | null; detail: string | null; complianceId: string | null };
