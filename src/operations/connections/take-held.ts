import type { Connection } from '../../bridge/connections/connection.ts';
import { type HeldDelivery, type Reread, releaseHeld } from '../../bridge/ledger/held-deliveries.ts';
import { wantWindow } from '../../bridge/ledger/reading-store.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { deliveredAgain, readKept } from '../kept-delivery.ts';

/** `released`: held webhooks that go on. `review`: those that can't be read. */
export type Taken = { released: number; review: number };

const PAGE = 50;
/** The open month and the one before. */
const READ_AGAIN_MS = 62 * 86_400_000;

/** Hands on what is held of a host that is the store's by now; what was read of it, and not kept, is read again. */
export async function takeHeld(pool: Pool, { id, platform }: Pick<Connection, 'id' | 'platform'>, host: string): Promise<Taken> {
  const storefront = storefrontOf(storefronts, platform);
  const taken = { released: 0, review: 0 };
  await wantWindow(pool, id, { since: new Date(Date.now() - READ_AGAIN_MS).toISOString(), why: `${host} is the store’s` });
  for (;;) {
    const page = await releaseHeld(pool, { connectionId: id, host, size: PAGE }, (held) => readAgain(storefront, held));
    taken.released += page.filter((one) => 'delivery' in one).length;
    taken.review += page.filter((one) => 'problem' in one).length;
    if (page.length < PAGE) return taken;
  }
}

async function readAgain(storefront: Storefront, { body, ...held }: HeldDelivery): Promise<Reread> {
  if (body === null) return { problem: { code: 'store.other', detail: `it was held as a webhook of ${held.store}, and its body was erased meanwhile` } };
  const kept = { ...held, body };
  const normalized = await readKept(storefront, kept);
  if (normalized.kind === 'unreadable') return { problem: normalized.problems[0] };
  return normalized.kind === 'ignored' ? { ignored: normalized.why } : { delivery: deliveredAgain(kept, normalized) };
}
