import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ownValue } from '../../contract/own-value.ts';
import { compress } from '../../platform/compress.ts';
import { declaredLength, readBody } from '../../platform/http/read-body.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import { type Connection, liveSecrets } from '../connections/connection.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import { isBasket } from '../order/facts/facts.ts';
import { asFailure, type FailureCode } from '../order/facts/failure.ts';
import type { Delivery, Envelope, Normalized, Storefront, Storefronts } from '../storefronts/contract.ts';
import { isTooMany } from '../storefronts/hmac.ts';
import { storefrontOf } from '../storefronts/registry.ts';
import type { StoreApp } from '../storefronts/store-app.ts';
import type { Enqueue } from './enqueue.ts';
import { type KeptHeaders, keptHeaders } from './kept-headers.ts';
import type { Read, Trusted } from './read-trusted.ts';

export type RequestDeps = {
  intake: Intake;
  /** Null: unknown. Throws if it can't be looked up. */
  connection(id: string): Promise<Connection | null>;
  /** Every connection that a store of this name ever had, live ones first. */
  connectionsOfStore(platform: string, store: string): Promise<Connection[]>;
  /** The secret of a storefront's app that the environment names. Null: there is none, and nothing at the address for all of its stores. */
  appSecret(storefront: Storefront): string | null;
  /** An app of the ledger. Null: unknown. Throws if it can't be looked up. */
  app(id: string): Promise<StoreApp | null>;
  /** Memory for large bodies: how to give it back, or null if there was none in time. Those of one key share, and keys take turns. */
  reserve(key: string, bytes: number): Promise<(() => void) | null>;
};

/**
 * Where a webhook was sent to: a connection's own address; with `app` that of all stores of this app; with neither the one address for all stores of
 * the app that the environment names.
 */
export type WebhookPath = { platform: string; connectionId: string | null; app: string | null };

/** What the headers say of the sender: see `WebhookAnswer`. */
type Sender = { topic: string; isPlatforms: boolean; isByModule: boolean };

/** What is kept of a refused request beside that. `deliveryId`: the platform's. */
type Metadata = { deliveryId: string | null; headers: KeptHeaders };

/** `isNowhere`: its address leads to nothing. `err`: the error because of which it could not be taken. */
export type RefusedRequest = { connectionId: string | null; code: FailureCode; retryAfterMs?: number; isNowhere?: true; err?: unknown };

/** What became of a webhook request. `delivery`: the id that it has here, if it was handed over. */
export type Intaken = Partial<Sender & Metadata> &
  ({ connectionId: string | null; code: null; what: Normalized['kind'] | 'ping'; orderId?: string; delivery?: string | undefined } | RefusedRequest);

/** An unknown address is answered within 2 s, even if the database is down. */
const LOOKUP_MS = 1_500;
const BODY_LIMIT = 5 * 1024 * 1024;
const BODY_MS = 10_000;
/** Bodies up to this size wait for no others. */
const SMALL = 64 * 1024;
const PING_LIMIT = 64;
const CAPACITY_AFTER_MS = 5_000;

/** Where a delivery goes: to a connection of its own address, or to the address of all stores of an app. */
type Endpoint = { key: string; connectionId: string | null; storefront: Storefront; accept(delivery: Delivery): Promise<Intaken> };

/**
 * Takes one webhook request. What costs little is checked first: the address, then the headers, then the bytes. A body is read for a known
 * address and a claimed signature alone, and parsed once the signature is right.
 */
export async function acceptRequest(deps: RequestDeps, path: WebhookPath, request: IncomingMessage): Promise<Intaken> {
  const beganAt = deps.intake.now();
  const endpoint = await endpointOf(deps, path);
  if (endpoint === null) return { connectionId: null, code: 'connection.unknown', isNowhere: true };
  const headers = headersOf(request);
  const { storefront, connectionId } = endpoint;
  const sender = senderOf(storefront, headers);
  const taken = await atEndpoint(deps, { endpoint, headers, request, beganAt }).catch((err: unknown) => unavailable(connectionId, err));
  if (taken.code === null) return { ...sender, ...taken };
  return { ...sender, ...taken, headers: keptHeaders(storefront, headers), deliveryId: storefront.envelope(headers).deliveryId };
}

type AtEndpoint = { endpoint: Endpoint; headers: Delivery['headers']; request: IncomingMessage; beganAt: number };

