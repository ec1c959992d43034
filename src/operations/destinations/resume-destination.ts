import type { Notify } from '../../bridge/delivery/notify.ts';
import type { Pause } from '../../bridge/delivery/pauses.ts';
import { endPauses } from '../../bridge/ledger/end-pauses.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { Refusal } from '../refusal.ts';
import { knownDestination, type ListDestinations } from './known-destination.ts';

export type ResumeDeps = {
  pool: Pool;
  destinations: ListDestinations;
  notify: Notify;
};

/** `shop`: of that shop alone. */
type Resuming = Said & { named: string | undefined; shop?: string | undefined };

export type Resumed = { destinationId: string; address: string | null; ended: Pause[] };

/** Ends the pauses of a compliance service, or of one shop there, at once: all that waits is sent. If it still fails, it is paused again. */
export async function resumeDestination({ pool, destinations, notify }: ResumeDeps, { named, shop, ...said }: Resuming): Promise<Resumed> {
  if (shop !== undefined && !isUuid(shop))
    throw new Refusal('invalid', { en: 'a shop is named by its id, a UUID', bg: 'обект се посочва с идентификатора си, UUID' });
  const { id: destinationId, baseUrl: address } = await knownDestination(destinations, named);
  const ended = await endPauses(pool, { destinationId, shopId: shop, said });
  if (ended.length > 0) notify([{ id: 0, dueAt: 0 }]);
  return { destinationId, address, ended };
}
