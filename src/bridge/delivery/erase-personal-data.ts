import { setTimeout as delay } from 'node:timers/promises';
import { type Concern, eraseFromDelivery, type PrivacyScope } from './erase-delivery.ts';
import type { AcceptedDelivery } from './jobs.ts';

export type EraseDeps = {
  /** Every connection through which orders of this scope can have come. */
  connectionsOf(scope: PrivacyScope): Promise<string[]>;
  /** Rewrites inbox rows of these connections; null leaves a row as it is. */
  rewriteInbox(connectionIds: readonly string[], rewrite: (delivery: AcceptedDelivery) => AcceptedDelivery | null): Promise<void>;
  /** False: a running job still contains some. */
  eraseFromJobs(concern: Concern, ownIds: ReadonlySet<string>): Promise<boolean>;
  /** Bodies in the ledger that belong to no order yet: unreadable ones, and those that are held. */
  eraseUnread(scope: PrivacyScope): Promise<void>;
  eraseFromLedger(scope: PrivacyScope): Promise<void>;
};

const LOOKS = 50;
const PAUSE_MS = 100;

/**
 * Erases the buyers of these orders everywhere, in the order in which a delivery travels: held, inbox, queue, ledger. Waits for deliveries between them;
 * throws if that takes long, so that the erasure is retried. `ownIds`: deliveries that are in the ledger although their job still runs.
 */
export async function erasePersonalData(deps: EraseDeps, scope: PrivacyScope, ownIds: ReadonlySet<string>): Promise<void> {
  const connectionIds = await deps.connectionsOf(scope);
  const concern: Concern = { connectionIds, orderIds: scope.orderIds };
  // What can't be erased in one place must not keep the data in the others.
  const [unread] = await Promise.allSettled([deps.eraseUnread(scope)]);
  const [rewritten] = await Promise.allSettled([deps.rewriteInbox(connectionIds, (delivery) => eraseFromDelivery(delivery, concern))]);
  await eraseFromQueue(deps, concern, ownIds);
  await deps.eraseFromLedger(scope);
  for (const part of [unread, rewritten]) if (part.status === 'rejected') throw part.reason;
}

async function eraseFromQueue(deps: EraseDeps, concern: Concern, ownIds: ReadonlySet<string>): Promise<void> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    if (await deps.eraseFromJobs(concern, ownIds)) return;
    await delay(PAUSE_MS);
  }
  throw new Error('deliveries with the data to erase are still being recorded; the erasure is retried');
}
