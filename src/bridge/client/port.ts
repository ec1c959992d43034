import type { Dialect } from '../../contract/dialect.ts';
import type { Reply } from '../order/outcome.ts';

/** The address of a compliance API, and our credentials there. Secrets must not be logged. */
export type Endpoint = { baseUrl: string; apiKey: string; apiSecret: string; dialect: Dialect };

export type RequestTimeouts = { connectMs: number; headersMs: number; totalMs: number };

/**
 * The compliance API as the bridge calls it. Never throws for errors of the service or the network: those are a `Reply`.
 * p-retry repeats inside a call only what was surely not sent, deletes, and receipts.
 */
export type ComplianceClient = {
  /** `body` is a CreateOrderDto on the wire: see `encodeOrder`. */
  createOrder(endpoint: Endpoint, request: { body: string; idempotencyKey: string }, signal?: AbortSignal): Promise<Reply>;
  deleteOrder(endpoint: Endpoint, complianceId: string, signal?: AbortSignal): Promise<Reply>;
  /** Requests the receipt of a standing record; repeated like a delete, because the service returns the existing one. The reply's id is the receipt's. */
  createReceipt(endpoint: Endpoint, complianceId: string, signal?: AbortSignal): Promise<Reply>;
  /** Reports the paid orders of a shop that are not recorded, to a service that has a place for it; `body` is an OutstandingDto. */
  putOutstanding(endpoint: Endpoint, request: { shopId: string; body: string }, signal?: AbortSignal): Promise<Reply>;
  /** Shop operations for the command line: the status and the parsed body, or `Failure('compliance.unreachable')`. */
  shop(endpoint: Endpoint, request: { method: 'POST' | 'PUT' | 'DELETE'; id?: string; body: unknown }): Promise<{ status: number; body: unknown }>;
};
