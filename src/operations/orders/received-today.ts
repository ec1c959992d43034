import { lastReceived, refusedSince } from '../../bridge/ledger/last-received.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { sofiaDay } from '../../service/law/sofia-day.ts';
import { sofiaMidnight } from '../reconciliation/window.ts';

/** What was last received from stores, for whoever misses an order. `last` null: none of them is connected; its `at` null: no webhook ever came. */
export type Received = {
  last: { name: string; at: string | null } | null;
  refused: readonly { connectionId: string; name: string; count: number; code: string }[];
};

export async function receivedToday({ pool, now }: { pool: Pool; now(): Date }, connections: readonly string[]): Promise<Received> {
  const since = sofiaMidnight(sofiaDay(now().toISOString()));
  const [last, refused] = await Promise.all([lastReceived(pool, connections), refusedSince(pool, connections, since)]);
  return { last, refused };
}
