import type { TiedCurrency } from '../../../contract/money.ts';
import type { QuestionableOrders } from '../../orders/questionable-orders.ts';
import type { ExchangeRate } from '../../rates/exchange-rate.ts';
import type { MissingRate } from '../../rates/missing-rates.ts';
import type { Finding, MonthReturn } from '../audit-file.ts';
import type { MailAttachments } from './attached.ts';
import type { MonthFigures } from './month-tally.ts';

/** The first rows of a list and how many there are: a summary does not grow with the month. */
export type Excerpt<Row> = { count: number; rows: readonly Row[] };

/**
 * `id` is for commands. Number, domain and company are those of the month: of its file, once it is filed. `validFrom`, `validUntil`: the first and the
 * last month that they count for, if others count before or after. No data of buyers.
 */
export type SummaryShop = {
  id: string;
  name: string;
  companyName: string;
  companyId: string;
  shopNumber: string;
  domain: string;
  validFrom?: string;
  validUntil?: string;
};

/** A version of the month's file. `createdAt` is an ISO 8601 timestamp, `sha256` hexadecimal. */
export type FileVersion = { name: string; version: number; createdAt: string; sha256: string; bytes: number };

/** The situation of a month, with the data of its kind; `test`: the shop was made with a test key. Days are "2026-11-10". */
export type MonthSituation =
  | { kind: 'open'; generatesOn: string }
  | { kind: 'generated'; file: FileVersion }
  /** `incomingNumber`: the agency's; absent: nobody said it. */
  | { kind: 'filed'; file: FileVersion; filedOn: string; incomingNumber?: string }
  /** `words`: what the agency says is wrong; absent: nobody said it. */
  | { kind: 'rejected'; file: FileVersion; words?: string }
  | { kind: 'blocked'; errors: readonly Finding[]; missingRates: readonly MissingRate[] }
  | { kind: 'test' }
  /** `others`: further months of the shop that are empty and not settled ("2026-08"). `outdated`: a version that was made before, which is not to be filed. */
  | { kind: 'empty'; others?: readonly string[]; outdated?: number }
  /** No order for a file, but returns, which no file can include then; until a person says how they were dealt with. */
  | { kind: 'returns-only'; outdated?: number }
  /** A person said that there is nothing to file, and why; `returns`: and how so many of these were dealt with. */
  | { kind: 'nothing'; note: string; settledOn: string; returns?: number }
  /** Before the shop existed here; `since`: its first month. */
  | { kind: 'not-ours'; since: string };

/** An order in a foreign currency; `total` is in it, `accountingTotal` in the accounting currency, both with VAT. */
export type ForeignOrder = { number: string; total: string; accountingTotal: string; rate: ExchangeRate };

/** The document number of a deleted order: ten digits. It is not reused. */
export type VoidedNumber = { documentNumber: string; voidedOn: string };

/** Numbers that nobody gets, from the first to the last (ten digits each), and why, in the words of who skipped them. */
export type SkippedNumbers = { from: string; to: string; skippedOn: string; why: string };

/** A change of an order since the last version; the total of a removed one is not kept, and its number only since it is stored with the delete. */
export type OrderChange = { documentNumber: string } & (
  | { change: 'added' | 'replaced'; number: string; total: string }
  | { change: 'removed'; number: string | null; total: null }
);

/** A change since the last version. */
/** A field of a file's header that is another one now. */
export type HeaderChange = { change: 'header'; field: 'companyUic' | 'nraNumber' | 'domain' | 'eShopType'; from: string; to: string };

export type MonthChange = OrderChange | HeaderChange;

/**
 * Paid orders that the month's file would list if they were recorded: how many, their money by currency, and why they are not. `at`: when they were
 * counted, `oldest`: when the first was sold (ISO 8601 timestamps). Codes are those of the software that reports them.
 */
export type Outstanding = {
  at: string;
  orders: number;
  totals: readonly { currency: string; total: string }[];
  oldest: string;
  codes: readonly { code: string; orders: number }[];
};

/** Returns of a month that no file tells; `total` is with VAT. */
export type UnreportedReturns = { month: string; returns: number; total: string; currency: TiedCurrency };

/** The data of a month's page, text and mails: in the accounting currency, without personal data. */
export type MonthSummary = {
  shop: SummaryShop;
  /** "2026-10" */
  month: string;
  currency: TiedCurrency;
  /** The last day on which the file may be filed. */
  deadline: string;
  /** ISO 8601 timestamp of the summary; its words about the deadline are as of then. */
  writtenAt: string;
  situation: MonthSituation;
  /** Of the orders whose rate is known. A month without a file may have only totals, without the lists. */
  figures: MonthFigures;
  returns: Excerpt<MonthReturn>;
  voided: Excerpt<VoidedNumber>;
  foreign: Excerpt<ForeignOrder>;
  /** Orders without a receipt, where the shop leaves them out of its files. */
  leftOut: { orders: number; total: string };
  changes: Excerpt<MonthChange>;
  /** From the file's list of findings. */
  warnings: readonly Finding[];
  /** Absent: none, or nothing is known of any. */
  outstanding?: Outstanding;
  /** Orders by card or through a provider without a receipt, and receipts that no buyer was mailed; absent: there are neither. */
  receipts?: { missing: number; unmailed: number };
  /** Absent: none. */
  questionable?: readonly QuestionableOrders[];
  /** Absent: none. */
  skipped?: Excerpt<SkippedNumbers>;
  /** Of a filed month: those without which a person filed it. */
  filedWithout?: Outstanding;
  /** Those of earlier months that are not settled. Absent: there are none. */
  unreported?: readonly UnreportedReturns[];
  /** Of a mail: how the file goes with it. Absent: as it is, or the summary is no mail. */
  attached?: MailAttachments;
};
