import { setTimeout as delay } from 'node:timers/promises';
import { type Concern, eraseFromDelivery, type PrivacyScope } from './erase-delivery.ts';
import type { AcceptedDelivery } from './jobs.ts';

export type EraseDeps = {
  /** Every connection through which orders of this scope can have come. */
  connectionsOf(scope: PrivacyScope): Promise<string[]>;
  /** Rewrites inbox rows of these connections; null leaves a row as it is. */
  rewriteInbox(connectionIds: readonly string[], rewrite: (delivery: AcceptedDelivery) => AcceptedDelivery | null): Promise<void>;
  /** False: a job that runs right now still carries some. */
  eraseFromJobs(concern: Concern, ownIds: ReadonlySet<string>): Promise<boolean>;
  eraseFromLedger(scope: PrivacyScope): Promise<void>;
};

const LOOKS = 50;
const PAUSE_MS = 100;

/**
 * Takes the buyers of these orders out of everything that is kept, in the way of a delivery: inbox, queue, ledger. What is on its way from one to
 * the next is waited for; throws if that takes long, to be tried again. `ownIds`: what is in the ledger already, though its job still runs.
 */
export async function erasePersonalData(deps: EraseDeps, scope: PrivacyScope, ownIds: ReadonlySet<string>): Promise<void> {
  const connectionIds = await deps.connectionsOf(scope);
  const concern: Concern = { connectionIds, orderIds: scope.orderIds };
  await deps.rewriteInbox(connectionIds, (delivery) => eraseFromDelivery(delivery, concern));
  await eraseFromQueue(deps, concern, ownIds);
  await deps.eraseFromLedger(scope);
}

async function eraseFromQueue(deps: EraseDeps, concern: Concern, ownIds: ReadonlySet<string>): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    if (await deps.eraseFromJobs(concern, ownIds)) return;
    await delay(PAUSE_MS);
  }
  throw new Error('deliveries with the data to erase are still being recorded; it is tried again');
}
