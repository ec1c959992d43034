import { randomUUIDv7 } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { AcceptedDelivery } from '../../bridge/delivery/jobs.ts';
import { answerStatus } from '../../bridge/intake/answer-status.ts';
import type { ReplayableDelivery } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { type FoundDelivery, findDeliveries } from '../../bridge/ledger/deliveries/find-deliveries.ts';
import { failureWords } from '../../bridge/order/facts/failure.ts';
import { READ_TOPIC } from '../../bridge/reconciliation/read-page.ts';
import type { Normalized, Storefront } from '../../bridge/storefronts/contract.ts';
import { parseJson } from '../../bridge/storefronts/read-payload.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';
import type { Lang } from '../../contract/messages.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { codeWords } from '../words.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = { pool: Pool; connections: FindConnection };

/** One webhook of a connection, or an order that was read from its store (`reconcile`). */
export type ListedDelivery = {
  at: string;
  result: 'accepted' | 'refused';
  /** It is an order that was read from its store. */
  isRead: boolean;
  /** '' where the body names it. */
  topic: string;
  /** Its id in the ledger; of a refused one, `r` and a number. */
  id: string;
  connectionId: string;
  /** The platform's id of the delivery. */
  platformDeliveryId: string | null;
  /** What it was answered, and how many ms after its request began that was known; null: it was no request, or nobody knows. */
  answer: { status: number; ms: number } | null;
  /** The order that it was about, `id` in the ledger; null: about none, or nobody knows. */
  order: { id: number; orderId: string; number: string | null } | null;
  /** What it did, such as merged, duplicate or in review; null: it was refused. */
  outcome: string | null;
  /** Why it was refused, or waits. */
  code: string | null;
  detail: string | null;
  todo: string | null;
  /** The address that a refused one came from, while the store is connected. */
  client: string | null;
};

/** The last deliveries of a connection and the refusals that are kept of it, the newest first, at most `limit`. */
export async function listDeliveries({ pool, connections }: Deps, wanted: { id: string; refused: boolean; limit: number }): Promise<ListedDelivery[]> {
  const { id } = await knownConnection(connections, wanted.id);
  const all = { connections: [id], answer: wanted.refused ? ('refused' as const) : null, ids: null };
  return (await findDeliveries(pool, all, { from: null, limit: wanted.limit })).map(listed);
}

export function listed({ orderRef, orderId, number, answerMs, outcome, ...found }: FoundDelivery): ListedDelivery {
  const order = orderRef === null || orderId === null ? null : { id: orderRef, orderId, number };
  const isRefused = outcome === null;
  const answer = answerMs === null ? null : { status: answerStatus(isRefused ? found.code : null), ms: answerMs };
  const { means: detail, todo } = isRefused ? failureWords(found.code ?? '') : { means: found.detail, todo: null };
  return { ...found, result: isRefused ? 'refused' : 'accepted', isRead: found.topic === READ_TOPIC, answer, order, outcome, detail, todo };
}

/** Why a webhook was refused, and what to do. */
export function refusalWords(code: string, lang: Lang): string {
  const { means, todo } = codeWords(code, lang);
  return `${means} ${todo}`;
}

/** The address that a store must send its webhooks to; `base` is where the internet reaches this server. */
export function webhookAddress(base: string, { platform, id }: Pick<Connection, 'platform' | 'id'>): string {
  return `${base}/webhooks/${platform}/${id}`;
}

/** The address for the webhooks of all stores of an app. */
export function appWebhookAddress(base: string, { platform, id }: Pick<StoreApp, 'platform' | 'id'>): string {
  return `${base}/webhooks/${platform}/app/${id}`;
}

/** A kept webhook whose body is still there. */
export type KeptBody = ReplayableDelivery & { body: Buffer };

const decompress = promisify(zstdDecompress);

/** What a kept webhook means, read as this release reads it; of a cut one, as it was read when it came. */
export async function readKept(storefront: Storefront, { topic, platformDeliveryId, store, arrivedAt, body, cut }: KeptBody): Promise<Normalized> {
  if (cut) return JSON.parse((await decompress(body)).toString('utf8'));
  const parsed = parseJson(await decompress(body));
  if (!parsed.ok) throw new Error('a kept body is not JSON');
  return storefront.normalize({ topic, deliveryId: platformDeliveryId, store, sentAt: arrivedAt }, parsed.value);
}

/** The same webhook once more, with its own time of arrival, so that it does not overtake later ones. */
export function deliveredAgain({ body, cut, ...kept }: KeptBody, normalized: Normalized): AcceptedDelivery {
  return { ...kept, id: randomUUIDv7(), body: body.toString('base64'), ...(cut ? { cut } : {}), normalized };
}
