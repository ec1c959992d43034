import type { TiedCurrency } from '../../../contract/money.ts';
import type { ExchangeRate } from '../../rates/exchange-rate.ts';
import type { MissingRate } from '../../rates/missing-rates.ts';
import type { AuditReturn, Finding } from '../audit-file.ts';
import type { MonthFigures } from './month-tally.ts';

/** The first rows of a list and how many there are in all: a summary never grows with the month. */
export type Excerpt<Row> = { count: number; rows: readonly Row[] };

/** `id` is what the commands take. Nothing of it is about buyers. */
export type SummaryShop = { id: string; name: string; companyName: string; companyId: string; shopNumber: string; domain: string };

/** A version of the month's file. `createdAt` is an ISO 8601 timestamp, `sha256` hexadecimal. */
export type FileVersion = { name: string; version: number; createdAt: string; sha256: string; bytes: number };

/** Where a month stands. Days are "2026-11-10". */
export type MonthSituation =
  | { kind: 'open'; generatesOn: string }
  | { kind: 'generated'; file: FileVersion }
  | { kind: 'filed'; file: FileVersion; filedOn: string }
  | { kind: 'rejected'; file: FileVersion }
  | { kind: 'blocked'; errors: readonly Finding[]; missingRates: readonly MissingRate[] }
  | { kind: 'empty' };

/** An order in a currency of its own; `total` is in it, `accountingTotal` in the accounting currency, both with VAT. */
export type ForeignOrder = { number: string; total: string; accountingTotal: string; rate: ExchangeRate };

/** The document number of an order that was deleted: ten digits. It is not given again. */
export type VoidedNumber = { documentNumber: string; voidedOn: string };

/** What happened to an order since the last version was made; number and total of a removed one are not kept. */
export type OrderChange = { documentNumber: string } & (
  | { change: 'added' | 'replaced'; number: string; total: string }
  | { change: 'removed'; number: null; total: null }
);

/** All that the page, the text and the mails of a month are made of: plain data, in the accounting currency, without personal data. */
export type MonthSummary = {
  shop: SummaryShop;
  /** "2026-10" */
  month: string;
  currency: TiedCurrency;
  /** The last day on which the file may be filed. */
  deadline: string;
  /** ISO 8601 timestamp of the summary itself; what it says of the deadline is said as of then. */
  writtenAt: string;
  situation: MonthSituation;
  /** Amounts are of the orders whose rate is known. A month without a file may have sums only, without their parts. */
  figures: MonthFigures;
  returns: Excerpt<AuditReturn>;
  voided: Excerpt<VoidedNumber>;
  foreign: Excerpt<ForeignOrder>;
  /** Orders without a receipt, where the shop leaves them out of its files. */
  leftOut: { orders: number; total: string };
  changes: Excerpt<OrderChange>;
  /** As the file's list of findings holds them. */
  warnings: readonly Finding[];
};
