import { zstdDecompressSync } from 'node:zlib';
import type { AcceptedDelivery } from './jobs.ts';

/** The orders that a privacy request is about; `orderIds` null: every order of the store. */
export type PrivacyScope = { shopId: string; platform: string; store: string; orderIds: readonly string[] | null };

/** Whose personal data must be erased: that of some orders, or of every order (null), that came through these connections. */
export type Concern = { connectionIds: readonly string[]; orderIds: readonly string[] | null };

/** The delivery without personal data; news of an order stays news without its customer. Null: there is nothing to erase. */
export function eraseFromDelivery(delivery: AcceptedDelivery, concern: Concern): AcceptedDelivery | null {
  if (!concern.connectionIds.includes(delivery.connectionId) || !isConcerned(delivery, concern.orderIds)) return null;
  const { normalized } = delivery;
  if (normalized.kind !== 'order') return delivery.body === null ? null : { ...delivery, body: null };
  if (delivery.body === null && normalized.news.customer === undefined) return null;
  const { customer: _erased, ...news } = normalized.news;
  return { ...delivery, body: null, normalized: { ...normalized, news } };
}

/** Might a worker still write the data to erase? It may have read this delivery before it was rewritten. */
export function mayWrite({ connectionId, normalized }: AcceptedDelivery, { connectionIds, orderIds }: Concern): boolean {
  if (!connectionIds.includes(connectionId)) return false;
  if (normalized.kind === 'order') return orderIds === null || orderIds.includes(normalized.news.orderId);
  return normalized.kind === 'unreadable';
}

function isConcerned({ normalized, body }: AcceptedDelivery, orderIds: Concern['orderIds']): boolean {
  if (orderIds === null) return true;
  if (normalized.kind === 'order') return orderIds.includes(normalized.news.orderId);
  return body !== null && namesOneOf(Buffer.from(body, 'base64'), orderIds);
}

/** An unreadable body may be about the person, too: the order's id in it is enough. */
export function namesOneOf(compressed: Buffer, orderIds: readonly string[]): boolean {
  const text = zstdDecompressSync(compressed).toString('utf8');
  return orderIds.some((orderId) => text.includes(orderId));
}
