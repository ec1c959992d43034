import type { Customer } from '../../contract/record.ts';
import type { Reply } from '../order/outcome.ts';
import type { Step } from '../order/step.ts';

/** The compliance services as the submitter sees them: by destination, one step at a time. */
export type ComplianceGateway = {
  /** May a create of unknown outcome be resent under its Idempotency-Key? */
  honoursIdempotency(destinationId: string): Promise<boolean>;
  /** Sends one journaled step. Never throws for errors of service or network. */
  send(step: Step, order: { shopId: string; customer: Customer | null }, signal?: AbortSignal): Promise<Reply>;
};
