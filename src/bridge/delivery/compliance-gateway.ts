import type { AmountDialect } from '../../contract/encode-order.ts';
import type { Customer } from '../../contract/record.ts';
import type { Looked } from '../order/look-up.ts';
import type { Reply } from '../order/outcome.ts';
import type { OpenStep, Step } from '../order/step.ts';

/** What a step is sent with. */
export type SentFor = { shopId: string; customer: Customer | null };

/** The compliance services as the submitter sees them: by destination, one step at a time. */
export type ComplianceGateway = {
  /** May a create of unknown outcome be resent under its Idempotency-Key? */
  honoursIdempotency(destinationId: string): Promise<boolean>;
  /** How the destination takes amounts and rates; null: as decimals and percent. */
  encodingOf(destinationId: string): Promise<AmountDialect | null>;
  /** When the destination last made or deleted a record for this process, ms since 1970; null: not yet. */
  workedAt(destinationId: string): number | null;
  /** Why the destination may not be called: its key would be sent in the clear; null: it may. */
  whyInsecure(destinationId: string): Promise<string | null>;
  /** Sends one journaled step. Never throws for errors of service or network. */
  send(step: Step, order: SentFor, signal?: AbortSignal): Promise<Reply>;
  /** What the destination shows of the record of a step of unknown outcome. Never throws for errors of service or network. */
  lookUp(step: OpenStep, shopId: string): Promise<Looked>;
};
