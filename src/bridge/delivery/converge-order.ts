import type { Connection } from '../connections/connection.ts';
import type { OrderKey } from '../order/order-key.ts';
import type { StepKind } from '../order/outcome.ts';
import type { Receipt } from '../order/receipt.ts';
import type { FetchJson, Storefronts } from '../storefronts/contract.ts';
import type { ComplianceGateway, DestinationGate } from './compliance-gateway.ts';
import type { ConvergeLedger, OrderState } from './converge-ports.ts';
import { Convergence } from './convergence.ts';

export type ConvergeDeps = {
  ledger: ConvergeLedger;
  /** The order's connection, closed or not: what was accepted is still submitted. `fresh`: as it is now, not as it was seconds ago. */
  connection(id: string, options?: { fresh: true }): Promise<Connection>;
  compliance: ComplianceGateway;
  gate: DestinationGate;
  storefronts: Storefronts;
  fetchJson: FetchJson;
  /** Keeps the store's refusal of its key on the connection, until its API answers again: null. */
  noteStoreApi(connectionId: string, refusal: string | null): Promise<void>;
  /** ms since 1970 */
  now(): number;
  /** [0, 1) */
  random(): number;
  /** A record whose VAT, as the service derives it, is not the storefront's. */
  onVatDifference(): void;
  /** One call per step that was sent. */
  onStep(step: { kind: StepKind; outcome: string; ms: number }): void;
};

/** How one visit to an order ended. */
export type Converged =
  /** Nothing is left to do for now: recorded, removed, waiting, or with a person. `receipt`: what this visit came to about it; due: a visit of its own asks. */
  | { kind: 'rest'; state: OrderState; detail: string; recordedMs: number | null; receipt?: Receipt['state'] }
  /** To be looked at again after `ms`. */
  | { kind: 'again'; ms: number; why: string }
  /** Its destination is paused: the sweeper puts it back when it works again. */
  | { kind: 'held'; why: string }
  | { kind: 'missing' };

/** A visit's end, and which order it was about; unknown if the order could not be claimed. */
export type Visited = Converged & { order?: { key: OrderKey; connectionId: string } };

export type ConvergeInput = {
  orderId: number;
  /** A probe goes through a closed gate. */
  probe?: boolean;
  /** Called when a step is about to be sent. */
  onSent?: () => void;
};

/** Makes the compliance service agree with an order's facts. Safe to call at any time, any number of times, from anywhere. */
export async function convergeOrder(deps: ConvergeDeps, { orderId, probe = false, onSent }: ConvergeInput, signal?: AbortSignal): Promise<Visited> {
  const claim = await deps.ledger.claim(orderId);
  if ('kind' in claim) {
    if (claim.kind === 'missing') return { kind: 'missing' };
    return { kind: 'again', ms: Math.min(Math.max(claim.untilMs - deps.now(), 100), 2_000), why: 'another worker is at it' };
  }
  try {
    const connection = await deps.connection(claim.connectionId);
    const converged = await new Convergence(deps, { claim, connection, probe, signal, onSent }).run();
    return { ...converged, order: { key: claim.key, connectionId: claim.connectionId } };
  } catch (thrown) {
    await deps.ledger.release(claim).catch(() => undefined);
    throw thrown;
  }
}
