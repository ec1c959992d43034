import { randomUUIDv7 } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { AcceptedDelivery } from '../../bridge/delivery/jobs.ts';
import { lastDeliveries, type ReplayableDelivery, type TakenDelivery } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { type KeptRefusal, refusalsOf } from '../../bridge/ledger/deliveries/traffic-store.ts';
import { failureWords } from '../../bridge/order/facts/failure.ts';
import type { Normalized, Storefront } from '../../bridge/storefronts/contract.ts';
import { parseJson } from '../../bridge/storefronts/read-payload.ts';
import type { StoreApp } from '../../bridge/storefronts/store-app.ts';
import type { Lang } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { codeWords } from '../words.ts';
import { type FindConnection, knownConnection } from './known-connection.ts';

type Deps = { pool: Pool; connections: FindConnection };

/** One webhook of a connection, or an order that was read from its store (`reconcile`). */
export type ListedDelivery = {
  at: string;
  result: 'accepted' | 'refused';
  /** '' where the body names it. */
  topic: string;
  /** Its id in the ledger; null: it was refused. */
  id: string | null;
  /** The platform's id of the delivery. */
  platformDeliveryId: string | null;
  /** The order that it was about; null: about none, or nobody knows. */
  order: { orderId: string; number: string | null } | null;
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
  const refusals = (await refusalsOf(pool, id)).map(refused);
  const taken = wanted.refused ? [] : (await lastDeliveries(pool, id, wanted.limit)).map(accepted);
  return [...taken, ...refusals].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0)).slice(0, wanted.limit);
}

function accepted({ id, topic, platformDeliveryId, arrivedAt, outcome, code, detail, orderId, number }: TakenDelivery): ListedDelivery {
  const order = orderId === null ? null : { orderId, number };
  return { at: arrivedAt, result: 'accepted', topic, id, platformDeliveryId, order, outcome, code, detail, todo: null, client: null };
}

function refused({ at, code, topic, client }: KeptRefusal): ListedDelivery {
  const { means: detail, todo } = failureWords(code);
  return { at, result: 'refused', topic, id: null, platformDeliveryId: null, order: null, outcome: null, code, detail, todo, client };
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

/** What a kept webhook means, read as this release reads it. */
export async function readKept(storefront: Storefront, { topic, platformDeliveryId, store, arrivedAt, body }: KeptBody): Promise<Normalized> {
  const parsed = parseJson(await decompress(body));
  if (!parsed.ok) throw new Error('a kept body is not JSON');
  return storefront.normalize({ topic, deliveryId: platformDeliveryId, store, sentAt: arrivedAt }, parsed.value);
}

/** The same webhook once more, with its own time of arrival, so that it does not overtake later ones. */
export function deliveredAgain({ body, ...kept }: KeptBody, normalized: Normalized): AcceptedDelivery {
  return { ...kept, id: randomUUIDv7(), body: body.toString('base64'), normalized };
}
