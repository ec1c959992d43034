import type { TaxRecord } from '../../contract/record.ts';
import type { ShopDetails } from '../../contract/shop-dto.ts';
import type { ExchangeRate } from '../rates/exchange-rate.ts';

/** The seller's details on a document; kept with each document as of the day of issue. */
export type Seller = Pick<
  ShopDetails,
  'name' | 'domain' | 'customerPhone' | 'customerEmail' | 'nraNumber' | 'companyUic' | 'companyName' | 'companyAddress'
> & {
  /** The shop was made with a test key: its documents are no real ones. */
  test?: true | undefined;
};

/** A recorded order with what the law adds to it. No personal data. */
export type Sale = {
  record: TaxRecord;
  /** Digits. */
  documentNumber: string;
  /** Bulgarian day on which the number was given, "2026-11-20". */
  documentDate: string;
  edition: number;
  accounting: DeclaredAmounts;
};

/** The order in the accounting currency; amounts are null while the exchange rate is missing. Decimal text. */
export type DeclaredAmounts = { currency: string; total: string | null; vat: string | null; exchange: ExchangeRate | null };
