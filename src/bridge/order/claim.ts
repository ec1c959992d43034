import type { TaxRecord } from '../../contract/record.ts';
import type { Facts } from './facts.ts';
import type { Problem } from './failure.ts';
import type { OrderKey } from './order-key.ts';
import type { OrderState } from './order-state.ts';
import type { Receipt } from './receipt.ts';
import type { Frozen } from './settings.ts';
import type { Settled } from './settled.ts';
import type { OpenStep } from './step.ts';

/** The order's record at the compliance service, and at which destination. */
export type Standing = { record: TaxRecord; complianceId: string; destinationId: string };

/** A record that was deleted by a 404 that was believed, and whose replacement is not recorded yet. */
export type Doubted = Pick<Standing, 'complianceId' | 'destinationId'>;

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
  askedRevision: number;
  state: OrderState;
  /** A backfill took it in: it is recorded whenever it was paid. */
  backfilled: boolean;
  mapping: Frozen | null;
  standing: Standing | null;
  /** Of the standing record; null: none is requested. */
  receipt: Receipt | null;
  /** The record before a replacement that is not finished. */
  previous: TaxRecord | null;
  /** `previous`, if the service may have it after all. */
  doubted: Doubted | null;
  /** What a person was asked last; `replacement.refused` while the previous content is being put back. */
  review: Problem | null;
  /** What a person said last became of it; null: nothing, or it was taken back. */
  settled: Settled | null;
  openStep: OpenStep | null;
  stepSeq: number;
  attempts: number;
  /** ISO instant since when the record is behind. */
  dirtySince: string | null;
};

type Revisions = Pick<Claim, 'revision' | 'recordedRevision' | 'askedRevision'>;

/** False: the record is as it should be, or a person was asked; all that may be left is its receipt. */
export function isBehind({ revision, recordedRevision, askedRevision }: Revisions): boolean {
  return revision > Math.max(recordedRevision, askedRevision);
}
