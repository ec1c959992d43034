import type { Family } from './families.ts';
import type { MerchantName } from './merchant.ts';

/** One request of the attack, and what the program may answer. */
export type Shot = {
  family: Family;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
  /** Statuses that are right; 0: no answer. */
  expected: readonly number[];
  /** Sends the head and so many bytes, waits, and hangs up. */
  half?: { bytes: number; waitMs: number };
  /** Answered 200, this must be true afterwards. */
  meaning?: Meaning;
};

/**
 * order: recorded with this total; or in review where the shop is refused. unreadable: kept for a person. erased: no longer readable, if the
 * program ever has it.
 */
export type Meaning =
  | { kind: 'order'; id: string; total: string; merchant: MerchantName }
  | { kind: 'unreadable'; merchant: MerchantName }
  | { kind: 'erased'; id: string };
