import type { ComplianceClient } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { concerns, type Pause, type Scope } from '../../bridge/delivery/pauses.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { type DestinationStore, endPauses, type ListedDestination } from '../../bridge/ledger/connections/destination-store.ts';
import { type LastProbe, type LoggedRequest, lastHour, lastProbes, lastRequests, MOST_COUNTED } from '../../bridge/ledger/connections/request-log.ts';
import { type PendingOf, pendingByConnection } from '../../bridge/ledger/orders/pending-orders.ts';
import type { Reply } from '../../bridge/order/decisions/answer.ts';
import { quoted } from '../../contract/messages.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor, Authorship } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { withTimeout } from '../../platform/with-timeout.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import { type DayRange, instantsOf } from '../day-range.ts';
import { waitingFor } from '../health/checks/destinations.ts';
import { NIL_UUID } from '../health/checks/network.ts';
import { Refusal } from '../refusal.ts';

type Deps = {
  pool: Pool;
  connections: { list(): Promise<Connection[]> };
  destinations: ListDestinations & { pauses(): Promise<Pause[]> };
};

/** Orders that wait; `isMore`: there are more of a store than are counted. */
type WaitingOrders = { orders: number; isMore: boolean };

/** `stores`: the names of those that it keeps waiting. */
export type DestinationPause = Pick<Pause, 'shopId' | 'callType' | 'code' | 'detail' | 'since' | 'until' | 'failures'> & {
  stores: string[];
  waiting: WaitingOrders;
};

/** A compliance service with one key. `address` null: our own. */
export type DestinationReport = {
  destinationId: string;
  address: string | null;
  /** The last characters of its key; null: it does not open. */
  keyEnd: string | null;
  stores: { connectionId: string; name: string; shop: string; isLive: boolean }[];
  pauses: DestinationPause[];
  lastHour: { requests: number; failed: number; isMore: boolean };
  lastProbe: LastProbe | null;
};

/** Every compliance service that a store has, or that is paused: those first that are. */
export async function listDestinations({ pool, connections, destinations }: Deps): Promise<DestinationReport[]> {
  const [listed, all, pauses, pending, hours, probes] = await Promise.all([
    destinations.list(),
    connections.list(),
    destinations.pauses(),
    pendingByConnection(pool),
    lastHour(pool),
    lastProbes(pool),
  ]);
  const hourOf = new Map(hours.map((one) => [one.destinationId, one]));
  const storesOf = Map.groupBy(all, ({ destinationId }) => destinationId);
  const pausesOf = Map.groupBy(pauses, ({ destinationId }) => destinationId);
  const reports = listed.flatMap(({ id, baseUrl, keyEnd }): DestinationReport[] => {
    const [own = [], paused = []] = [storesOf.get(id), pausesOf.get(id)];
    if (own.length + paused.length === 0) return [];
    const { requests = 0, failed = 0 } = hourOf.get(id) ?? {};
    return [
      {
        ...{ destinationId: id, address: baseUrl, keyEnd },
        stores: own.map((one) => ({ connectionId: one.id, name: one.name, shop: one.shopId, isLive: one.closedAt === null })),
        pauses: paused.map((pause) => reported(pause, own, pending)),
        lastHour: { requests, failed, isMore: requests >= MOST_COUNTED },
        lastProbe: probes.get(id) ?? null,
      },
    ];
  });
  return reports.toSorted((a, b) => Number(b.pauses.length > 0) - Number(a.pauses.length > 0));
}

function reported(pause: Pause, all: readonly Connection[], pending: ReadonlyMap<string, PendingOf>): DestinationPause {
  const { shopId, callType, code, detail, since, until, failures } = pause;
  const concerned = all.filter((connection) => concerns(pause, connection));
  return { shopId, callType, code, detail, since, until, failures, stores: concerned.map(({ name }) => name), waiting: waitingFor(pause, concerned, pending) };
}

/** The last requests to each of these on some days, the newest first. */
export async function requestsTo(
  { pool }: Pick<Deps, 'pool'>,
  destinations: readonly Pick<DestinationReport, 'destinationId'>[],
  { limit, days }: { limit: number; days: DayRange },
): Promise<ReadonlyMap<string, LoggedRequest[]>> {
  const wanted = { limit, ...instantsOf(days) };
  const lists = await Promise.all(destinations.map(async ({ destinationId }) => [destinationId, await lastRequests(pool, destinationId, wanted)] as const));
  return new Map(lists);
}

