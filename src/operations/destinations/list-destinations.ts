import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pause } from '../../bridge/delivery/pauses.ts';
import type { DestinationStore, ListedDestination } from '../../bridge/ledger/destination-store.ts';
import { MOST_PENDING, type PendingOf, pendingByConnection } from '../../bridge/ledger/pending-orders.ts';
import { type LastProbe, type LoggedRequest, lastHour, lastProbe, lastRequests, MOST_COUNTED } from '../../bridge/ledger/request-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { concernedBy } from '../health/read-destinations.ts';
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

/** Every compliance service that a store has, or that is paused. */
export async function listDestinations({ pool, connections, destinations }: Deps): Promise<DestinationReport[]> {
  const [listed, all, pauses, pending, hours] = await Promise.all([
    destinations.list(),
    connections.list(),
    destinations.pauses(),
    pendingByConnection(pool),
    lastHour(pool),
  ]);
  const used = listed.filter(({ id }) => all.some(({ destinationId }) => destinationId === id) || pauses.some(({ destinationId }) => destinationId === id));
  return Promise.all(
    used.map(async ({ id, baseUrl, keyEnd }) => {
      const { requests = 0, failed = 0 } = hours.find(({ destinationId }) => destinationId === id) ?? {};
      return {
        ...{ destinationId: id, address: baseUrl, keyEnd },
        stores: all
          .filter(({ destinationId }) => destinationId === id)
          .map((one) => ({ connectionId: one.id, name: one.name, shop: one.shopId, isLive: one.closedAt === null })),
        pauses: pauses.filter(({ destinationId }) => destinationId === id).map((pause) => reported(pause, all, pending)),
        lastHour: { requests, failed, isMore: requests >= MOST_COUNTED },
        lastProbe: await lastProbe(pool, id),
      };
    }),
  );
}

function reported(pause: Pause, all: readonly Connection[], pending: ReadonlyMap<string, PendingOf>): DestinationPause {
  const { shopId, callType, code, detail, since, until, failures } = pause;
  const concerned = all.filter((connection) => concernedBy(pause, connection));
  const waiting = concerned.flatMap(({ id }) => pending.get(id) ?? []);
  const orders = waiting.reduce((sum, of) => sum + (callType === 'records' ? of.records : of.receipts), 0);
  const isMore = waiting.some(({ records, receipts }) => records + receipts >= MOST_PENDING);
  return { shopId, callType, code, detail, since, until, failures, stores: concerned.map(({ name }) => name), waiting: { orders, isMore } };
}

/** The last requests to each of these, the newest first. */
export async function requestsTo(
  { pool }: Pick<Deps, 'pool'>,
  destinations: readonly Pick<DestinationReport, 'destinationId'>[],
  limit: number,
): Promise<ReadonlyMap<string, LoggedRequest[]>> {
  const lists = await Promise.all(destinations.map(async ({ destinationId }) => [destinationId, await lastRequests(pool, destinationId, limit)] as const));
  return new Map(lists);
}

export type ListDestinations = Pick<DestinationStore, 'list'>;

/** Our own service has no address of its own. */
export function addressWords({ baseUrl }: Pick<ListedDestination, 'baseUrl'>): string {
  return baseUrl ?? 'our own service';
}

/** The shortest beginning of an id that is taken for it. */
const LEAST = 4;

/** The compliance service that a person names: by the beginning of its id, or its address; undefined: the only one. */
export async function knownDestination(destinations: ListDestinations, named: string | undefined): Promise<ListedDestination> {
  const all = await destinations.list();
  const [found, ...others] = named === undefined ? all : all.filter((one) => isNamed(one, named));
  if (found === undefined) {
    const what =
      named === undefined
        ? { en: 'no compliance service is known yet', bg: 'още не е известна услуга за отчитане' }
        : { en: `no compliance service has the id or the address ${named}`, bg: `няма услуга за отчитане с идентификатор или адрес ${named}` };
    throw new Refusal('missing', what, { advice: { en: '`orderbridge destinations` lists them', bg: '`orderbridge destinations` ги показва' } });
  }
  if (others.length === 0) return found;
  throw new Refusal(
    'conflict',
    { en: `${named ?? 'it'} may be one of several compliance services`, bg: `${named ?? 'това'} може да е една от няколко услуги за отчитане` },
    {
      advice: { en: 'say which by its id', bg: 'посочете коя с идентификатора ѝ' },
      choices: { header: ['address', 'key', 'id'], rows: [found, ...others].map((one) => [addressWords(one), one.keyEnd, one.id]) },
    },
  );
}

function isNamed({ id, baseUrl }: ListedDestination, named: string): boolean {
  return id === named || baseUrl === named || (named.length >= LEAST && id.startsWith(named));
}
