import { type FoundDelivery, findDeliveries } from '../../../src/bridge/ledger/deliveries/find-deliveries.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';

/** The last webhooks of a connection that were taken, the newest first. */
export function lastDeliveries(pool: Pool, connectionId: string, limit: number): Promise<FoundDelivery[]> {
  return findDeliveries(pool, { connections: [connectionId], answer: 'accepted', ids: null }, { from: null, limit });
}

/** The kept refusals of a connection, the newest first. */
export function refusalsOf(pool: Pool, connectionId: string): Promise<FoundDelivery[]> {
  return findDeliveries(pool, { connections: [connectionId], answer: 'refused', ids: null }, { from: null, limit: 1_000 });
}
