import type { Connection } from '../connections/connection.ts';
import type { AttemptEnd } from '../order/decisions/attempt-end.ts';
import type { Claim } from '../order/decisions/claim.ts';
import type { Send, Situation } from '../order/decisions/next-action.ts';
import type { StepKind } from '../order/decisions/outcome.ts';
import type { Storefront, Storefronts } from '../storefronts/contract.ts';
import type { AttemptLedger, ComplianceGateway } from './attempt-ports.ts';
import type { Pauses } from './pauses.ts';
import type { ReadStoreDeps } from './read-store.ts';

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
export type Begun = { action: Send; connection: Connection; mayResend: boolean };

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

/** How this attempt is made. */
export type Mode = Pick<AttemptOptions, 'fetches' | 'onSent' | 'onLast'> & {
  deps: AttemptDeps;
  storefront: Storefront;
  probe: boolean;
  signal: AbortSignal | undefined;
};
/** The order as this attempt knows it, and what became of the query of its store. */
export type Known = { claim: Claim; connection: Connection } & Pick<Situation, 'queried'>;
/** The order after an action, and how the attempt ends with that; null: it goes on. */
export type ActionResult = { known: Known; end: AttemptEnd | null };