type ListDestinations = Pick<DestinationStore, 'list'>;

/** Our own service has no address of its own. */
export function addressWords({ baseUrl }: Pick<ListedDestination, 'baseUrl'>): string {
  return baseUrl ?? 'our own service';
}

/** The shortest beginning of an id that is taken for it. */
const LEAST = 4;

/** The compliance service that a person names: by the beginning of its id, or its address; undefined: the only one. */
async function knownDestination(destinations: ListDestinations, named: string | undefined): Promise<ListedDestination> {
  const all = await destinations.list();
  const [found, ...others] =
    named === undefined ? all : all.filter((one) => one.id === named || one.baseUrl === named || (named.length >= LEAST && one.id.startsWith(named)));
  if (found === undefined) {
    const what =
      named === undefined
        ? { en: 'no compliance service is known yet', bg: 'още не е известна услуга за отчитане' }
        : { en: `no compliance service has the id or the address ${named}`, bg: `няма услуга за отчитане с идентификатор или адрес ${named}` };
    throw new Refusal('missing', { ...what, advice: '`orderbridge destinations` lists them' });
  }
  if (others.length === 0) return found;
  throw new Refusal('conflict', {
    en: `${named ?? 'it'} may be one of several compliance services`,
    bg: `${named ?? 'това'} може да е една от няколко услуги за отчитане`,
    advice: { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
    choices: { header: ['address', 'key', 'id'], rows: [found, ...others].map((one) => [addressWords(one), one.keyEnd, one.id]) },
  });
}

type ResumeDeps = {
  pool: Pool;
  destinations: ListDestinations;
  notify: Notify;
};

/** `shop`: of that shop alone. */
type Resuming = Authorship & { named: string | undefined; shop?: string | undefined };

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

/** `status` null: no answer, and `detail` says why. `works`: it answers, and accepts the key. `probed`: pauses of which an order is sent now. */
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
    throw new Refusal('unavailable', {
      en: 'the service was asked, but the queue does not answer: no order is sent until it is back',
      bg: 'услугата беше попитана, но опашката не отговаря: никоя поръчка не се изпраща, докато тя се върне',
      advice: quoted(String(thrown)),
    });
  }
}

type JobState = 'waiting' | 'prioritized' | 'active' | 'delayed' | 'failed';

/** A queue, as far as it is looked at or resumed here. */
export type PausableQueue = {
  readonly name: string;
  getJobCounts(...states: JobState[]): Promise<Record<string, number>>;
  isPaused(): Promise<boolean>;
  resume(): Promise<void>;
};

export type QueueState = { name: string; isPaused: boolean; jobs: Record<JobState, number> };

export async function queueStates(queues: readonly PausableQueue[]): Promise<QueueState[]> {
  return Promise.all(
    queues.map(async (queue) => {
      const {
        waiting = 0,
        prioritized = 0,
        active = 0,
        delayed = 0,
        failed = 0,
      } = await queue.getJobCounts(...(['waiting', 'prioritized', 'active', 'delayed', 'failed'] as const));
      return { name: queue.name, isPaused: await queue.isPaused(), jobs: { waiting, prioritized, active, delayed, failed } };
    }),
  );
}

/** Work is taken from it again. True: it was paused. Throws `Refusal` if there is no such queue. */
export async function resumeQueue({ pool, queues, by }: { pool: Pool; queues: readonly PausableQueue[]; by: Actor }, name: string): Promise<boolean> {
  const queue = queues.find((each) => each.name === name);
  const names = queues.map((each) => each.name).join(', ');
  if (queue === undefined)
    throw new Refusal('missing', { en: `there is no queue ${name}`, bg: `няма опашка ${name}`, advice: { en: `they are ${names}`, bg: `те са ${names}` } });
  const wasPaused = await queue.isPaused();
  if (!wasPaused) return false;
  // The queue is not in the database: what is written first may not come to pass, but nothing comes to pass unwritten.
  await writeBridgeActs(pool, [{ who: by, act: 'queue.resumed', subject: name }]);
  await queue.resume();
  return true;
}
