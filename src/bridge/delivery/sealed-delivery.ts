import { customer } from '../../contract/record.ts';
import { keyIdOf, type Sealer, unlessBroken } from '../../platform/seal.ts';
import type { AcceptedDelivery } from './jobs.ts';

const BODY = { table: 'bridge.deliveries', column: 'body' };
const BUYER = { table: 'bridge.inbox', column: 'delivery' };

/** A delivery as queue and inbox keep it: its body is sealed for the row that it will have, and its buyer apart. One that is so already stays. */
export function sealDelivery(sealer: Sealer, delivery: AcceptedDelivery): AcceptedDelivery {
  const { id, normalized } = delivery;
  if (delivery.buyer !== undefined) return delivery;
  const body = sealedBody(sealer, delivery);
  if (normalized.kind !== 'order' || normalized.news.customer === undefined) return { ...delivery, body, buyer: null };
  const { customer: known, ...news } = normalized.news;
  return { ...delivery, body, buyer: sealer.seal(JSON.stringify(known), { ...BUYER, id }), normalized: { ...normalized, news } };
}

/**
 * The same with its buyer, to be recorded. What will never open, as after a restore to before a change of keys, is left out: the buyer; the body stays as it is.
 * Throws `SealBroken` of what may open later, or in another process.
 */
export function openDelivery(sealer: Sealer, delivery: AcceptedDelivery): AcceptedDelivery {
  const { id, buyer = null, normalized } = delivery;
  const opened = delivery.buyer === undefined ? delivery : { ...delivery, body: unlessBroken(() => sealedNow(sealer, delivery)) ?? delivery.body };
  if (buyer === null || normalized.kind !== 'order') return opened;
  const known = unlessBroken(() => customer.parse(JSON.parse(sealer.open(buyer, { ...BUYER, id }))));
  if (known === null) return opened;
  return { ...opened, normalized: { ...normalized, news: { ...normalized.news, customer: known } } };
}

/** A body that waited while the keys were replaced is sealed with the new one. */
function sealedNow(sealer: Sealer, { id, body }: Pick<AcceptedDelivery, 'id' | 'body'>): string | null {
  if (body === null || keyIdOf(Buffer.from(body.slice(0, 8), 'base64')) === sealer.keyFor({ ...BODY, id })) return body;
  return sealBody(sealer, { id, body: openBody(sealer, { id, body: Buffer.from(body, 'base64') }) }).toString('base64');
}

/** The body of a delivery, sealed for its row; base64. */
export function sealedBody(sealer: Sealer, { id, body, buyer }: Pick<AcceptedDelivery, 'id' | 'body' | 'buyer'>): string | null {
  if (body === null || buyer !== undefined) return body;
  return sealBody(sealer, { id, body: Buffer.from(body, 'base64') }).toString('base64');
}

type Body = { id: string; body: Buffer };

/** `body`: zstd. */
export function sealBody(sealer: Sealer, { id, body }: Body): Buffer {
  return sealer.sealBytes(body, { ...BODY, id });
}

/** The body of a delivery, as it was compressed. Throws `SealBroken`. */
export function openBody(sealer: Sealer, { id, body }: Body): Buffer {
  return sealer.openBytes(body, { ...BODY, id });
}
