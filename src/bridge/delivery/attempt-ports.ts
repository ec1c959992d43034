import type { AmountDialect } from '../../contract/order-dto.ts';
import type { Customer } from '../../contract/record.ts';
import type { Connection } from '../connections/connection.ts';
import type { LookUpResult, Reply, StepKind } from '../order/decisions/answer.ts';
import type { Claim } from '../order/decisions/claim.ts';
import type { OtherOrder } from '../order/decisions/conclude.ts';
import type { LateReply } from '../order/decisions/late-reply.ts';
import type { Send, Situation } from '../order/decisions/next-action.ts';
import type { OpenStep, Step } from '../order/decisions/step.ts';
import type { AttemptEnd, Write } from '../order/decisions/transition.ts';
import type { CustomerFact, Facts } from '../order/facts/facts.ts';
import type { Storefront, Storefronts } from '../storefronts/contract.ts';
import type { Pauses } from './pauses.ts';
import type { ReadStoreDeps } from './read-store.ts';

/** Why a claim was not given. */
export type NotClaimed = { kind: 'missing' } | { kind: 'leased'; untilMs: number };

/**
 * A write to a claimed order, checked against its fence. `sent`: the step whose answer it is. `onTrialOf`: it is right only while this connection is on
 * trial.
 */
export type WriteInput = { claim: Pick<Claim, 'id' | 'fence' | 'revision'>; write: Write; sent?: Step; onTrialOf?: string };

/**
 * `owned` false: the lease was lost, and nothing was written. `newer`: facts came since the claim, so what the write says of waiting and of being
 * in review is out of date and was not written. `isOver`: the trial is, and nothing was written. `dueAt`: when the order is due next, ms since 1970.
 */
export type Written = { owned: boolean; newer: boolean; dueAt: number | null; isOver?: true };

/** A step is journaled, and is sent with this buyer. `isKnown` false: it is a repeat, and nobody knows any more which one its first try was sent with. */
export type BegunWith = { customer: CustomerFact; isKnown: boolean };

/** A reply that came after the lease of its order was lost. */
export type LateReplyOf = LateReply & { orderId: number };

/** The ledger as the submitter needs it. */
export type AttemptLedger = {
  claim(orderId: number): Promise<Claim | NotClaimed>;
  /**
   * Journals a step before it is sent. Null: the lease was lost, nothing may be sent. unopened: nor now, since its buyer may be known later, or in another
   * process. Again for the same step: one more attempt of it.
   */
  begin(input: { claim: Claim; step: Step }): Promise<BegunWith | 'unopened' | null>;
  /** Not owned: a reply then goes to `recordLateReply`. */
  write(input: WriteInput): Promise<Written>;
  recordLateReply(reply: LateReplyOf): Promise<void>;
  /** Merges what the store's API returned; keeps the claim. Null: the lease was lost. */
  mergeFetched(claim: Claim, news: Facts): Promise<Pick<Claim, 'facts' | 'revision'> | null>;
  /** Which other order of this ledger has the record that is in the way of this one's, or this one, if it had it deleted; null: none. */
  otherOrderOf(claim: Claim, complianceId: string | null): Promise<OtherOrder | null>;
  /** `laterMs`: the claim's revision is not due before so long. */
  release(claim: Pick<Claim, 'id' | 'fence' | 'revision'>, laterMs?: number): Promise<void>;
};

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
  lookUp(step: OpenStep, shopId: string): Promise<LookUpResult>;
};

export type AttemptDeps = ReadStoreDeps & {
  ledger: AttemptLedger;
  /** The order's connection, closed or not: accepted orders are still submitted. `fresh`: not from the cache. */
  connection(id: string, options?: { fresh: true }): Promise<Connection>;
  compliance: ComplianceGateway;
  pauses: Pauses;
  storefronts: Storefronts;
  /** [0, 1) */
  random(): number;
  /** A record whose VAT, as the service derives it, differs from the storefront's. */
  onVatDifference(): void;
  /** One call per step that was sent. */
  onStep(step: { kind: StepKind; outcome: string; ms: number }): void;
};

/** The first step of an attempt, journaled with the claim itself; what it was decided by, and whether its destination honours an Idempotency-Key. */
export type BegunSend = { action: Send; connection: Connection; mayResend: boolean };

export type AttemptOptions = {
  /** A probe calls a paused destination. */
  probe?: boolean;
  /** The store may be called until this aborts. Absent: an attempt that needs it ends with `fetch`. */
  fetches?: AbortSignal;
  /** Called when a step is about to be sent. */
  onSent?: () => void;
  /** Called when nothing is left of the attempt but to write an answer. */
  onLast?: () => void;
};

/** Makes an attempt at an order, and logs it, as part of the trace of its change. */
export type TraceAttempt = <T>(orderId: number, attempt: () => Promise<T>) => Promise<T>;

/** How this attempt is made. */
export type Mode = Pick<AttemptOptions, 'fetches' | 'onSent' | 'onLast'> & {
  deps: AttemptDeps;
  storefront: Storefront;
  probe: boolean;
  signal: AbortSignal | undefined;
};
/** The order as this attempt knows it, and what became of the query of its store. */
export type ClaimedOrder = { claim: Claim; connection: Connection } & Pick<Situation, 'queried'>;
/** The order after an action, and how the attempt ends with that; null: it goes on. */
export type ActionResult = { known: ClaimedOrder; end: AttemptEnd | null };
