import type { Job } from '../../platform/jobs/job-store.ts';
import type { Subscription } from '../storefronts/store-reader.ts';
import type { SubscriptionProblem } from './evaluate-subscriptions.ts';

/** What is kept of a problem: enough to show it, and to see that it ended. */
export type KeptProblem = Pick<SubscriptionProblem, 'topic' | 'kind' | 'repairs'> & { words: string };

/** The right to look after the webhooks of a connection, which is its job of the kind `webhooks`, and what is known of them. Instants are ISO. */
export type Watch = {
  connectionId: string;
  job: Job;
  /** From when on it is noted which topics were delivered. */
  since: string;
  /** The last time that nothing was wrong; null: never yet. */
  goodAt: string | null;
  problems: KeptProblem[];
};

/** What a look at the webhooks ended with. `error`: why the store did not list them. */
export type WatchEnded = { nextMs: number } & ({ error: string } | { listedAt: string; found: readonly Subscription[]; problems: readonly KeptProblem[] });

/** Webhooks of connections as the ledger knows them; one process at a time looks after those of one connection. */
export type WatchLedger = {
  /** Writes the jobs of live connections of these platforms that have an API and no job; the first is an hour after they were connected. */
  begin(platforms: readonly string[]): Promise<void>;
  /** What is known of the connection of a job. */
  open(job: Job): Promise<Watch>;
  /** Null: another process has it. */
  take(connectionId: string, leaseMs: number): Promise<Watch | null>;
  /** Whether a process has it now. */
  isLeased(connectionId: string): Promise<boolean>;
  /** Holds it for longer, and keeps what is wrong until it is repaired; false: it is another's by now. */
  keep(watch: Watch, problems: readonly KeptProblem[], leaseMs: number): Promise<boolean>;
  /** Ends its job, too: it is due again. */
  end(watch: Watch, ended: WatchEnded): Promise<void>;
  /** When the last delivery of each topic was accepted, and the last ping. */
  accepted(connectionId: string): Promise<Map<string, string>>;
  /** When the last delivery of one of these topics arrived, as long as that is kept; null: none is. */
  lastArrived(connectionId: string, topics: readonly string[]): Promise<string | null>;
  /** When reading the store last found a paid order that no webhook announced; null: it never did. */
  missedAt(connectionId: string): Promise<string | null>;
  /** False: its key was refused a change of webhooks in the last day. */
  mayChange(connectionId: string): Promise<boolean>;
  /** Whether its key was refused a change of webhooks just now. */
  noteRefused(connectionId: string, isRefused: boolean): Promise<void>;
  /** A secret for new webhooks, live when this resolves. */
  repairingSecret(connectionId: string, make: () => string): Promise<string>;
  /** The store is to be read from then on. */
  wantWindow(connectionId: string, wanted: { since: string; why: string }): Promise<void>;
};
