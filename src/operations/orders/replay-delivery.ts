import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { findDelivery, markReplayed, type ReplayableDelivery } from '../../bridge/ledger/delivery-store.ts';
import type { Normalized } from '../../bridge/storefronts/contract.ts';
import { parseJson } from '../../bridge/storefronts/lossless-json.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';

type Deps = {
  pool: Pool;
  connections: FindConnection;
  /** Fails if the queue is down. */
  addDeliveries(job: DeliveriesJob): Promise<void>;
};

type Kept = ReplayableDelivery & { body: Buffer };

const decompress = promisify(zstdDecompress);

/** Reads a kept webhook again, with its own time of arrival, so that it does not overtake later ones. `ignored`: why it needs nothing. */
export async function replayDelivery(deps: Deps, id: string): Promise<{ ignored: string | null }> {
  const kept = await keptDelivery(deps, id);
  const normalized = await readAgain(deps, kept);
  if (normalized.kind === 'unreadable') {
    throw new Refusal('conflict', `the delivery ${id} still can't be read: ${normalized.problems.map(({ detail }) => detail).join('; ')}`);
  }
  if (normalized.kind !== 'ignored') await deps.addDeliveries(jobOf(kept, normalized));
  await markReplayed(deps.pool, id);
  return { ignored: normalized.kind === 'ignored' ? normalized.why : null };
}

async function keptDelivery({ pool }: Deps, id: string): Promise<Kept> {
  const found = isUuid(id) ? await findDelivery(pool, id) : null;
  if (found === null) {
    throw new Refusal('missing', `no delivery has the id ${id}`, { advice: '`orderbridge parked` and `orderbridge order` show the ids' });
  }
  const { body } = found;
  if (body !== null) return { ...found, body };
  throw new Refusal('conflict', `the body of the delivery ${id} is gone (its retention time is over, or it was erased)`, {
    advice: 'save the order in the store, which sends it again',
  });
}

async function readAgain({ connections }: Deps, { connectionId, topic, platformDeliveryId, store, arrivedAt, body }: Kept): Promise<Normalized> {
  const { platform } = await knownConnection(connections, connectionId);
  const parsed = parseJson(await decompress(body));
  if (!parsed.ok) throw new Error('a kept body is not JSON');
  return storefrontOf(storefronts, platform).normalize({ topic, deliveryId: platformDeliveryId, store, sentAt: arrivedAt }, parsed.value);
}

function jobOf({ connectionId, topic, platformDeliveryId, store, arrivedAt, body }: Kept, normalized: Normalized): DeliveriesJob {
  return { v: 1, deliveries: [{ id: randomUUID(), connectionId, arrivedAt, topic, platformDeliveryId, store, body: body.toString('base64'), normalized }] };
}
