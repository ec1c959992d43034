import type { Dialect } from '../../contract/dialect.ts';
import type { TaxRecord } from '../../contract/record.ts';
import type { Reply } from '../order/decisions/answer.ts';

/** The address of a compliance API, and our credentials there. Secrets must not be logged. */
export type Endpoint = { baseUrl: string; apiKey: string; apiSecret: string; dialect: Dialect };

export type RequestTimeouts = { connectMs: number; headersMs: number; totalMs: number };

/** `idempotencyKey`: a service that honours it makes one shop of all requests with it. */
export type ShopRequest = { method: 'POST' | 'PUT' | 'DELETE'; id?: string; body: unknown; idempotencyKey?: string };

/**
 * The compliance API as the bridge calls it. Never throws for errors of the service or the network: those are a `Reply`.
 * p-retry repeats inside a call only what was surely not sent, deletes, and receipts.
 */
export type ComplianceClient = {
  /** `body` is a CreateOrderDto on the wire: see `encodeOrder`. */
  createOrder(endpoint: Endpoint, request: { body: string; idempotencyKey: string }, signal?: AbortSignal): Promise<Reply>;
  deleteOrder(endpoint: Endpoint, complianceId: string, signal?: AbortSignal): Promise<Reply>;
  /** Requests the receipt of a current record; repeated like a delete, because the service returns the existing one. The reply's id is the receipt's. */
  createReceipt(endpoint: Endpoint, complianceId: string, signal?: AbortSignal): Promise<Reply>;
  /** Reports the paid orders of a shop that are not recorded, to a service that has a place for it; `body` is an OutstandingDto. */
  putOutstanding(endpoint: Endpoint, request: { shopId: string; body: string }, signal?: AbortSignal): Promise<Reply>;
  /** Has the service forget the buyer of a record, if it has a place for that; a repeat changes nothing. */
  forgetBuyer(endpoint: Endpoint, complianceId: string, signal?: AbortSignal): Promise<Reply>;
  /** Tells when the order of a record was delivered, to a service that has a place for it; `body` is `{"at": ISO instant}`. */
  putDelivered(endpoint: Endpoint, request: { complianceId: string; body: string }, signal?: AbortSignal): Promise<Reply>;
  /** Shop operations for the command line: the status and the parsed body, or `Failure('compliance.unreachable')`. */
  shop(endpoint: Endpoint, request: ShopRequest): Promise<{ status: number; body: unknown }>;
};

/** A record as the service lists it. Amounts are decimal text with VAT; `accountingTotal` null: it waits for an exchange rate. */
export type ListedRecord = {
  id: string;
  shopId: string;
  internalId: string;
  /** Ten digits. */
  documentNumber: string;
  /** Whose file lists it ("2026-10"); null: it is in none yet. */
  month: string | null;
  total: string;
  accountingCurrency: string;
  accountingTotal: string | null;
  record: TaxRecord;
};

/** A version of a month's audit file. `cutAt`: it lists what was recorded by then. */
export type ListedFile = { id: string; month: string; version: number; cutAt: string; monthState: string };

/** One part of a list; `next` null: the last. `not-listed`: this service has no such list. */
export type Listed<T> = { items: T[]; next: string | null } | 'not-listed';

/** `month` null: of all months. `internalId`: those that were made under it alone; a service that does not know this lists others, too. */
export type RecordQuery = { shopId: string; month: string | null; after: string | null; internalId?: string };

/** What our own compliance service lists, beyond the documented interface. All throw `Failure('compliance.unreachable' | 'compliance.misconfigured')`. */
export type RecordReader = {
  listRecords(endpoint: Endpoint, query: RecordQuery, signal?: AbortSignal): Promise<Listed<ListedRecord>>;
  /** Null: the service says that it has no such record. */
  readRecord(endpoint: Endpoint, complianceId: string, signal?: AbortSignal): Promise<ListedRecord | null | 'not-listed'>;
  /** The receipt of a record as an HTML page. Null: the service says that there is none. */
  receiptPage(endpoint: Endpoint, complianceId: string): Promise<string | null | 'not-listed'>;
  /** Whether the key has this shop; null: this service does not say it. */
  knowsShop(endpoint: Endpoint, shopId: string, signal?: AbortSignal): Promise<boolean | null>;
  listFiles(endpoint: Endpoint, query: RecordQuery, signal?: AbortSignal): Promise<Listed<ListedFile>>;
  /** The bytes of an audit file, as they come. */
  fileContent(endpoint: Endpoint, fileId: string, signal?: AbortSignal): AsyncIterable<Uint8Array>;
};
