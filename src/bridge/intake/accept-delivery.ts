import { randomUUIDv7 } from 'node:crypto';
import type { Connection } from '../connections/connection.ts';
import { liveSecrets } from '../connections/connection.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import type { FailureCode } from '../order/failure.ts';
import { isBasket } from '../order/is-basket.ts';
import type { Delivery, Envelope, Normalized, Storefront, Storefronts } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';
import type { Enqueue } from './enqueue.ts';
import { inParts } from './in-parts.ts';
import type { Read, Trusted } from './read-trusted.ts';

export type Intake = {
  storefronts: Storefronts;
  /** Parses and normalizes a trusted body, a large one on another thread. */
  read(trusted: Trusted): Promise<Read>;
  /** Takes a delivery of this connection's rate: 0, or the ms after which there is room for the next. */
  throttle(connection: Connection): number;
  compress(body: Buffer): Promise<Buffer>;
  /** Hands the delivery over for good: resolves only when the queue (or the inbox) has it. Throws `Failure('intake.unavailable')`. */
  enqueue: Enqueue;
  /** The version of the API in which a webhook of this connection is written. */
  receivedVersion(connection: Connection, version: string): void;
  now(): number;
};

export type Refused = { accepted: false; code: FailureCode; retryAfterMs?: number };
export type Acceptance = { accepted: true; what: Normalized['kind'] | 'ping'; orderId?: string } | Refused;

export type Incoming = { connection: Connection; delivery: Delivery };

/** `secretsOfApp`: the live ones of the app by which the store came, beside the connection's own; empty: it came by none. */
type Signed = Incoming & { secretsOfApp: readonly string[] };

/** Bodies that must not be kept: they name people who did not buy, or whose erasure is requested. */
function mayKeep(normalized: Normalized): boolean {
  if (normalized.kind === 'privacy' || (normalized.kind === 'warning' && normalized.isPrivate === true)) return false;
  return !(normalized.kind === 'order' && normalized.news.snapshot !== undefined && isBasket(normalized.news.snapshot));
}

/** Verifies raw bytes, then reads them; answers only when the delivery is safe. */
export async function acceptDelivery(intake: Intake, { connection, delivery, secretsOfApp }: Signed): Promise<Acceptance> {
  const storefront = storefrontOf(intake.storefronts, connection.platform);
  if (storefront.isPing?.(delivery) === true) return { accepted: true, what: 'ping' };
  const code = distrust(intake, { storefront, delivery, secrets: [...liveSecrets(connection, intake.now()), ...secretsOfApp] });
  if (code !== null) return { accepted: false, code };
  const retryAfterMs = storefront.repeats === true ? intake.throttle(connection) : 0;
  if (retryAfterMs > 0) return { accepted: false, code: 'delivery.throttled', retryAfterMs };
  const read = await readDelivery(intake, storefront, delivery);
  return 'code' in read ? { accepted: false, ...read } : take(intake, { connection, delivery, read });
}

type Unverified = { storefront: Storefront; delivery: Delivery; secrets: readonly string[] };

/** Why a delivery is not trusted; null: its signature is right. An untrusted body is not read. */
export function distrust(intake: Intake, { storefront, delivery, secrets }: Unverified): FailureCode | null {
  const verdict = storefront.verify(delivery, secrets, intake.now());
  return verdict.trusted ? null : verdict.code;
}

/** Reads a trusted delivery. */
export async function readDelivery(intake: Intake, storefront: Storefront, { headers, body }: Delivery): Promise<NonNullable<Read> | { code: FailureCode }> {
  if (!isJson(headers)) return { code: 'body.wrong-type' };
  return (await intake.read({ storefront, envelope: storefront.envelope(headers), body })) ?? { code: 'body.not-json' };
}

/** Hands over the read delivery of a connection; a closed one still takes privacy requests. */
export async function take(intake: Intake, { connection, delivery, read }: Incoming & { read: NonNullable<Read> }): Promise<Acceptance> {
  const { normalized } = read;
  if (connection.closedAt !== null && normalized.kind !== 'privacy') return { accepted: false, code: 'connection.closed' };
  if (read.envelope.apiVersion !== undefined) intake.receivedVersion(connection, read.envelope.apiVersion);
  if (normalized.kind === 'ignored') return { accepted: true, what: 'ignored' };
  const parts = inParts(normalized).map((part) => accepted(intake, { connection, delivery, envelope: read.envelope, normalized: part }));
  await Promise.all(parts.map(async (part) => intake.enqueue(await part, delivery.body.length)));
  return normalized.kind === 'order' ? { accepted: true, what: 'order', orderId: normalized.news.orderId } : { accepted: true, what: normalized.kind };
}

function isJson(headers: Delivery['headers']): boolean {
  return /^application\/([a-z.+-]+\+)?json\b/i.test(headers.get('content-type') ?? '');
}

type Parts = { connection: Connection; delivery: Delivery; envelope: Envelope; normalized: Normalized };

async function accepted(intake: Intake, { connection, delivery, envelope, normalized }: Parts): Promise<AcceptedDelivery> {
  return {
    id: randomUUIDv7(),
    connectionId: connection.id,
    arrivedAt: new Date(intake.now()).toISOString(),
    topic: envelope.topic,
    platformDeliveryId: envelope.deliveryId,
    store: envelope.store,
    body: mayKeep(normalized) ? (await intake.compress(delivery.body)).toString('base64') : null,
    normalized,
  };
}
