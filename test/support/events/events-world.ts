import { type ListedEndpoint, listEndpoints } from '../../../src/bridge/ledger/events/endpoint-store.ts';
import type { World } from '../worlds/world.ts';

/** What is retried is retried at once. */
export const QUICK = { config: { retryScale: 0.02 } };

/** The triggers that write events, and those that write notes, as far as they are enabled. */
export const TRIGGERS = `select tgname from pg_trigger where tgrelid = 'bridge.orders'::regclass and tgname ~ '^(events|notes)_' and tgenabled <> 'D' order by 1`;

export async function firstEndpoint(it: World): Promise<ListedEndpoint> {
  const [endpoint] = await listEndpoints(it.bridge.pool);
  if (endpoint === undefined) throw new Error('there is no endpoint');
  return endpoint;
}
