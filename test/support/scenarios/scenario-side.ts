import type { Money } from './scenario-money.ts';

/** An order as the shops of a scenario know it. `at` is its time with an offset; a number may be another order's, too. */
export type Sold = Money & { id: string; shop: number; number: string; at: string; postal: boolean };

/** A version of a month's file; `shopNumber` is the agency's of the shop. Amounts are in cents of the month's currency, days "2026-10-31". */
export type FileSaid = {
  shopNumber: string;
  orders: readonly { number: string; document: string; cents: number; vat: number }[];
  returns: readonly { number: string; cents: number; on: string }[];
};

export type OfMonth = { shop: number; month: string };
export type Filing = OfMonth & { version: number; asIs: boolean; withoutOutstanding: boolean };

/** Whatever a scenario is played against: the rules alone, or the service. */
export type Side = {
  clock(to: Date): void;
  /** Answers the document number. */
  create(order: Sold): Promise<string>;
  remove(id: string): Promise<void>;
  deliver(id: string, at: string): Promise<void>;
  setting(shop: number, changes: Record<string, unknown>): Promise<void>;
  /** Another number of the agency: a correction, or (`from`) a new one from a month on. */
  renumber(shop: number, shopNumber: string, from: string | null): Promise<void>;
  /** How many paid orders of a month are not recorded. */
  missing(of: OfMonth, orders: number): Promise<void>;
  /** Answers the version; null: there is nothing to make a file of. */
  generate(of: OfMonth): Promise<number | null>;
  /** Answers whether it was taken. */
  file(filing: Filing): Promise<boolean>;
  reject(of: OfMonth): Promise<boolean>;
  /** Settles a month without orders; answers its returns, which no file tells. */
  settle(of: OfMonth): Promise<FileSaid['returns']>;
  said(of: OfMonth & { version: number }): Promise<FileSaid>;
  /** Whatever stands at last, by its document number. */
  numbers(): Promise<ReadonlyMap<string, string>>;
};
