import type { TaxRecord } from '../../contract/record.ts';
import type { Facts } from '../order/facts.ts';
import type { Problem } from '../order/failure.ts';
import type { OrderKey } from '../order/order-key.ts';
import type { Receipt } from '../order/receipt.ts';
import type { Frozen } from '../order/settings.ts';

/** A step that was journaled and whose outcome is not known (yet): `uncertain` once a reply was lost or the process died. */
export type OpenStep =
  | {
      kind: 'create';
      seq: number;
      record: TaxRecord;
      idempotencyKey: string;
      destinationId: string;
      uncertain: boolean;
      /** Is a receipt asked for once it stands? As the settings said when it was planned; absent in steps of earlier releases. */
      receipt?: boolean;
    }
  | { kind: 'delete'; seq: number; complianceId: string; destinationId: string; uncertain: boolean };

/** Never open: that its receipt is due is known of the order, and asking again is harmless. */
export type ReceiptStep = { kind: 'receipt'; seq: number; complianceId: string; destinationId: string; uncertain: false };

export type Step = OpenStep | ReceiptStep;

/** The record that stands, and where. */
export type Standing = { record: TaxRecord; complianceId: string; destinationId: string };

/** An order that this worker alone may change until the lease ends. */
export type Claim = {
  id: number;
  key: OrderKey;
  connectionId: string;
  fence: number;
  facts: Facts;
  revision: number;
  recordedRevision: number;
  heldRevision: number;
  state: OrderState;
  mapping: Frozen | null;
  standing: Standing | null;
  /** Of the record that stands; null: none is asked for. */
  receipt: Receipt | null;
  /** What stood before a replacement that is not finished. */
  previous: TaxRecord | null;
  /** What a person was asked last; `replacement.refused` while the previous content is being put back. */
  parked: Problem | null;
  openStep: OpenStep | null;
  stepSeq: number;
  attempts: number;
  /** ISO instant since when the record is behind. */
  dirtySince: string | null;
};

export type OrderState = 'waiting' | 'queued' | 'recorded' | 'removed' | 'parked' | 'unconfirmed' | 'ignored';

/** Why a claim was not given. */
export type NotClaimed = { kind: 'missing' } | { kind: 'leased'; untilMs: number };

/** How a step ended, for the journal. */
export type StepEnd = { seq: number; outcome: string; status: number | null; detail: string | null; complianceId: string | null };

/** What is written when a step's outcome is known, or when an order comes to rest; one statement, checked against the fence. */
export type Settlement = {
  claim: Pick<Claim, 'id' | 'fence' | 'revision'>;
  step?: StepEnd;
  /** Left out: unchanged. */
  standing?: Standing | null;
  /** Left out: unchanged; but with a new `standing`, none. */
  receipt?: Receipt | null;
  /** Frozen with the order's first record. */
  mapping?: Frozen;
  previous?: TaxRecord | null;
  openStep?: OpenStep | null;
  state: OrderState;
  parked?: Problem | null;
  /** Raises recorded_revision: ledger and compliance service agree about this revision. */
  recordedRevision?: number;
  /** Raises held_revision: a person is asked about this revision. */
  heldRevision?: number;
  attempts?: number;
  /** When to look again at the earliest, ms since 1970. */
  dueAt?: number;
  /** True: the lease goes on for the next step. */
  keep?: boolean;
};

export type Settled = { held: boolean; newer: boolean; dueAt: number | null };

/** The ledger as the submitter needs it. */
export type ConvergeLedger = {
  claim(orderId: number): Promise<Claim | NotClaimed>;
  /** Journals a step before it is sent. False: the lease was lost, nothing may be sent. Again for the same step: one more attempt of it. */
  begin(input: { claim: Claim; step: Step }): Promise<boolean>;
  /**
   * Not held: the lease was lost; then use `recordLateReply`. `newer`: facts came since the claim; what the settlement says of waiting and of
   * being parked is then out of date and not written. `dueAt`: when the order is looked at next, ms since 1970.
   */
  settle(settlement: Settlement): Promise<Settled>;
  /** A reply that came after the lease was lost is still recorded. */
  recordLateReply(input: { orderId: number; step: Step; end: StepEnd; recorded: 'yes' | 'no' | 'unknown' }): Promise<void>;
  /** Merges what the store's API told; keeps the claim. */
  mergeFetched(claim: Claim, news: Facts): Promise<Pick<Claim, 'facts' | 'revision'> | null>;
  release(claim: Pick<Claim, 'id' | 'fence'>): Promise<void>;
};
