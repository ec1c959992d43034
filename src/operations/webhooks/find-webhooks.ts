import type { Connection } from '../../bridge/connections/connection.ts';
import {
  countDeliveries,
  type DeliveriesWanted,
  type DeliveryPosition,
  deliveriesNamed,
  type FoundDelivery,
  findDeliveries,
  reachOf,
} from '../../bridge/ledger/deliveries/find-deliveries.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type ListedDelivery, listed } from '../connections/store-webhooks.ts';
import { type DayRange, instantsOf } from '../day-range.ts';
import { MOST_COUNTED } from '../orders/find-orders.ts';

/** `connections`: those that may be shown. */
type Deps = { pool: Pool; connections: readonly Pick<Connection, 'id'>[] };

/** `q`: our id or the platform's, exactly; '' and null: any. */
export type WebhooksWanted = { q: string; topic: string; answer: DeliveriesWanted['answer']; days: DayRange };

/** `next`: where the next page begins; null: this is the last; `previous`: where the one before ends. `count`: of all that match; null: not counted. */
export type WebhooksPage = { webhooks: ListedDelivery[]; next: string | null; previous: string | null; count: number | null };

const PAGE = 50;
/** No index has topics: a page of one looks at so many, whatever their store, and the next goes on from there. */
export const LOOKED_AT = 5_000;

/** A page of webhooks, the newest first; `after` and `before` as another page gave them. */
export async function findWebhooks(deps: Deps, wanted: WebhooksWanted, { after, before }: { after: string; before: string }): Promise<WebhooksPage> {
  const isNewer = placeOf(before) !== null;
  const from = placeOf(isNewer ? before : after);
  const [{ rows, until }, count] = await Promise.all([lookedAt(deps, wanted, { from, isNewer }), counted(deps, wanted)]);
  const nearest = rows.slice(0, PAGE);
  const end = until === null ? null : { at: until, id: isNewer ? LAST : FIRST };
  const onward = rows.length > PAGE ? (nearest.at(-1) ?? null) : end;
  const back = from === null ? null : (nearest[0] ?? behind(from, isNewer));
  const [previous, next] = isNewer ? [onward, back] : [back, onward];
  return {
    webhooks: (isNewer ? nearest.toReversed() : nearest).map(listed),
    next: textOf(next),
    previous: textOf(previous),
    count,
  };
}

/** No index has topics, and the same id is seldom there twice. */
async function counted({ pool, connections }: Deps, { q, topic, answer, days }: WebhooksWanted): Promise<number | null> {
  if (q !== '' || topic !== '') return null;
  return countDeliveries(pool, { connections: connections.map(({ id }) => id), answer, at: instantsOf(days) }, MOST_COUNTED + 1);
}

type Way = { from: DeliveryPosition | null; isNewer: boolean };

/** `until`: which instant was looked up to; null: to the end. */
async function lookedAt(deps: Deps, { q, topic, answer, days }: WebhooksWanted, way: Way): Promise<{ rows: FoundDelivery[]; until: string | null }> {
  const { pool } = deps;
  const connections = deps.connections.map(({ id }) => id);
  const ids = q === '' ? null : await deliveriesNamed(pool, connections, q);
  if (ids?.length === 0) return { rows: [], until: null };
  const at = instantsOf(days);
  const from = way.from ?? (at.until === null ? null : { at: at.until, id: FIRST });
  const reach = topic === '' || ids !== null ? null : await reachOf(pool, connections, { ...way, from, most: LOOKED_AT });
  // Beyond the days there is nothing to look at.
  const isBeyond = reach !== null && (way.isNewer ? at.until !== null && reach >= at.until : at.from !== null && reach < at.from);
  const until = isBeyond ? null : reach;
  return { rows: await findDeliveries(pool, { connections, topic: topic === '' ? null : topic, answer, ids, at }, { ...way, until, limit: PAGE + 1 }), until };
}

/** Before and after each id. */
const [FIRST, LAST] = ['-', 'z'];

/** The place on whose other side what is at this one is: where nothing is beyond it, the way back begins with it. */
function behind({ at, id }: DeliveryPosition, isNewer: boolean): DeliveryPosition {
  return { at, id: isNewer ? `${id}${LAST}` : id.length > 1 ? id.slice(0, -1) : id };
}

function textOf(place: DeliveryPosition | null): string | null {
  return place === null ? null : `${place.at}~${place.id}`;
}

function placeOf(text: string): DeliveryPosition | null {
  const [, at, id] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,6}Z)~([\w-]{1,41})$/.exec(text) ?? [];
  return at === undefined || id === undefined || Number.isNaN(Date.parse(at)) ? null : { at, id };
}
