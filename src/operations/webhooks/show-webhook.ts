import type { Connection } from '../../bridge/connections/connection.ts';
import { type KeptRequest, requestsOfOrder } from '../../bridge/ledger/connections/request-log.ts';
import { deliveryOfId } from '../../bridge/ledger/deliveries/delivery-store.ts';
import { findDeliveries, refusalHeaders } from '../../bridge/ledger/deliveries/find-deliveries.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type ListedDelivery, listed } from '../connections/store-webhooks.ts';
import { Refusal } from '../refusal.ts';
import { noDelivery } from './kept-webhook.ts';
import { changedBy, type WebhookChange } from './webhook-change.ts';

/**
 * A webhook, and what followed, without its buyer. `kept`: its body is there; `cut`: at most what was read of it. `changed` null: nobody knows any more. `followed`: the first requests to
 * the compliance service about its order that began after it came.
 */
export type ShownWebhook = ListedDelivery & {
  connection: Connection;
  headers: Readonly<Record<string, string>>;
  kept: boolean;
  cut: boolean;
  changed: WebhookChange | null;
  followed: readonly KeptRequest[];
};

const MOST_FOLLOWED = 20;

/** `stores`: those that may be shown. */
export async function showWebhook({ pool, stores }: { pool: Pool; stores: readonly Connection[] }, id: string): Promise<ShownWebhook> {
  const wanted = { connections: stores.map((store) => store.id), answer: null, ids: [id] };
  const [found] = await findDeliveries(pool, wanted, { from: null, limit: 1 });
  const connection = stores.find((store) => store.id === found?.connectionId);
  if (found === undefined || connection === undefined) throw new Refusal('missing', noDelivery(id));
  const { orderRef, at } = found;
  const [kept, followed, changed] = await Promise.all([
    found.outcome === null ? null : deliveryOfId(pool, id),
    orderRef === null ? [] : requestsOfOrder(pool, orderRef),
    orderRef === null ? null : changedBy(pool, { id, orderRef, connection }),
  ]);
  return {
    ...{
      ...listed(found),
      connection,
      changed,
      kept: kept?.kept ?? false,
      cut: kept?.cut ?? false,
      followed: followed.filter((one) => one.at >= at).slice(0, MOST_FOLLOWED),
    },
    headers: found.outcome === null ? await refusalHeaders(pool, id) : (kept?.headers ?? {}),
  };
}
