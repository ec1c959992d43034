import type { Scope } from './compliance-gateway.ts';
import type { Converged } from './converge-order.ts';

export type ProbeDeps = {
  /** Orders of the scope that are behind, the one tried longest ago first. */
  candidates(scope: Scope, size: number): Promise<number[]>;
  /** Visits an order through the closed gate; `sent`: a request was made. */
  converge(orderId: number): Promise<{ converged: Converged; sent: boolean }>;
  /** Ends a pause that nobody needs any more. */
  resume(scope: Scope): Promise<void>;
};

const CANDIDATES = 20;

/**
 * Sends one order through a closed gate. A success ends the pause (the gate does it), a failure makes it longer;
 * orders that turn out to need no call are passed over.
 */
export async function probe(deps: ProbeDeps, scope: Scope): Promise<void> {
  const orders = await deps.candidates(scope, CANDIDATES);
  for (const orderId of orders) {
    const { converged, sent } = await deps.converge(orderId);
    // Whatever was answered, the gate has drawn its conclusion: open, or closed for longer.
    if (sent || converged.kind === 'held') return;
  }
  // Nobody needs it: the next order will find out for itself.
  await deps.resume(scope);
}
