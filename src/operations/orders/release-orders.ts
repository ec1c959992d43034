import type { Connection } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { ordersInReview, releaseInLedger } from '../../bridge/ledger/review/release-from-review.ts';
import { failures } from '../../bridge/order/facts/failure.ts';
import { didYouMean } from '../../contract/did-you-mean.ts';
import { ownValue } from '../../contract/own-value.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { knownConnection } from '../connections/known-connection.ts';
import { type FirstTry, type NotReleased, releaseOneFirst } from '../one-first.ts';
import { Refusal } from '../refusal.ts';
import { stateName } from '../words.ts';
import { namedOrder } from './named-order.ts';

/** How many orders in review are decided again. */
type Released = { released: number };

/** Decides again about one order in review, after its cause was put right, or about one that a person resolved, as if nothing had been said. */
export async function releaseOrder({ pool, notify }: { pool: Pool; notify: Notify }, named: string, said: { by: Actor; why?: string }): Promise<Released> {
  const order = await namedOrder({ pool }, named);
  const { id, state, review } = order;
  if (review?.code === 'order.other') {
    throw new Refusal('conflict', {
      en: `the order ${named} came under the id of another one: say whether it is a sale of its own`,
      bg: `поръчка ${named} дойде с идентификатора на друга: кажете дали е отделна продажба`,
      advice: `\`orderbridge release id:${id} --other\` if it is, \`orderbridge release id:${id} --same\` if it is the same sale`,
    });
  }
  if (state === 'unconfirmed') {
    throw new Refusal('conflict', {
      en: `the order ${named} is unconfirmed: say what became of it`,
      bg: `не се знае дали поръчка ${named} е записана: потърсете я в услугата и кажете какво намерихте`,
      advice: `\`orderbridge confirm id:${id}\` says it`,
    });
  }
  const released = await releaseInLedger(pool, { ...order, ...said });
  if (released.length === 0) {
    throw new Refusal('conflict', {
      en: `the order ${named} is ${state}, not in review: there is nothing to release`,
      bg: `поръчка ${named} не е за проверка (${stateName(state, 'bg')}): няма какво да се опитва отново`,
    });
  }
  notify(released);
  return { released: released.length };
}

type CodeDeps = { pool: Pool; notify: Notify; connections: { find(id: string): Promise<Connection | null>; list(): Promise<Connection[]> } };

/** `connection`: its id or name; null: of every store. `firstTry` null: all at once; else, of more than 20, one of each store goes first. */
export type ReleaseCode = { code: string; connection: string | null; by: Actor; why?: string; firstTry: FirstTry | null };

/** A store and how many of its orders were released. */
type ReleasedStore = { connectionId: string; name: string; released: number };

/** `notReleased`: those that stay in review, since the ones that went first were not recorded. */
type ReleasedCode = { released: number; stores: ReleasedStore[]; notReleased: readonly NotReleased[] };

/** Decides again about the orders that need review with one code, after their cause was put right; see `mustReview`. */
export async function releaseCode({ pool, notify, connections }: CodeDeps, { code, connection, ...how }: ReleaseCode): Promise<ReleasedCode> {
  mustReview(code);
  const one = connection === null ? null : await knownConnection(connections, connection);
  const review = await ordersInReview(pool, { codes: [code], connectionId: one?.id ?? null });
  const groups = [...Map.groupBy(review, ({ connectionId }) => connectionId)].map(([connectionId, orders]) => ({ connectionId, orders }));
  const { released, notReleased } = await releaseOneFirst({ pool, notify }, { groups, ...how });
  const names = new Map((one === null ? await connections.list() : [one]).map(({ id, name }) => [id, name]));
  const stores = [...Map.groupBy(released, ({ connectionId }) => connectionId)].map(([connectionId, orders]) => ({
    connectionId,
    name: names.get(connectionId) ?? connectionId,
    released: orders.length,
  }));
  return { released: released.length, stores, notReleased };
}

/** Refuses a code that no order is ever in review with, before anything is opened. */
export function mustReview(code: string): void {
  if (code === 'order.other') {
    const english = 'orders that need review as order.other are decided one by one';
    throw new Refusal('invalid', { english, advice: '`orderbridge release ORDER --other` or `--same`' });
  }
  if (ownValue(failures, code)?.disposition === 'review') return;
  const codes = reviewCodes();
  const english = `no order is ever in review as ${code}${didYouMean(code, codes)}`;
  throw new Refusal('invalid', { english, advice: `the codes are ${codes.join(', ')}` });
}

function reviewCodes(): string[] {
  return Object.entries(failures)
    .filter(([, { disposition }]) => disposition === 'review')
    .map(([code]) => code);
}
