import { typesWithReceipt } from '../../../contract/order-dto.ts';
import type { RecordContent, TaxRecord } from '../../../contract/record.ts';
import type { Facts, OrderKey } from '../facts/facts.ts';
import type { Problem } from '../facts/failure.ts';
import type { Frozen } from '../facts/settings.ts';
import type { OrderState } from './order-state.ts';
import type { OpenStep, ReceiptStep } from './step.ts';
import type { Resolution } from './wanted.ts';

/** The order's record at the compliance service, and at which destination. */
export type CurrentRecord = { record: TaxRecord; complianceId: string; destinationId: string };

/** A record that was deleted by a 404 that was believed, and whose replacement is not recorded yet. */
export type UncertainRecord = Pick<CurrentRecord, 'complianceId' | 'destinationId'>;

/** An order that one worker alone may change until its lease ends. */
export type Claim = {
  id: number;
  key: OrderKey;
  /** The id that the store knows the order by: that of `key`, or, for a second order of one id (`ID~2`), the shared ID. */
  platformId: string;
  connectionId: string;
  /** Rises with every claim: a worker whose lease is over can't write any more. */
  fence: number;
  facts: Facts;
  revision: number;
  recordedRevision: number;
  /** The revision at which a person was asked. */
  reviewRevision: number;
  state: OrderState;
  /** A backfill took it in: it is recorded whenever it was paid. */
  backfilled: boolean;
  mapping: Frozen | null;
  current: CurrentRecord | null;
  /** Of the current record; null: none is requested. */
  receipt: Receipt | null;
  /** The record before a replacement that is not finished. */
  previous: TaxRecord | null;
  /** `previous`, if the service may have it after all. */
  uncertain: UncertainRecord | null;
  /** What a person was asked last; `replacement.refused` while the previous content is being put back. */
  review: Problem | null;
  /** What a person said last became of it; null: nothing, or it was taken back. */
  resolution: Resolution | null;
  openStep: OpenStep | null;
  stepSeq: number;
  attempts: number;
  /** ISO instant since when the record is pending. */
  dirtySince: string | null;
};

/** False: the record is as it should be, or a person was asked; all that may be left is its receipt. */
export function isPending({ revision, recordedRevision, reviewRevision }: Pick<Claim, 'revision' | 'recordedRevision' | 'reviewRevision'>): boolean {
  return revision > Math.max(recordedRevision, reviewRevision);
}

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

type Receiptless = { receipt: Receipt | null; current: CurrentRecord | null; openStep: OpenStep | null; stepSeq: number };

/**
 * Requests the receipt that the current record still lacks; null if it lacks none. A repeat is the same step of the journal, and harmless:
 * the service returns the existing receipt.
 */
export function receiptStepOf({ receipt, current, openStep, stepSeq }: Receiptless): ReceiptStep | null {
  if (receipt?.state !== 'due' || current?.complianceId !== receipt.complianceId || openStep !== null) return null;
  const { complianceId, destinationId } = current;
  return { kind: 'receipt', seq: receipt.seq ?? stepSeq + 1, complianceId, destinationId, uncertain: false };
}
