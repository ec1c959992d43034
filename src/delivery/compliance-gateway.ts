import type { Customer } from '../domain/facts.ts';
import type { FailureCode } from '../domain/failure.ts';
import type { Reply } from '../domain/outcome.ts';
import type { OpenStep } from './converge-ports.ts';

/** The compliance services as the submitter sees them: by destination, one step at a time. */
export type ComplianceGateway = {
  /** May a create of unknown outcome be resent under its Idempotency-Key? */
  honoursIdempotency(destinationId: string): Promise<boolean>;
  /** Sends one journaled step. Never throws for what service or network did. */
  send(step: OpenStep, order: { shopId: string; customer: Customer | null }, signal?: AbortSignal): Promise<Reply>;
};

/** What must be left alone: a destination, or one shop of it. */
export type Scope = { destinationId: string; shopId: string | null };

export type HoldReason = { code: FailureCode; detail: string; retryAfterMs: number | null };

/** Who may be called now. */
export type DestinationGate = {
  /** Null: go ahead. Else why not. */
  closed(destinationId: string, shopId: string): Promise<HoldReason | null>;
  /** Nobody calls this scope for a while; one order will probe. */
  hold(scope: Scope, reason: HoldReason): Promise<void>;
  /** An answer of unknown meaning (5xx, time-out) to an order: those to several orders in a row close the gate. */
  doubt(destinationId: string, about: { orderId: number; detail: string }): Promise<void>;
  /** It works: ends its pauses, if there are any. */
  passed(destinationId: string, shopId: string): Promise<void>;
};
