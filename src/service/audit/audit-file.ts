import type { RateAmounts } from '../rates/declared-amounts.ts';
import type { AuditReturn } from './format/audit-columns.ts';

export type { AuditArticle, AuditHeader, AuditOrder, AuditReturn } from './format/audit-columns.ts';

/** The same by VAT rate, which the file does not have; null: not known. */
export type MonthReturn = AuditReturn & { byRate: readonly RateAmounts[] | null };

/**
 * Money given back within the month of its sale: the file has only what is left of it. `amount` and `byRate` are what was given back; null: not known by
 * rate. `payment` and `way` are codes of the file.
 */
export type AuditRefund = {
  /** Null if nothing replaced the order: of one that was deleted for good only the document's number is kept. */
  number: string | null;
  orderedOn: string;
  documentNumber: string;
  documentedOn: string;
  payment: number;
  amount: string;
  byRate: readonly RateAmounts[] | null;
  returnedOn: string;
  way: number;
};

/** The sums of a file. */
export type AuditSums = { orders: number; net: string; vat: string; total: string; returns: number; returned: string };

/** An error, which blocks the file, or a warning, which is listed. */
export type Finding = {
  level: 'error' | 'warning';
  /** Names the rule in documentation and tests, such as `order.total-mismatch`. */
  rule: string;
  /** In the file, from 1; null if it has no place in it. */
  line: number | null;
  /** The order's number; null if the finding is not about one order. */
  order: string | null;
  /** What is wrong, with the values. */
  words: string;
  /** What to do about it. */
  advice: string;
};
