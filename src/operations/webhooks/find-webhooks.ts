import type { Connection } from '../../bridge/connections/connection.ts';
import {
  type DeliveriesWanted,
  type DeliveryPosition,
  deliveriesNamed,
  type FoundDelivery,
  findDeliveries,
} from '../../bridge/ledger/deliveries/find-deliveries.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type ListedDelivery, listed } from '../connections/store-webhooks.ts';

/** `connections`: those that may be shown. */
type Deps = { pool: Pool; connections: readonly Pick<Connection, 'id'>[] };

/** `q`: our id or the platform's, exactly; '' and null: any. */
export type WebhooksWanted = { q: string; topic: string; answer: DeliveriesWanted['answer'] };

/** `next`: where the next page begins; null: this is the last; `previous`: where the one before ends. */
export type WebhooksPage = { webhooks: ListedDelivery[]; next: string | null; previous: string | null };

const PAGE = 50;
/** No index has topics: a page of one looks at so many, and the next goes on from there. */
export const LOOKED_AT = 5_000;

/** A page of webhooks, the newest first; `after` and `before` as another page gave them. */
export async function findWebhooks(deps: Deps, wanted: WebhooksWanted, { after, before }: { after: string; before: string }): Promise<WebhooksPage> {
  const isNewer = placeOf(before) !== null;
  const from = placeOf(isNewer ? before : after);
  const isOfTopic = ({ topic }: FoundDelivery) => wanted.topic === '' || topic === wanted.topic;
  const limit = wanted.topic === '' ? PAGE + 1 : LOOKED_AT;
  const rows = await lookedAt(deps, wanted, { from, isNewer, limit });
  const fitting = rows.filter(isOfTopic);
  const nearest = fitting.slice(0, PAGE);
  const isMore = fitting.length > PAGE || rows.length === limit;
  const onward = isMore ? ((fitting.length > PAGE ? nearest : rows).at(-1) ?? null) : null;
  const back = from === null ? null : (nearest[0] ?? from);
  const [previous, next] = isNewer ? [onward, back] : [back, onward];
  return { webhooks: (isNewer ? nearest.toReversed() : nearest).map(listed), next: textOf(next), previous: textOf(previous) };
}

async function lookedAt({ pool, connections }: Deps, { q, answer }: WebhooksWanted, look: Parameters<typeof findDeliveries>[2]): Promise<FoundDelivery[]> {
  const all = connections.map(({ id }) => id);
  const ids = q === '' ? null : await deliveriesNamed(pool, all, q);
  return ids?.length === 0 ? [] : findDeliveries(pool, { connections: all, answer, ids }, look);
}

function textOf(place: DeliveryPosition | null): string | null {
  return place === null ? null : `${place.at}~${place.id}`;
}

function placeOf(text: string): DeliveryPosition | null {
  const [, at, id] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{1,6}Z)~([\w-]{1,40})$/.exec(text) ?? [];
  return at === undefined || id === undefined || Number.isNaN(Date.parse(at)) ? null : { at, id };
}
