import { ACCESS_WARNING, API_WARNINGS, type Connection } from '../../bridge/connections/connection.ts';
import { concerns, type Pause } from '../../bridge/delivery/pauses.ts';
import type { StorePause } from '../../bridge/delivery/store-calls.ts';
import { everyTraffic, type KnownTraffic } from '../../bridge/ledger/deliveries/traffic-store.ts';
import { storePauses } from '../../bridge/ledger/sync/store-calls.ts';
import { storeReadStates } from '../../bridge/ledger/sync/sync-store.ts';
import { type UnreadOrders, unreadOrders } from '../../bridge/ledger/sync/unread-orders.ts';
import { type WatchState, watchStates } from '../../bridge/ledger/sync/watch-store.ts';
import type { Config } from '../../config/config.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { deliveryWarnings, type LastStoreRead, orderWarnings, storeRead, subscriptionWarnings, unreadStore, unreadWarnings } from './connection-warnings.ts';
import { pausesOfStore, storePauseWords } from './pauses.ts';
import { hostWarnings, otherAddress } from './store-hosts.ts';
import { type SecretWarnings, secretWarnings } from './store-secrets.ts';
import { webhookAddress } from './store-webhooks.ts';

type Deps = {
  pool: Pool;
  config: Pick<Config, 'trustedHttpHosts' | 'reconcileSeconds'>;
  connections: { list(): Promise<Connection[]> };
  destinations: { pauses(): Promise<Pause[]> };
  /** What orders tell of live connections, by their ids; looked up if absent. */
  ordersSay?: (connections: readonly Connection[]) => Promise<ReadonlyMap<string, string[]>>;
};

/** A connection with all that its report is made of. `remarks`: warnings that no other part of the report says. */
export type DescribedConnection = {
  connection: Connection;
  report: ConnectionReport;
  /** Since when (ISO instant) its store was not read, though it should have been; null: it was. */
  overdue: string | null;
  watch: WatchState | undefined;
  refusedCode: string | null;
  remarks: string[];
};

/** A connection for people: no secrets, but all its warnings. */
export type ConnectionReport = Pick<Connection, 'platform' | 'name' | 'store' | 'recordFrom' | 'trialSince' | 'gaps' | 'settings' | 'throttled'> & {
  connectionId: string;
  state: 'connected' | 'disconnected';
  /** Its shop at the compliance service. */
  shop: string;
  webhookUrl: string;
  connectedAt: string;
  disconnectedAt: string | null;
  storeUrl: string | null;
  /** Until when a replaced secret stays live; null: there is none. */
  oldSecretUntil: string | null;
  /** Once it is disconnected, only that its store still sends. */
  warnings: string[];
  /** ISO instants; `lastRefused` and `refusedInARow`, which the next accepted one makes 0, are of requests that look like the platform's. */
  deliveries: { lastAccepted: string | null; lastRefused: string | null; refusedInARow: number };
  /** Hosts that a person was asked about, or named; `dismissed` counts webhooks that were not kept. */
  hosts: Connection['hosts'];
  /** Those of the compliance service that keep its orders waiting. */
  pauses: Pick<Pause, 'callType' | 'code' | 'detail' | 'since' | 'until' | 'failures'>[];
  /** Those of the store's API, which keep orders waiting for what webhooks leave out. */
  storePauses: Pick<StorePause, 'code' | 'detail' | 'since' | 'until' | 'failures'>[];
  /** How its store is read by its API; null: it is not. */
  read: LastStoreRead | null;
  /** Orders that its store lists and that could not be read whole; `since`: when the first was found. Null: there is none. */
  unread: { count: number; since: string } | null;
};

/** Every connection, live or not, oldest first; `base` is where the internet reaches this server. */
export async function listConnections(deps: Deps, base: string): Promise<ConnectionReport[]> {
  return (await describeConnections(deps, base)).map(({ report }) => report);
}

