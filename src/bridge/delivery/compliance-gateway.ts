import type { Customer } from '../../contract/record.ts';
import type { FailureCode } from '../order/failure.ts';
import type { Reply } from '../order/outcome.ts';
import type { Step } from './converge-ports.ts';

/** The compliance services as the submitter sees them: by destination, one step at a time. */
export type ComplianceGateway = {
  /** May a create of unknown outcome be resent under its Idempotency-Key? */
  honoursIdempotency(destinationId: string): Promise<boolean>;
  /** Sends one journaled step. Never throws for what service or network did. */
  send(step: Step, order: { shopId: string; customer: Customer | null }, signal?: AbortSignal): Promise<Reply>;
};

/** Records go before receipts: a service that fails for receipts alone is asked for none, while records go on. */
export type Lane = 'records' | 'receipts';

/** What must be left alone: a destination, or one shop of it, for records (and so for receipts, too) or for receipts alone. */
export type Scope = { destinationId: string; shopId: string | null; lane: Lane };

/** What is left alone, why, and until when (ISO instants). */
export type Pause = Scope & { code: FailureCode; detail: string; failures: number; since: string; until: string };

/** Who is about to be called, and for what. */
export type Called = { destinationId: string; shopId: string; lane: Lane };

export type HoldReason = { code: FailureCode; detail: string; retryAfterMs: number | null };

/** Who may be called now. */
export type DestinationGate = {
  /** Null: go ahead. Else why not. */
  closed(called: Called): Promise<HoldReason | null>;
  /** Nobody calls this scope for a while; one order will probe. */
  hold(scope: Scope, reason: HoldReason): Promise<void>;
  /** An answer of unknown meaning (5xx, time-out) to an order: those to several orders in a row close the gate of their lane. */
  doubt(where: Pick<Scope, 'destinationId' | 'lane'>, about: { orderId: number; detail: string }): Promise<void>;
  /** It works: ends its pauses, if there are any. */
  passed(called: Called): Promise<void>;
};
