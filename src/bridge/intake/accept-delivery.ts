import { randomUUID } from 'node:crypto';
import type { Connection } from '../connections/connection.ts';
import { liveSecrets } from '../connections/connection.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import type { FailureCode } from '../order/failure.ts';
import type { Delivery, Envelope, Normalized, Storefront, Storefronts } from '../storefronts/contract.ts';
import { storefrontOf } from '../storefronts/storefront-of.ts';

export type Intake = {
  storefronts: Storefronts;
  parseJson(body: Buffer): { ok: true; value: unknown } | { ok: false };
  compress(body: Buffer): Promise<Buffer>;
  /** Hands the delivery over for good: resolves only when the queue (or the inbox) has it. Throws `Failure('intake.unavailable')`. */
  enqueue(delivery: AcceptedDelivery): Promise<void>;
  now(): number;
};

export type Acceptance = { accepted: true; what: Normalized['kind'] | 'ping'; orderId?: string } | { accepted: false; code: FailureCode };

export type Incoming = { connection: Connection; delivery: Delivery };

/** The content of a trusted delivery. */
export type Read = { envelope: Envelope; normalized: Normalized };

/** Bodies that must not be kept: they name people who did not buy, or whose erasure is requested. */
function mayKeep(normalized: Normalized): boolean {
  if (normalized.kind === 'privacy' || (normalized.kind === 'warning' && normalized.isPrivate === true)) return false;
  return !(normalized.kind === 'order' && normalized.news.snapshot?.lifecycle === 'draft');
}

/** Verifies raw bytes, then reads them; answers only when the delivery is safe. */
export async function acceptDelivery(intake: Intake, { connection, delivery }: Incoming): Promise<Acceptance> {
  const storefront = storefrontOf(intake.storefronts, connection.platform);
  if (storefront.isPing?.(delivery) === true) return { accepted: true, what: 'ping' };
  const read = readDelivery(intake, { storefront, delivery, secrets: liveSecrets(connection, intake.now()) });
  return read.ok ? take(intake, { connection, delivery, read }) : { accepted: false, code: read.code };
}

type Unread = { storefront: Storefront; delivery: Delivery; secrets: readonly string[] };

/** Verifies, then parses; an untrusted body is not read. */
export function readDelivery(intake: Intake, { storefront, delivery, secrets }: Unread): ({ ok: true } & Read) | { ok: false; code: FailureCode } {
  const claimed = storefront.envelope(delivery.headers);
  const verdict = storefront.verify(delivery, secrets, intake.now());
  if (!verdict.trusted) return { ok: false, code: verdict.code };
  const rejected = contentProblem(delivery);
  if (rejected !== null) return { ok: false, code: rejected };
  const parsed = intake.parseJson(delivery.body);
  if (!parsed.ok) return { ok: false, code: 'body.not-json' };
  const envelope = { ...claimed, store: claimed.store ?? storefront.storeOf?.(parsed.value) ?? null };
  return { ok: true, envelope, normalized: storefront.normalize(envelope, parsed.value) };
}

/** Hands over the read delivery of a connection; a closed one still takes privacy requests. */
export async function take(intake: Intake, { connection, delivery, read }: Incoming & { read: Read }): Promise<Acceptance> {
  const { normalized } = read;
  if (connection.closedAt !== null && normalized.kind !== 'privacy') return { accepted: false, code: 'connection.closed' };
  if (normalized.kind === 'ignored') return { accepted: true, what: 'ignored' };
  await intake.enqueue(await accepted(intake, { connection, delivery, ...read }));
  return normalized.kind === 'order' ? { accepted: true, what: 'order', orderId: normalized.news.orderId } : { accepted: true, what: normalized.kind };
}

function contentProblem({ headers }: Delivery): FailureCode | null {
  const type = headers.get('content-type') ?? '';
  return /^application\/([a-z.+-]+\+)?json\b/i.test(type) ? null : 'body.wrong-type';
}

type Parts = { connection: Connection; delivery: Delivery; envelope: Envelope; normalized: Normalized };

async function accepted(intake: Intake, { connection, delivery, envelope, normalized }: Parts): Promise<AcceptedDelivery> {
  return {
    id: randomUUID(),
    connectionId: connection.id,
    arrivedAt: new Date(intake.now()).toISOString(),
    topic: envelope.topic,
    platformDeliveryId: envelope.deliveryId,
    store: envelope.store,
    body: mayKeep(normalized) ? (await intake.compress(delivery.body)).toString('base64') : null,
    normalized,
  };
}
