import { type Connection, SHOP_WARNING } from '../../bridge/connections/connection.ts';
import type { Pause } from '../../bridge/delivery/pauses.ts';
import type { Destination } from '../../bridge/ledger/connections/destination-store.ts';
import { MOST_PENDING } from '../../bridge/ledger/orders/pending-orders.ts';
import { counted } from '../../contract/plural.ts';
import { hasService } from '../../service/database/service-tables.ts';
import { endingKeys, unknownShops } from '../../service/keys/api-keys.ts';
import { pauseReason, pauseRemedy } from '../connections/pauses.ts';
import type { CheckCode } from './check-codes.ts';
import { type FailedCheck, failedCheck } from './health-status.ts';
import type { Reader, Round } from './round.ts';

/** Compliance services, and single shops of them, that are not called for a while. */
export const pauseReader: Reader = {
  codes: ['destination.paused', 'shop.paused', 'receipts.paused'],
  async read(round) {
    const [pauses, all, pending] = await Promise.all([round.pauses(), round.all(), round.pending()]);
    return pauses.map((pause) => ofPause(pause, { all, pending }));
  },
};

type DestinationUse = { all: readonly Connection[]; pending: Awaited<ReturnType<Round['pending']>> };

function ofPause(pause: Pause, { all, pending }: DestinationUse): FailedCheck {
  const { destinationId, shopId, callType, since, until, detail } = pause;
  const concerned = all.filter((connection) => concernedBy(pause, connection));
  const live = concerned.filter(({ closedAt }) => closedAt === null);
  const waiting = concerned.flatMap(({ id }) => pending.get(id) ?? []);
  const count = waiting.reduce((sum, of) => sum + (callType === 'records' ? of.records : of.receipts), 0);
  const isMore = waiting.some(({ records, receipts }) => records + receipts >= MOST_PENDING);
  const names = namesOf(live.length > 0 ? live : concerned);
  const orders = count === 0 ? '' : `; ${isMore ? 'more than ' : ''}${counted.en(count, 'order waits', 'orders wait')}`;
  const what = callType === 'records' ? pauseReason(pause) : `it gives no receipts (${pauseReason(pause)}), records go on`;
  const remedy = pauseRemedy(pause, live[0]?.id ?? null);
  const words = `${names}: ${what} since ${since} (${detail})${orders}; it is tried again at ${until}`;
  const isLive = callType === 'records' && live.length > 0;
  const subject = shopId ?? destinationId;
  return failedCheck(codeOf(pause), { level: isLive ? 'failing' : 'attention', subject, count, since, words, verb: remedy?.command ?? 'doctor' });
}

function codeOf({ callType, shopId }: Pause): CheckCode {
  if (callType === 'receipts') return 'receipts.paused';
  return shopId === null ? 'destination.paused' : 'shop.paused';
}

/** Do the orders of this connection wait for the pause? */
export function concernedBy({ destinationId, shopId }: Pause, connection: Pick<Connection, 'destinationId' | 'shopId'>): boolean {
  return destinationId === connection.destinationId && (shopId === null || shopId === connection.shopId);
}

const MOST_NAMES = 3;

/** “Corner, Sova, Book and 2 others”. */
function namesOf(connections: readonly Pick<Connection, 'name'>[]): string {
  return fewOf(connections.map(({ name }) => name));
}

export function fewOf(names: readonly string[]): string {
  if (names.length === 0) return 'no store';
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const left = names.length - MOST_NAMES;
  return left > 0 ? `${shown} and ${left} more` : shown;
}

/** Shops and keys of live connections: our own service is read; another one said it when the store was connected, and says it by a pause. */
export const shopReader: Reader = {
  codes: ['shop.unknown', 'key.unknown', 'key.ending'],
  async read(round) {
    const live = await round.live();
    const ids = [...new Set(live.map(({ destinationId }) => destinationId))];
    const destinations = new Map(await Promise.all(ids.map(async (id) => [id, await openedDestination(round, id)] as const)));
    const unread = live.filter(({ destinationId }) => destinations.get(destinationId) == null);
    const closed = unread.map(({ id, name }) =>
      failedCheck('key.unknown', { subject: id, words: `${name}: its compliance key can’t be read with this ENCRYPTION_KEY`, verb: 'doctor' }),
    );
    const [ours, others] = [live.filter((one) => isOurs(destinations, one)), live.filter((one) => !isOurs(destinations, one))];
    return [...closed, ...(await unknownHere(round, ours, destinations)), ...(await endingHere(round, destinations)), ...others.flatMap(warned)];
  },
};

type Destinations = ReadonlyMap<string, Destination | null>;

/** Null: it is gone, or its credentials do not open. */
async function openedDestination({ destinations }: Round, id: string): Promise<Destination | null> {
  return destinations.find(id).catch((thrown: unknown) => {
    if (thrown instanceof Error && thrown.name === 'UnreadableRow') return null;
    throw thrown;
  });
}

function isOurs(destinations: Destinations, { destinationId }: Connection): boolean {
  return destinations.get(destinationId)?.baseUrl === null;
}

async function unknownHere({ pool }: Round, live: readonly Connection[], destinations: Destinations): Promise<FailedCheck[]> {
  if (live.length === 0 || !(await hasService(pool))) return [];
  const callers = live.map(({ destinationId, shopId }) => ({ apiKey: destinations.get(destinationId)?.credentials.apiKey ?? '', shopId }));
  const unknown = await unknownShops(pool, callers);
  return live.flatMap(({ id, name, shopId }, place) => {
    const what = unknown[place] ?? null;
    if (what === null) return [];
    if (what === 'key') {
      const words = `${name}: its compliance key is unknown or revoked, so its orders can’t be recorded; \`orderbridge service keys create\` makes one`;
      return [failedCheck('key.unknown', { subject: id, words, verb: `reconnect ${id} --help` })];
    }
    const words = `${name}: the compliance service has no shop ${shopId} for this key, so its orders can’t be recorded; \`orderbridge shop create\` makes one, and \`orderbridge connect\` takes its id`;
    return [failedCheck('shop.unknown', { subject: id, words, verb: 'service shops list' })];
  });
}

/** It was so when the store was connected: whether orders are refused, a pause says. */
function warned({ id, name, warnings }: Connection): FailedCheck[] {
  const words = warnings[SHOP_WARNING];
  return words === undefined ? [] : [failedCheck('shop.unknown', { level: 'attention', subject: id, words: `${name}: ${words}`, verb: 'doctor' })];
}

/** A rotation hands the new key over by itself; if it crashed before, nobody has the new secret, and the old key ends. */
async function endingHere({ pool }: Round, destinations: Destinations): Promise<FailedCheck[]> {
  if (!(await hasService(pool))) return [];
  const keys = [...destinations.values()].flatMap((destination) => (destination === null ? [] : [destination.credentials.apiKey]));
  return (await endingKeys(pool, keys)).map(({ id, endsAt, rotatedAt, replacedBy }) => {
    const unused = replacedBy === null ? '' : `, and then \`orderbridge service keys revoke ${replacedBy}\`, whose secret nobody has`;
    const words = `the rotation of key ${id} did not finish: records still go with it, and it ends at ${endsAt}; type \`orderbridge service keys rotate ${id}\` again${unused}`;
    return failedCheck('key.ending', { subject: id, since: rotatedAt, words, verb: `service keys rotate ${id}` });
  });
}
