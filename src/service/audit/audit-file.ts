import type { RateAmounts } from '../rates/declared-amounts.ts';

/** The audit file of Ordinance N-18, annex 38, in our names; `write-audit-file` writes the agency's. Days: "2026-10-31"; money: text with two decimals. */
export type AuditHeader = {
  /** ЕИК of the merchant. */
  companyId: string;
  /** The number that the agency gave the shop: RF and seven digits. */
  shopNumber: string;
  domain: string;
  /** 1: a domain of its own; 2: inside an online platform. */
  shopType: 1 | 2;
  createdOn: string;
  /** "2026-10" */
  month: string;
};

/** One row of goods. `price` is the unit price without VAT, `vat` and `sum` (with VAT) are of the whole row; quantity has two decimals at most. */
export type AuditArticle = { name: string; quantity: string; price: string; vatRate: number; vat: string; sum: string };

export type AuditOrder = {
  number: string;
  orderedOn: string;
  /** Ten digits. */
  documentNumber: string;
  documentedOn: string;
  articles: readonly AuditArticle[];
  /** Without VAT, before discount. */
  net: string;
  /** Without VAT. */
  discount: string;
  vat: string;
  /** With VAT, after discount. */
  total: string;
  /** `paym`: 1 to 6. */
  payment: number;
  posNumber: string | null;
  transaction: string | null;
  processor: string | null;
};

/** Money given back for an order that an earlier file lists. `way` is `r_paym`: 1 to 4. */
export type AuditReturn = { number: string; amount: string; returnedOn: string; way: number };

/** The same by VAT rate, which the file does not have; null: not known. */
export type MonthReturn = AuditReturn & { byRate: readonly RateAmounts[] | null };

/**
 * Money given back within the month of its sale: the file has only what is left of it. `amount` and `byRate` are what was given back; null: not known by
 * rate. `payment` and `way` are codes of the file.
 */
export type Refund = {
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
