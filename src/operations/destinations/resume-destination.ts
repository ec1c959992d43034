import type { ComplianceClient } from '../../bridge/client/port.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { Pause, Scope } from '../../bridge/delivery/pauses.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { type DestinationStore, endPauses } from '../../bridge/ledger/destination-store.ts';
import type { Reply } from '../../bridge/order/decisions/answer.ts';
import { quoted } from '../../contract/said.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor, Said } from '../../platform/trail/trail.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { NIL_UUID } from '../health/ask-outside.ts';
import { Refusal } from '../refusal.ts';
import { knownDestination, type ListDestinations } from './list-destinations.ts';

type ResumeDeps = {
  pool: Pool;
  destinations: ListDestinations;
  notify: Notify;
};

/** `shop`: of that shop alone. */
type Resuming = Said & { named: string | undefined; shop?: string | undefined };

type Resumed = { destinationId: string; address: string | null; ended: Pause[] };

/** Ends the pauses of a compliance service, or of one shop there, at once: all that waits is sent. If it still fails, it is paused again. */
export async function resumeDestination({ pool, destinations, notify }: ResumeDeps, { named, shop, ...said }: Resuming): Promise<Resumed> {
  if (shop !== undefined && !isUuid(shop))
    throw new Refusal('invalid', { en: 'a shop is named by its id, a UUID', bg: 'обект се посочва с идентификатора си, UUID' });
  const { id: destinationId, baseUrl: address } = await knownDestination(destinations, named);
  const ended = await endPauses(pool, { destinationId, shopId: shop, said });
  if (ended.length > 0) notify([{ id: 0, dueAt: 0 }]);
  return { destinationId, address, ended };
}

type ProbeDeps = {
  pool: Pool;
  destinations: ListDestinations & Pick<DestinationStore, 'find'> & { pauses(): Promise<Pause[]> };
  compliance: Pick<ComplianceAccess, 'endpointOf'>;
  client: Pick<ComplianceClient, 'deleteOrder'>;
  /** One order of the scope is sent now; fails if the queue is down. */
  probe(scope: Scope): Promise<void>;
};

/** `status` null: no answer, and `detail` says why. `works`: it answers, and takes the key. `probed`: pauses of which an order is sent now. */
export type Probed = { destinationId: string; address: string | null; works: boolean; status: number | null; ms: number; detail: string; probed: number };

const LONGEST_MS = 10_000;
const QUEUE_MS = 5_000;

/**
 * Asks a compliance service to delete what can't exist, which changes nothing and needs a valid key: 404 is the right answer. Where it is paused, an
 * order of each pause is sent now rather than at its time; what it is answered ends the pause, or makes it longer.
 */
export async function probeDestination(deps: ProbeDeps, { named, by }: { named: string | undefined; by: Actor }): Promise<Probed> {
  const { pool, destinations } = deps;
  const { id, baseUrl: address } = await knownDestination(destinations, named);
  const answer = await asked(deps, id);
  const pauses = (await destinations.pauses()).filter(({ destinationId }) => destinationId === id);
  // The queue is not in the database: what is written first may not come to pass, but nothing comes to pass unwritten.
  await writeBridgeActs(pool, [{ who: by, act: 'destination.probed', subject: id, after: { ...answer, pauses: pauses.length } }]);
  for (const { destinationId, shopId, callType } of pauses) await queued(deps.probe({ destinationId, shopId, callType }));
  return { destinationId: id, address, works: answer.status === 404, ...answer, probed: pauses.length };
}

type Answer = Pick<Probed, 'status' | 'ms' | 'detail'>;

async function asked({ destinations, compliance, client }: ProbeDeps, id: string): Promise<Answer> {
  const destination = await destinations.find(id);
  if (destination === null) throw new Refusal('missing', { en: `the compliance service ${id} is gone`, bg: `услугата за отчитане ${id} вече я няма` });
  const endpoint = await compliance.endpointOf(destination);
  const began = performance.now();
  const reply = await client.deleteOrder(endpoint, NIL_UUID, AbortSignal.timeout(LONGEST_MS));
  return { ...answerOf(reply), ms: Math.round(performance.now() - began) };
}

function answerOf(reply: Reply): Pick<Answer, 'status' | 'detail'> {
  return reply.kind === 'answered' ? { status: reply.status, detail: reply.status === 404 ? '' : reply.detail } : { status: null, detail: reply.error };
}

async function queued(adding: Promise<void>): Promise<void> {
  try {
    await withTimeout(QUEUE_MS, adding);
  } catch (thrown) {
    throw new Refusal(
      'unavailable',
      {
        en: 'the service was asked, but the queue does not answer: no order is sent until it is back',
        bg: 'услугата беше попитана, но опашката не отговаря: никоя поръчка не се изпраща, докато тя се върне',
      },
      { advice: quoted(String(thrown)) },
    );
  }
}
