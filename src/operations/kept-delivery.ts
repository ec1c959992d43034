import { randomUUIDv7 } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { AcceptedDelivery } from '../bridge/delivery/jobs.ts';
import type { ReplayableDelivery } from '../bridge/ledger/delivery-store.ts';
import type { Normalized, Storefront } from '../bridge/storefronts/contract.ts';
import { parseJson } from '../bridge/storefronts/read-payload.ts';

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
