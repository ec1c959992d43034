import type { Scope } from './pauses.ts';
import type { Processed } from './process-order.ts';

export type ProbeDeps = {
  /** Orders of the scope that are pending, the one tried longest ago first. */
  candidates(scope: Scope, size: number): Promise<number[]>;
  /** Puts this order, and no other of the page, behind those that were tried longer ago. */
  tried(orderId: number): Promise<void>;
  /** Processes an order although its destination is paused; `sent`: a request was made. */
  attempt(orderId: number): Promise<{ processed: Processed; sent: boolean }>;
  /** Takes an order whose store must be called first: that is done apart. */
  fetchLater(orderId: number, host: string): void;
  /** Ends a pause that no order needs any more. */
  resume(scope: Scope): Promise<void>;
  /** The attempt threw; the next candidate is tried. */
  onFailed(orderId: number, err: unknown): void;
};

const CANDIDATES = 20;

/**
 * Lets one order call a paused destination. A success ends the pause, a failure makes it longer; orders that turn out to need no call
 * are skipped.
 */
export async function probe(deps: ProbeDeps, scope: Scope): Promise<void> {
  const orders = await deps.candidates(scope, CANDIDATES);
  let isOpen = false;
  for (const orderId of orders) {
    try {
      await deps.tried(orderId);
      const { processed, sent } = await deps.attempt(orderId);
      // The answer has ended the pause, or made it longer.
      if (sent || processed.kind === 'paused') return;
      if (processed.kind !== 'fetch') continue;
      isOpen = true;
      deps.fetchLater(orderId, processed.host);
    } catch (thrown) {
      isOpen = true;
      deps.onFailed(orderId, thrown);
    }
  }
  // Whether those need it is not known: the sweeper has the pause probed again.
  if (isOpen) return;
  // No order needs it: the next one will show whether the destination works.
  await deps.resume(scope);
}
