import type { ComplianceClient, RecordReader } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { Scope } from '../../bridge/delivery/pauses.ts';
import type { AppStore } from '../../bridge/ledger/apps/app-store.ts';
import type { ConnectionStore } from '../../bridge/ledger/connections/connection-store.ts';
import type { DestinationStore } from '../../bridge/ledger/connections/destination-store.ts';
import type { StoreFigures } from '../../bridge/ledger/connections/store-figures.ts';
import type { WatchDeps } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { FetchJson, Storefronts } from '../../bridge/storefronts/contract.ts';
import type { Config } from '../../config/config.ts';
import type { ComplianceAccess } from '../../operations/compliance-access.ts';
import type { PausableQueue } from '../../operations/destinations/destinations.ts';
import type { HealthStatus } from '../../operations/health/health-status.ts';
import type { RecordAccess } from '../../operations/orders/record-at-service.ts';
import type { Passwords, RoleRules, SignInThrottle } from '../../operations/people/sign-in.ts';
import type { AskDeps } from '../../operations/reconciliation/ask-store.ts';
import type { CountedBulkActions } from '../../operations/review/show-bulk-action.ts';
import type { RequestOrigin } from '../../platform/http/request-origin.ts';
import type { RunningJobs } from '../../platform/jobs/run-jobs.ts';
import type { IdentityProvider } from '../../platform/oidc/identity-provider.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Sealer } from '../../platform/seal.ts';
import type { ComplianceService } from '../../service/compliance-service.ts';

/** What the pages show and do; given by the process that serves them. */
export type ConsoleDeps = {
  pool: Pool;
  config: Config;
  connections: ConnectionStore;
  apps: AppStore;
  destinations: DestinationStore;
  /** Never rejects. */
  readHealth(): Promise<HealthStatus>;
  notify: Notify;
  /** Fails if the queue is down. */
  addDeliveries(job: DeliveriesJob): Promise<void>;
  queues: readonly PausableQueue[];
  /** One order of a paused scope is sent now; fails if the queue is down. */
  probe(scope: Scope): Promise<void>;
  /** How compliance services are called. */
  client: Pick<ComplianceClient, 'deleteOrder' | 'shop'> & Pick<RecordReader, 'knowsShop'>;
  /** The one that this configuration names. */
  compliance: ComplianceAccess;
  /** How stores are called. */
  stores: StoreDeps;
  /** How records are read at the compliance service. */
  records: RecordAccess;
  /** Null: no compliance service of ours is in this database. */
  service: ComplianceService | null;
  bulkActions: CountedBulkActions;
  entry: EntryDeps;
  now(): Date;
  isStopping(): boolean;
  /** Keeps what goes on behind an answer; its failure is logged, and a stop of the process waits for it. */
  background(work: Promise<unknown>): void;
  /** Bulk actions and tasks that run in this process. */
  jobs: Pick<RunningJobs, 'runNow'>;
  /** The process stops: what goes on behind answers ends. */
  stop: AbortSignal;
};

/** How people come in. */
export type EntryDeps = {
  passwords: Passwords;
  throttle: SignInThrottle;
  /** Of mailed links, so that who guesses passwords holds up none. */
  linkThrottle: SignInThrottle;
  /** Seals what a form or a phone keeps. */
  sealer: Pick<Sealer, 'seal' | 'open' | 'digest'>;
  /** Owners and operators need a second factor. */
  isFactorRequired: boolean;
  /** Where people reach the console, without a trailing slash; null: it is not known. */
  url: string | null;
  /** Sends a mail behind the answer, so that nobody learns by waiting whether there is one. Null: there is no mail server. */
  post: ((make: () => Promise<EntryMail | null>) => void) | null;
  /** Null: there is no identity provider. */
  oidc: Oidc | null;
  /** The e-mail address of who is signed in by a press alone, on this machine. Null: this is no demo. */
  demoOwner: string | null;
  /** Somebody was not let in: for the log. */
  onRefused(refused: RefusedEntry): void;
};

/** An identity provider, who may what by its word, and how a browser keeps what it must bring back. */
export type Oidc = { provider: IdentityProvider; rules: RoleRules; seal(text: string): string; open(sealed: string): string | null };

/**
 * wrong: address, password or code. throttled: too many tries. link: one that can't be used. forbidden: not for the role of this person. foreign: a form of
 * another site. oidc: they came from the identity provider, with a code of why. `person`: the id of who is signed in.
 */
export type RefusedEntry = RequestOrigin & { why: 'wrong' | 'throttled' | 'link' | 'forbidden' | 'foreign' | `oidc: ${string}`; person: string | null };
export type EntryMail = { to: string; subject: string; text: string };

/** `watch`: how their webhooks are looked after. `base`: where the internet reaches this server. `recent`: what takes long to look up. `reading`: how they are asked for orders. */
export type StoreDeps = {
  storefronts: Storefronts;
  watch: WatchDeps;
  fetchJson: FetchJson;
  base(): Promise<string>;
  recent: RecentStores;
  reading: StoreReading;
  /** Where a server takes webhooks; null: none is known. */
  receiver(): Promise<string | null>;
};

/** A store is asked by somebody who waits: it must answer soon. */
export type StoreReading = Omit<AskDeps, 'pool' | 'connections'>;

/** What orders tell of live connections, by their ids, a minute old at most; and how many there were lately, seconds old. */
export type RecentStores = { ordersSay(connections: readonly Connection[]): Promise<ReadonlyMap<string, string[]>>; figures(): Promise<StoreFigures> };

/** What happens that the log should tell. */
export type ConsoleLog = {
  /** A page could not be made; `error` is not shown. */
  failed(error: unknown, about: { method: string; client: string | null; requestId: string }): void;
};
