import type { UnreadableRow } from '../../platform/postgres/unreadable-row.ts';
import type { Claim } from '../order/claim.ts';
import type { Send } from '../order/next-action.ts';
import type { Begun } from './attempt-mode.ts';
import type { Served } from './concurrency-limiter.ts';

export type Planned = { action: Send };

/**
 * What to claim: `size` orders at most, none of these orders. `roundRobin`: none of these connections and destinations, first those of connections with the
 * fewest attempts, and of these the one that was served longest ago; else the oldest.
 */
export type DuePage = {
  size: number;
  not: readonly number[];
  notOf: readonly string[];
  notTo: readonly string[];
  served: Readonly<Record<string, Served>>;
  roundRobin: boolean;
};

/** `abandoned`: another worker had it, whose lease ran out. */
export type DueOrder<P> = { claim: Claim; begun: P | null; abandoned: boolean };

/** The ledger's index of orders that are due. */
export type DueLedger<P extends Planned = Begun> = {
  /** One page of orders that should be processed by now and that no worker has, claimed; the first steps that are sure are journaled. */
  claim(page: DuePage): Promise<{ orders: DueOrder<P>[]; unreadable: UnreadableRow[] }>;
  /** In how many ms the next order is due that is not due yet; null: none. */
  nextDueMs(): Promise<number | null>;
};