async function atEndpoint(deps: RequestDeps, { endpoint, headers, request, beganAt }: AtEndpoint): Promise<Intaken> {
  const code = headerProblem(endpoint.storefront, { headers, declared: declaredLength(request) });
  if (code !== null) return { connectionId: endpoint.connectionId, code };
  let isOver = false;
  let release: () => void = () => undefined;
  try {
    const read = await readBody(request, {
      limit: BODY_LIMIT,
      withinMs: BODY_MS,
      free: SMALL,
      reserve: async (bytes) => {
        const giveBack = await deps.reserve(endpoint.key, bytes);
        if (giveBack === null) return false;
        if (isOver) giveBack();
        else release = giveBack;
        return true;
      },
    });
    return read.ok ? await endpoint.accept({ headers, body: read.body, beganAt }) : unread(endpoint, read.why);
  } finally {
    isOver = true;
    release();
  }
}

async function endpointOf(deps: RequestDeps, { platform, connectionId, app }: WebhookPath): Promise<Endpoint | null> {
  const { storefronts } = deps.intake;
  const storefront = Object.hasOwn(storefronts, platform) ? storefronts[platform] : undefined;
  if (storefront === undefined) return null;
  if (connectionId !== null) return connectionEndpoint(deps, storefront, connectionId);
  if (storefront.appWide === undefined) return null;
  if (app !== null) return namedAppEndpoint(deps, storefront, app);
  const secret = deps.appSecret(storefront);
  return secret === null ? null : appEndpoint(deps, storefront, { key: storefront.name, app: null, secrets: () => [secret] });
}

/** What an app has subscribed to is signed with the app's secrets, whatever its address. */
async function connectionEndpoint(deps: RequestDeps, storefront: Storefront, connectionId: string): Promise<Endpoint | null> {
  const { intake } = deps;
  const connection = await withTimeout(LOOKUP_MS, deps.connection(connectionId));
  if (connection === null || connection.platform !== storefront.name) return null;
  const app = connection.app === null ? null : await withTimeout(LOOKUP_MS, deps.app(connection.app));
  const secretsOfApp = () => (app === null ? [] : liveSecrets(app, intake.now()));
  return { key: connectionId, connectionId, storefront, accept: (delivery) => acceptDelivery(intake, { connection, delivery, secretsOfApp: secretsOfApp() }) };
}

async function namedAppEndpoint(deps: RequestDeps, storefront: Storefront, id: string): Promise<Endpoint | null> {
  const app = await withTimeout(LOOKUP_MS, deps.app(id));
  if (app === null || app.platform !== storefront.name) return null;
  return appEndpoint(deps, storefront, { key: `${storefront.name}/app/${id}`, app, secrets: () => liveSecrets(app, deps.intake.now()) });
}

/** `app` null: the one that the environment names. */
type AtApp = { key: string; app: StoreApp | null; secrets(): string[] };

function appEndpoint({ intake, connectionsOfStore }: RequestDeps, storefront: Storefront, { key, app, secrets }: AtApp): Endpoint {
  const connectionsOf = (store: string) => withTimeout(LOOKUP_MS, connectionsOfStore(storefront.name, store));
  return {
    key,
    connectionId: null,
    storefront,
    accept: (delivery) => acceptAppDelivery(intake, { storefront, delivery, app, secrets: secrets(), connectionsOf }),
  };
}

function senderOf({ envelope, signatures }: Storefront, headers: Delivery['headers']): Sender {
  const { topic, deliveryId, isByModule = false } = envelope(headers);
  return { topic, isPlatforms: topic !== '' || deliveryId !== null || signatures(headers) !== null, isByModule };
}

/** The storefront repeats a delivery that can't be looked up or stored in time. */
export function unavailable(connectionId: string | null, err: unknown): RefusedRequest {
  return { connectionId, code: 'intake.unavailable', retryAfterMs: asFailure(err).retryAfterMs ?? 5_000, err };
}

type Head = { headers: Delivery['headers']; declared: number | null };

/** What the headers alone are refused for; null: the body is worth reading. */
function headerProblem({ signatures, isPing }: Storefront, { headers, declared }: Head): FailureCode | null {
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return 'body.encoded';
  if (declared !== null && declared > BODY_LIMIT) return 'body.too-large';
  const claims = signatures(headers);
  const mayBePing = isPing !== undefined && declared !== null && declared <= PING_LIMIT;
  if (claims === null) return mayBePing ? null : 'signature.missing';
  return isTooMany(claims) ? 'signature.mismatch' : null;
}

function unread({ connectionId }: Endpoint, why: 'too-large' | 'incomplete' | 'no-capacity'): RefusedRequest {
  if (why === 'no-capacity') return { connectionId, code: 'intake.unavailable', retryAfterMs: CAPACITY_AFTER_MS };
  return { connectionId, code: why === 'incomplete' ? 'body.incomplete' : 'body.too-large' };
}

function headersOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string'));
}

type AppDelivery = {
  storefront: Storefront;
  delivery: Delivery;
  /** The app whose address it came to; null: the one that the environment names. */
  app: SigningApp | null;
  /** Those of the app that are live. */
  secrets: readonly string[];
  /** Every connection of the store that the delivery names, live ones first. Called for a right signature alone. */
  connectionsOf(store: string): Promise<readonly Connection[]>;
};

type SigningApp = Pick<StoreApp, 'id' | 'kind' | 'clientId'>;

/**
 * Takes a delivery from the one address of all shops of an app, signed with the app's secret. A privacy request concerns every connection that
 * the store ever had, and is valid for a store that has none; everything else is for a live one, that which came by this app before others. What an app
 * of a merchant's own organisation signed is for that app's connections alone.
 */
async function acceptAppDelivery(intake: Intake, given: AppDelivery): Promise<Intaken> {
  const { storefront, delivery, app, secrets, connectionsOf } = given;
  const verified = storefront.verify(delivery, secrets, intake.now());
  if (!verified.trusted) return { connectionId: null, code: verified.code };
  const { store } = storefront.envelope(delivery.headers);
  const connections = store === null ? [] : ordered((await connectionsOf(store)).filter(countsFor(app)), app);
  return takeForStore(intake, { storefront, delivery, app, connections });
}

/**
 * The secret of an app of a merchant's own organisation is the merchant's, who may sign with it for any store: it counts where the app gives the keys, by
 * its row or by its client id. Those of other apps are of the person who runs this program.
 */
function countsFor(app: SigningApp | null): (connection: Connection) => boolean {
  if (app?.kind !== 'own') return () => true;
  return ({ app: installedBy, access }) => installedBy === app.id || (access !== null && ownValue(access, 'clientId') === app.clientId);
}

function ordered(connections: readonly Connection[], app: SigningApp | null): Connection[] {
  const rank = (one: Connection) => (one.closedAt !== null ? 2 : one.app === (app?.id ?? null) ? 0 : 1);
  return connections.toSorted((one, other) => rank(one) - rank(other));
}

type OfStore = Pick<AppDelivery, 'storefront' | 'delivery' | 'app'> & { connections: readonly Connection[] };

async function takeForStore(intake: Intake, { storefront, delivery, app, connections }: OfStore): Promise<Intaken> {
  const [connection] = connections;
  const connectionId = connection?.id ?? null;
  const read = await readDelivery(intake, storefront, delivery);
  if ('code' in read) return { connectionId, ...read };
  if (read.normalized.kind === 'privacy') {
    for (const each of connections) await take(intake, { connection: each, delivery, read });
    return { connectionId, code: null, what: 'privacy' };
  }
  if (connection === undefined) return { connectionId, code: 'connection.unknown' };
  // About the app itself. A store may have two apps of ours: that one was uninstalled says nothing of a connection that came by the other.
  const isOfApp = read.normalized.kind === 'closed' || read.normalized.kind === 'granted';
  if (isOfApp && connection.app !== null && connection.app !== app?.id) return { connectionId, code: null, what: 'ignored' };
  return take(intake, { connection, delivery, read });
}

export type Intake = {
  storefronts: Storefronts;
  /** Parses and normalizes a trusted body, a large one on another thread. */
  read(trusted: Trusted): Promise<Read>;
  /** Takes a delivery of this connection's rate: 0, or the ms after which there is room for the next. */
  throttle(connection: Connection): number;
  /** How much is kept of the bodies of a connection, see `TrafficCounts`; less again by what is negative. */
  bodies: { keep(connectionId: string, bytes: number): boolean };
  /** Hands the delivery over for good: resolves only when the queue (or the inbox) has it. Throws `Failure('intake.unavailable')`. */
  enqueue: Enqueue;
  /** The version of the API in which a webhook of this connection is written. */
  receivedVersion(connection: Connection, version: string): void;
  now(): number;
};

type Incoming = { connection: Connection; delivery: Delivery };

/** `secretsOfApp`: the live ones of the app by which the store came, beside the connection's own; empty: it came by none. */
type Signed = Incoming & { secretsOfApp: readonly string[] };

/** Bodies that must not be kept: they name people who did not buy, or whose erasure is requested. */
function mayKeep(normalized: Normalized): boolean {
  if (normalized.kind === 'privacy' || (normalized.kind === 'warning' && normalized.isPrivate === true)) return false;
  return !(normalized.kind === 'order' && normalized.news.snapshot !== undefined && isBasket(normalized.news.snapshot));
}

