import type { Dialect, Extensions } from '../contract/dialect.ts';
import type { TiedCurrency } from '../contract/money.ts';
import type { Secret } from './secret.ts';
import type { OidcRole } from './variable-forms.ts';

export const ROLES = ['all', 'receiver', 'worker', 'compliance', 'console'] as const;
export type Role = (typeof ROLES)[number];

/** Where the ledger lives. Embedded: a private PostgreSQL in DATA_DIR, for role `all` and the command line only. `directUrl`: `url` is that of a pooler. */
type DatabaseConfig = { kind: 'embedded' } | { kind: 'external'; url: Secret; directUrl?: Secret | null };

/** The backend of BullMQ. */
type QueueConfig = { kind: 'postgres' } | { kind: 'redis'; url: Secret; ca?: Secret | null };

/** The compliance API that connections use unless they name a key of their own. */
export type ComplianceConfig =
  | { kind: 'embedded' }
  | {
      kind: 'remote';
      baseUrl: string;
      apiKey: string | null;
      apiSecret: Secret | null;
      dialect: Dialect;
      /** Absent: it offers none. */
      extensions?: Extensions;
    };

/** How long things are kept that are of no use any more, in days. */
type KeepDays = {
  /** Which webhooks came, and what became of each. */
  arrivals: number;
  /** Buyers of orders. */
  buyers: number;
  /** Exports for buyers who asked for their data. */
  exports: number;
  /** Bodies that could not be read, from when a person decided about them. */
  unreadable: number;
  /** Mails and alerts that were sent or given up. */
  outbox: number;
};

/** Where mails go; without a server into DATA_DIR/outbox. `replyTo`: where answers to mails of months go; absent: to the sender. */
type MailConfig = { smtpUrl: Secret | null; from: string; replyTo?: string };

/** To whom incidents are reported, besides those who look. */
export type AlertConfig = {
  /** Plain addresses, each once. */
  mailTo: readonly string[];
  slackUrl: Secret | null;
  webhook: { url: Secret; secret: Secret } | null;
  heartbeatUrl: Secret | null;
  /** "08:30", of Europe/Sofia; null: no daily summary. */
  digestAt: string | null;
};

/** Whose word lets people into the console; `roles`: by value of the claim, the highest role first. */
export type OidcConfig = { issuer: string; clientId: string; clientSecret: Secret; roleClaim: string; roles: readonly OidcRole[] };

export type Config = {
  port: number;
  /** Address to listen on; null: all interfaces. */
  host: string | null;
  /** Where metrics, health and dashboard listen; null: on `port`. */
  opsPort: number | null;
  /** Is the console served, in roles `all` and `console`? Absent: yes. */
  console?: boolean;
  /** Where the console listens; null or absent: on `port`. */
  consolePort?: number | null;
  /** Proxies whose X-Forwarded-For is believed: addresses, networks, or names of ranges. */
  trustProxy: readonly string[];
  /** Hosts to which credentials may go over http, in lower case. */
  trustedHttpHosts: readonly string[];
  /** Whether owners and operators who sign in with a password or a mailed link need a second factor; absent: optional. */
  secondFactor?: 'required' | 'optional';
  /** Address in webhook URLs that people copy, without a trailing slash; null: http://localhost:PORT. */
  publicUrl: string | null;
  /** Address under which people reach the console, without a trailing slash; null or absent: `publicUrl`. */
  consolePublicUrl?: string | null;
  /** Absent or null: people sign in by password or mailed link alone. */
  oidc?: OidcConfig | null;
  /** Address of the pages behind the links in mails of our compliance service, without a trailing slash; null or absent: mails ask for an answer instead. */
  servicePublicUrl?: string | null;
  /** Absolute path. */
  dataDir: string;
  database: DatabaseConfig;
  /** Most connections of one process for the ledger, and as many for our own compliance service. */
  databaseConnections: number;
  queue: QueueConfig;
  /** null only with an embedded database: then a key is made and kept in DATA_DIR. 32 bytes, as 64 hex digits or base64. */
  encryptionKeys: Secret | null;
  /** True: `encryptionKeys` is from the file `.env`, which may have been written for another database. */
  encryptionKeysOfEnvFile?: boolean;
  /** Every variable that is set, as it was given; to compare the configurations of two processes. */
  given?: Readonly<Record<string, Secret>>;
  compliance: ComplianceConfig;
  /** True: `/faults` can make the embedded compliance service fail. */
  complianceFaults?: boolean;
  /** Currency of audit files; null: by their month. */
  accountingCurrency: TiedCurrency | null;
  /** Null: exchange rates are not fetched. */
  bnbRatesUrl: string | null;
  /** Where the sheet of a past day is fetched, with {YYYY}, {MM} and {DD} or {date}; null or absent: it is not fetched. */
  bnbRatesDayUrl?: string | null;
  replacementWaitMinutes: number;
  mail: MailConfig;
  /** Absent: nobody is told. */
  alerts?: AlertConfig;
  /** By the name of its variable: secrets of apps whose stores share one address. */
  appSecrets: Readonly<Record<string, Secret>>;
  adminToken: Secret | null;
  allowPrivateAddresses: boolean;
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** Where traces go, and which share of them is kept; null or absent: there are none. */
  traces?: { url: string; share: number } | null;
  /** How the server's log is written; null or absent: as its output asks for. */
  logFormat?: 'json' | 'text' | null;
  quietSeconds: number;
  /** How long after SIGTERM requests are taken while `/readyz` says that the process stops. */
  stopDelaySeconds: number;
  /** How long a claim on an order lasts without a sign of life. */
  leaseSeconds: number;
  /** After how long BullMQ hands the job of a silent worker to another. */
  stalledSeconds: number;
  /** How often the sweeper looks for webhooks that wait in the table, failed jobs and overdue probes. */
  sweepSeconds: number;
  reconcileSeconds: number;
  /** Multiplies how long background jobs wait after failures. */
  retryScale: number;
  /** Orders submitted at once by one process. */
  concurrency: number;
  /** How long delivery bodies are kept for replay. */
  keepDeliveriesDays: number;
  /** How many MB of them are kept whole, of one connection and day. */
  keepBodiesMb: number;
  keepDays: KeepDays;
  /** Limits of one call to the compliance API. */
  timeouts: { connectMs: number; headersMs: number; totalMs: number };
};

type Where = Pick<Config, 'publicUrl' | 'consolePublicUrl' | 'consolePort'>;

/** Where people reach the console, without a trailing slash; null: it is not known. On a port of its own it is not at PUBLIC_URL. */
export function consoleUrl({ publicUrl, consolePublicUrl = null, consolePort = null }: Where): string | null {
  return consolePublicUrl ?? (consolePort === null ? publicUrl : null);
}

/** Is the dashboard of the queues at the same address as the console? Only there a session of the console opens it. */
export function isDashboardBeside({ opsPort, consolePort = null }: Pick<Config, 'opsPort' | 'consolePort'>): boolean {
  return opsPort === null && consolePort === null;
}

/** An ADMIN_TOKEN of fewer characters could be guessed: it opens nothing. */
export const SHORTEST_ADMIN_TOKEN = 16;

export function isTooShort({ adminToken }: Pick<Config, 'adminToken'>): boolean {
  return adminToken !== null && adminToken.reveal().length < SHORTEST_ADMIN_TOKEN;
}

/** The password of the dashboard; null: the dashboard is off. */
export function usableAdminToken(config: Pick<Config, 'adminToken'>): string | null {
  return isTooShort(config) ? null : (config.adminToken?.reveal() ?? null);
}
