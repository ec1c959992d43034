import type { Connection } from '../../bridge/connections/connection.ts';
import type { Pause } from '../../bridge/delivery/pauses.ts';
import { MOST_BEHIND } from '../../bridge/ledger/behind-by-connection.ts';
import { pauseRemedy } from '../connections/pause-remedy.ts';
import { pauseReason } from '../connections/pause-words.ts';
import type { Look, Reader } from './look.ts';
import type { ReasonCode } from './reason-codes.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

/** Compliance services, and single shops of them, that are not called for a while. */
export const pauseReader: Reader = {
  codes: ['destination.paused', 'shop.paused', 'receipts.paused'],
  async read(look) {
    const [pauses, all, behind] = await Promise.all([look.pauses(), look.all(), look.behind()]);
    return pauses.map((pause) => ofPause(pause, { all, behind }));
  },
};

type Around = { all: readonly Connection[]; behind: Awaited<ReturnType<Look['behind']>> };

function ofPause(pause: Pause, { all, behind }: Around): Reason {
  const { destinationId, shopId, callType, since, until, detail } = pause;
  const concerned = all.filter((connection) => concernedBy(pause, connection));
  const live = concerned.filter(({ closedAt }) => closedAt === null);
  const waiting = concerned.flatMap(({ id }) => behind.get(id) ?? []);
  const count = waiting.reduce((sum, of) => sum + (callType === 'records' ? of.records : of.receipts), 0);
  const isMore = waiting.some(({ records, receipts }) => records + receipts >= MOST_BEHIND);
  const names = namesOf(live.length > 0 ? live : concerned);
  const orders = count === 0 ? '' : `; ${isMore ? 'more than ' : ''}${count} ${count === 1 ? 'order waits' : 'orders wait'}`;
  const what = callType === 'records' ? pauseReason(pause) : `it gives no receipts (${pauseReason(pause)}), records go on`;
  const remedy = pauseRemedy(pause, live[0]?.id ?? null);
  const words = `${names}: ${what} since ${since} (${detail})${orders}; it is tried again at ${until}`;
  const isLive = callType === 'records' && live.length > 0;
  const subject = shopId ?? destinationId;
  return reasonOf(codeOf(pause), { level: isLive ? 'failing' : 'attention', subject, count, since, words, verb: remedy?.command ?? 'doctor' });
}

function codeOf({ callType, shopId }: Pause): ReasonCode {
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
