import type { Pause } from '../../bridge/delivery/pauses.ts';
import { endPauses } from '../../bridge/ledger/end-pauses.ts';
import { isUuid } from '../../contract/uuid.ts';
import { errorWords } from '../../platform/error-words.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Said } from '../../platform/trail/trail.ts';
import { within } from '../../platform/within.ts';
import { Refusal } from '../refusal.ts';
import { knownDestination, type ListDestinations } from './known-destination.ts';

export type ResumeDeps = {
  pool: Pool;
  destinations: ListDestinations;
  /** Orders that are behind are queued again; fails if the queue is down. */
  sweep(): Promise<void>;
};

/** `shop`: of that shop alone. */
type Resuming = Said & { named: string | undefined; shop?: string | undefined };

/** `unwoken`: why the queue took none; then a running worker's next look does it. */
export type Resumed = { destinationId: string; address: string | null; ended: Pause[]; unwoken: string | null };

const QUEUE_MS = 5_000;

/** Ends the pauses of a compliance service, or of one shop there, at once: all that waits is sent. If it still fails, it is paused again. */
export async function resumeDestination({ pool, destinations, sweep }: ResumeDeps, { named, shop, ...said }: Resuming): Promise<Resumed> {
  if (shop !== undefined && !isUuid(shop))
    throw new Refusal('invalid', { en: 'a shop is named by its id, a UUID', bg: 'обект се посочва с идентификатора си, UUID' });
  const { id: destinationId, baseUrl: address } = await knownDestination(destinations, named);
  const ended = await endPauses(pool, { destinationId, shopId: shop, said });
  return { destinationId, address, ended, unwoken: ended.length === 0 ? null : await swept(sweep) };
}

async function swept(sweep: ResumeDeps['sweep']): Promise<string | null> {
  try {
    await within(QUEUE_MS, sweep());
    return null;
  } catch (thrown) {
    return `The queue does not answer (${errorWords(thrown)}); a running worker picks the orders up within seconds after it is back.`;
  }
}
