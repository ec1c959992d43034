import { timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ownValue } from '../../contract/own-value.ts';
import { type Connection, liveSecrets } from '../connections/connection.ts';
import { type FailureCode, failureWords } from '../order/facts/failure.ts';
import type { Delivery, Storefronts } from '../storefronts/contract.ts';
import { answerStatus } from './answer-status.ts';

/** The record of an order; `complianceId` null: it has none. */
export type RecordOfOrder = { orderRef: number; complianceId: string | null; destinationId: string | null };

/** Whose states a module asks for, by the platform's ids, and in what language it shows why they need review. */
export type StatesAsked = z.output<typeof statesAsked>;

export type ReceiptLinkDeps = {
  storefronts: Storefronts;
  /** Null: unknown. */
  connection(id: string): Promise<Connection | null>;
  /** Takes a request of this connection's rate: 0, or the ms after which there is room for the next. */
  throttle(connection: Connection): number;
  /** By the platform's id of the order, or ours. Null: no such order came. */
  recordOf(connectionId: string, order: string | number): Promise<RecordOfOrder | null>;
  /** What became of those of the orders that came, without anything of who bought. `closed`: nobody waits for it any more. */
  states(connectionId: string, asked: StatesAsked, closed: AbortSignal): Promise<object[]>;
  /** The receipt of a record as an HTML page. Null: it has none. `not-listed`: its service shows no receipts. */
  page(record: { complianceId: string; destinationId: string }): Promise<string | null | 'not-listed'>;
  /** The webhook address of a connection, as the internet reaches it. */
  addressOf(connection: Connection): Promise<string>;
  /** What nobody can make without the key. */
  digest(text: string): string;
  /** ms since 1970 */
  now(): number;
};

/** What a request is answered: `html` is the receipt; `refused`: why there is none, in a sentence. */
export type LinkAnswer = { status: 200; json: object } | { status: 200; html: string } | Refused;
type Refused = { status: number; refused: string; retryAfterMs?: number };

const LASTS_MS = 5 * 60_000;
// PostgreSQL knows no text with a NUL.
const orderId = z
  .string()
  .min(1)
  .max(200)
  .refine((id) => !id.includes('\0'));
const linkAsked = z.object({ order: orderId });
const statesAsked = z.object({ orders: z.array(orderId).min(1).max(100), lang: z.enum(['bg', 'en']) });

type Address = { platform: string; connectionId: string };

/** The connection whose module in the store signed a request. */
async function signedBy(deps: ReceiptLinkDeps, { platform, connectionId }: Address, request: Delivery): Promise<Connection | Refused> {
  const now = deps.now();
  const connection = await deps.connection(connectionId);
  const verify = ownValue(deps.storefronts, platform)?.verifyRequest;
  if (verify === undefined || connection?.platform !== platform) return refusedAs('connection.unknown');
  const verified = verify(request, liveSecrets(connection, now), now);
  if (!verified.trusted) return refusedAs(verified.code);
  if (connection.closedAt !== null) return refusedAs('connection.closed');
  const retryAfterMs = deps.throttle(connection);
  return retryAfterMs > 0 ? { ...refusedAs('delivery.throttled'), retryAfterMs } : connection;
}

/** Tells a module in the store what became of some orders of its connection. */
export async function tellStates(deps: ReceiptLinkDeps, at: Address, request: Delivery & { closed: AbortSignal }): Promise<LinkAnswer> {
  const connection = await signedBy(deps, at, request);
  if ('refused' in connection) return connection;
  const asked = readAs(statesAsked, request.body);
  if (asked === null) return { status: 400, refused: 'The body is not {"orders": [the platform’s ids of 1 to 100 orders], "lang": "bg" or "en"}.' };
  return { status: 200, json: { orders: await deps.states(connection.id, asked, request.closed) } };
}

/** Makes a link of a few minutes to the receipt of an order, for a module in the store. */
export async function makeReceiptLink(deps: ReceiptLinkDeps, at: Address, request: Delivery): Promise<LinkAnswer> {
  const connection = await signedBy(deps, at, request);
  if ('refused' in connection) return connection;
  const asked = readAs(linkAsked, request.body);
  if (asked === null) return { status: 400, refused: 'The body is not {"order": "the platform’s id of the order"}.' };
  const record = await deps.recordOf(connection.id, asked.order);
  const receipt = await receiptOf(deps, record);
  if (record === null || 'refused' in receipt) return receipt;
  const expires = deps.now() + LASTS_MS;
  const url = `${await deps.addressOf(connection)}/receipt/${tokenOf(deps, { connectionId: connection.id, orderRef: record.orderRef, expires })}`;
  return { status: 200, json: { url, expiresAt: new Date(expires).toISOString() } };
}

/** The receipt behind such a link. */
export async function openReceiptLink(deps: ReceiptLinkDeps, { connectionId }: Address, token: string): Promise<LinkAnswer> {
  const [orderRef = Number.NaN, expires = Number.NaN] = token.split('.').map(Number);
  const [given, wanted] = [token, tokenOf(deps, { connectionId, orderRef, expires })].map((text) => Buffer.from(text));
  const isOurs = given !== undefined && wanted !== undefined && given.length === wanted.length && timingSafeEqual(given, wanted);
  if (!isOurs || expires < deps.now()) return { status: 404, refused: 'The link is over: open the receipt from the order again.' };
  return receiptOf(deps, await deps.recordOf(connectionId, orderRef));
}

function tokenOf({ digest }: ReceiptLinkDeps, { connectionId, orderRef, expires }: { connectionId: string; orderRef: number; expires: number }): string {
  return `${orderRef}.${expires}.${digest(`receipt link ${connectionId} ${orderRef} ${expires}`)}`;
}

async function receiptOf(deps: ReceiptLinkDeps, record: RecordOfOrder | null): Promise<{ status: 200; html: string } | Refused> {
  if (record === null) return { status: 404, refused: 'No order of this id came from the store.' };
  const { complianceId, destinationId } = record;
  if (complianceId === null || destinationId === null) return { status: 404, refused: 'The order is not recorded, so it has no receipt.' };
  const html = await deps.page({ complianceId, destinationId });
  if (html === 'not-listed') return { status: 404, refused: 'The compliance service of this store shows no receipts.' };
  if (html === null)
    return { status: 404, refused: 'The order has no receipt: those that are paid by card or through a provider have one, if the store is set so.' };
  return { status: 200, html };
}

function readAs<T>(schema: z.ZodType<T>, body: Buffer): T | null {
  try {
    return schema.parse(JSON.parse(body.toString('utf8')));
  } catch {
    return null;
  }
}

function refusedAs(code: FailureCode): Refused {
  return { status: answerStatus(code), refused: failureWords(code).means };
}