/** The same with what it is made of, which has secrets. `only`: the one of this id. */
export async function describeConnections(deps: Deps, base: string, only?: string): Promise<DescribedConnection[]> {
  const { pool, config, connections, destinations } = deps;
  const [every, pauses, storesPaused, traffic, watches, reads, unread] = await Promise.all([
    connections.list(),
    destinations.pauses(),
    storePauses(pool),
    everyTraffic(pool),
    watchStates(pool),
    storeReadStates(pool),
    unreadOrders(pool),
  ]);
  const all = only === undefined ? every : every.filter(({ id }) => id === only);
  const ordersSay = await (deps.ordersSay?.(all) ?? orderWarnings(pool, all, Date.now()));
  const trafficOf = new Map(traffic.map((one) => [one.connectionId, one]));
  const unreadOf = new Map(unread.map((one) => [one.connectionId, one]));
  const around = { pauses, storesPaused, base };
  const clock = { now: Date.now(), periodMs: config.reconcileSeconds * 1000 };
  return all.map((connection) => {
    const { id } = connection;
    const { read, warnings } = storeRead(connection, reads.get(id), clock);
    const watch = watches.get(id);
    const webhooks = subscriptionWarnings(connection, watch);
    const left = unreadOf.get(id);
    const besides = [...unreadWarnings(left), ...(ordersSay.get(id) ?? [])];
    const said = [...webhooks.wrong, ...webhooks.remarks, ...warnings, ...besides];
    const secrets = secretWarnings(connection, config.trustedHttpHosts);
    const described = { ...around, read, left, said, secrets, traffic: trafficOf.get(id) };
    const remarks =
      connection.closedAt === null ? [...secrets.wrong, ...otherWarnings(connection), ...otherAddress(connection), ...secrets.weak, ...besides] : [];
    const overdue = unreadStore(connection, reads.get(id), clock)?.since ?? null;
    return { connection, report: report(connection, described), overdue, watch, refusedCode: trafficOf.get(id)?.refusedCode ?? null, remarks };
  });
}

function otherWarnings({ warnings }: Connection): string[] {
  return Object.entries(warnings).flatMap(([kind, words]) => (API_WARNINGS.includes(kind) || kind === ACCESS_WARNING ? [] : [words]));
}

type ConnectionContext = {
  pauses: readonly Pause[];
  storesPaused: readonly StorePause[];
  base: string;
  read: LastStoreRead | null;
  left: UnreadOrders | undefined;
  /** What is said of its webhooks and orders. */
  said: readonly string[];
  secrets: SecretWarnings;
  /** Undefined: it never got a webhook. */
  traffic: KnownTraffic | undefined;
};

function report(connection: Connection, around: ConnectionContext): ConnectionReport {
  const { pauses, storesPaused, base, read, left, traffic } = around;
  const { id, platform, name, store, shopId, recordFrom, trialSince, gaps, settings, createdAt, closedAt } = connection;
  const { access, secrets, hosts, throttled } = connection;
  const paused = pauses.filter((pause) => concerns(pause, connection));
  const stores = pausesOfStore(connection, storesPaused);
  return {
    connectionId: id,
    platform,
    name,
    state: closedAt === null ? 'connected' : 'disconnected',
    store,
    shop: shopId,
    webhookUrl: webhookAddress(base, connection),
    recordFrom,
    trialSince,
    gaps,
    throttled,
    connectedAt: createdAt,
    disconnectedAt: closedAt,
    storeUrl: access?.url ?? null,
    oldSecretUntil: secrets.find(({ until }) => until !== null && Date.parse(until) > Date.now())?.until ?? null,
    settings,
    warnings: [...(closedAt === null ? warningsOf(connection, around, { paused, stores }) : []), ...deliveryWarnings(connection, traffic, Date.now())],
    deliveries: { lastAccepted: traffic?.lastAccepted ?? null, lastRefused: traffic?.lastRefused ?? null, refusedInARow: traffic?.refusedInARow ?? 0 },
    hosts,
    pauses: paused.map(({ callType, code, detail, since, until, failures }) => ({ callType, code, detail, since, until, failures })),
    storePauses: stores.map(({ code, detail, since, until, failures }) => ({ code, detail, since, until, failures })),
    read,
    unread: left === undefined ? null : { count: left.count, since: left.since },
  };
}

type Paused = { paused: readonly Pause[]; stores: readonly StorePause[] };

function warningsOf(connection: Connection, { said, secrets: { wrong, weak } }: ConnectionContext, { paused, stores }: Paused): string[] {
  const kept = Object.values(connection.warnings);
  return [...wrong, ...kept, ...weak, ...hostWarnings(connection), ...paused.map(pauseWords), ...stores.map(storePauseWords), ...said];
}

function pauseWords({ callType, code, detail, since, until }: Pause): string {
  const what = callType === 'records' ? 'the compliance service is paused' : 'requests for receipts are paused';
  return `${code}: ${what} since ${since} (${detail}); the next probe is at ${until}`;
}
