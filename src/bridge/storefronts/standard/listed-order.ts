import { plainWords } from '../../../contract/plain-words.ts';
import type { OrderNews, Snapshot } from '../../order/facts.ts';
import { Failure } from '../../order/failure.ts';
import { addUp, subtract } from '../amounts.ts';
import { readAt } from '../read-at.ts';
import type { OrderHead } from '../store-reader.ts';
import { normalize } from './normalize.ts';
import { type ListedOrder, listedChange } from './orders-answer.ts';

/** The news that a webhook with this order would have been; null: it is not as described, or dated more than a day ahead of `now` (ms since 1970). */
export function newsOf(listed: ListedOrder, now: number): OrderNews | null {
  const envelope = { topic: '', deliveryId: null, store: null, sentAt: new Date(now).toISOString() };
  const normalized = normalize(envelope, { data: { order: listed } });
  if (normalized.kind !== 'order' || normalized.news.snapshot === undefined) return null;
  const { snapshot } = normalized.news;
  return { ...normalized.news, snapshot: { ...snapshot, ...readAt(snapshot.updatedAt, now) } };
}

export function isGone({ deleted }: ListedOrder): boolean {
  return deleted === true;
}

/** What the list says of an order. One that can't be read is listed as well: reading it whole then says so. */
export function headOf(listed: ListedOrder, now: number): OrderHead {
  const snapshot = isGone(listed) ? undefined : newsOf(listed, now)?.snapshot;
  return snapshot === undefined ? outlineOf(listed) : headOfSnapshot(listed.id, snapshot);
}

function headOfSnapshot(orderId: string, snapshot: Snapshot): OrderHead {
  const { number, updatedAt, status, lifecycle, payment, test, currency, total, paidAt, placedAt, refunds } = snapshot;
  const kept = payment === 'paid' && refunds !== null ? subtract(total, addUp(refunds.map(({ amount }) => amount))) : null;
  const refundIds = refunds?.map(({ id }) => id) ?? null;
  return { orderId, number, updatedAt, status, lifecycle, payment, test, currency, total, soldAt: paidAt ?? placedAt, createdAt: placedAt, kept, refundIds };
}

function outlineOf(listed: ListedOrder): OrderHead {
  const parsed = listedChange.safeParse(listed, { error: plainWords });
  if (!parsed.success) {
    const words = parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; ');
    throw new Failure('storefront.unreachable', `the shop’s endpoint lists the order ${listed.id} without what its place in the list needs (${words})`);
  }
  const { id, number = id, status, currency, total, deleted, createdAt, updatedAt } = parsed.data;
  const isDeleted = deleted === true;
  return {
    orderId: id,
    number,
    updatedAt: utc(updatedAt),
    status: isDeleted ? 'deleted' : status,
    lifecycle: isDeleted ? 'trashed' : 'live',
    payment: status === 'paid' && !isDeleted ? 'paid' : 'unpaid',
    test: false,
    currency,
    total,
    soldAt: utc(createdAt ?? updatedAt),
    kept: null,
    refundIds: null,
    ...(isDeleted ? { isGone: true } : {}),
  };
}

function utc(instant: string): string {
  return new Date(instant).toISOString();
}