/** Verifies raw bytes, then reads them; answers only when the delivery is safe. */
async function acceptDelivery(intake: Intake, { connection, delivery, secretsOfApp }: Signed): Promise<Intaken> {
  const storefront = storefrontOf(intake.storefronts, connection.platform);
  const { id: connectionId } = connection;
  if (storefront.isPing?.(delivery) === true) return { connectionId, code: null, what: 'ping' };
  const verified = storefront.verify(delivery, [...liveSecrets(connection, intake.now()), ...secretsOfApp], intake.now());
  if (!verified.trusted) return { connectionId, code: verified.code };
  const retryAfterMs = storefront.repeats === true ? intake.throttle(connection) : 0;
  if (retryAfterMs > 0) return { connectionId, code: 'delivery.throttled', retryAfterMs };
  const read = await readDelivery(intake, storefront, delivery);
  return 'code' in read ? { connectionId, ...read } : take(intake, { connection, delivery, read });
}

/** Reads a trusted delivery. */
async function readDelivery(intake: Intake, storefront: Storefront, { headers, body }: Delivery): Promise<NonNullable<Read> | { code: FailureCode }> {
  if (!isJson(headers)) return { code: 'body.wrong-type' };
  return (await intake.read({ storefront, envelope: storefront.envelope(headers), body })) ?? { code: 'body.not-json' };
}

/** Hands over the read delivery of a connection; a closed one still takes privacy requests. */
async function take(intake: Intake, { connection, delivery, read }: Incoming & { read: NonNullable<Read> }): Promise<Intaken> {
  const { envelope, normalized } = read;
  const { id: connectionId } = connection;
  if (connection.closedAt !== null && normalized.kind !== 'privacy') return { connectionId, code: 'connection.closed' };
  if (envelope.apiVersion !== undefined) intake.receivedVersion(connection, envelope.apiVersion);
  if (normalized.kind === 'ignored') return { connectionId, code: null, what: 'ignored' };
  const [first] = await Promise.all(inParts(normalized).map((part) => handOver(intake, { connection, delivery, envelope, normalized: part })));
  const taken = { connectionId, code: null, what: normalized.kind, delivery: first };
  return normalized.kind === 'order' ? { ...taken, orderId: normalized.news.orderId } : taken;
}

function isJson(headers: Delivery['headers']): boolean {
  return /^application\/([a-z.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
}

type Parts = { connection: Connection; delivery: Delivery; envelope: Envelope; normalized: Normalized };

/** Queues it; returns the id that it has here. */
async function handOver(intake: Intake, { connection, delivery, envelope, normalized }: Parts): Promise<string> {
  const whole = mayKeep(normalized) ? await compress(delivery.body) : null;
  const isCut = whole !== null && !intake.bodies.keep(connection.id, whole.length);
  const read = normalized.kind === 'unreadable' ? null : normalized;
  const body = isCut ? read && (await compress(Buffer.from(JSON.stringify(read)))) : whole;
  const now = intake.now();
  const accepted: AcceptedDelivery = {
    id: randomUUIDv7(),
    connectionId: connection.id,
    arrivedAt: new Date(now).toISOString(),
    topic: envelope.topic,
    platformDeliveryId: envelope.deliveryId,
    store: envelope.store,
    headers: keptHeaders(storefrontOf(intake.storefronts, connection.platform), delivery.headers),
    ...(delivery.beganAt === undefined ? {} : { answerMs: Math.max(0, now - delivery.beganAt) }),
    body: body?.toString('base64') ?? null,
    ...(isCut ? { cut: true as const } : {}),
    normalized,
  };
  try {
    await intake.enqueue(accepted, delivery.body.length);
    return accepted.id;
  } catch (thrown) {
    // What nobody took is not kept: the store sends it again, and it counts then.
    if (whole !== null) intake.bodies.keep(connection.id, -whole.length);
    throw thrown;
  }
}

/** Orders that are erased in some ten milliseconds. */
const MOST = 1_000;

/** The same, in parts that take turns with what others sent: an erasure request may name hundreds of thousands of orders. */
function inParts(normalized: Normalized): Normalized[] {
  if (normalized.kind !== 'privacy' || normalized.request.action !== 'redact-orders') return [normalized];
  const { orderIds, ...request } = normalized.request;
  const parts = Array.from({ length: Math.max(1, Math.ceil(orderIds.length / MOST)) }, (_, at) => orderIds.slice(at * MOST, (at + 1) * MOST));
  return parts.map((part) => ({ ...normalized, request: { ...request, orderIds: part } }));
}
