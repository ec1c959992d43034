import { type Connection, liveSecrets } from '../../bridge/connections/connection.ts';
import { findOrder } from '../../bridge/ledger/kept-order.ts';
import type { Delivery, Storefront } from '../../bridge/storefronts/contract.ts';
import { parseJson } from '../../bridge/storefronts/lossless-json.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import type { OrderReport } from './order-report.ts';
import { showOrder } from './show-order.ts';

/** `id`: digits that no order of the store has. `now`: ms since 1970. `order`: a body of the store's, sent as it is. */
type Wanted = { id: string; now: number; order?: unknown };

/** What is sent, and the order that it tells of. */
export type PreparedTest = { orderId: string; deliveries: readonly Delivery[] };

/** The signed deliveries of a test order. Refuses what would not be taken as an order: nothing is sent then. */
export function prepareTest(storefront: Storefront, connection: Connection, { id, now, order }: Wanted): PreparedTest {
  const [secret] = liveSecrets(connection, now);
  if (connection.closedAt !== null) throw new Refusal('conflict', `${connection.id} was disconnected`, { advice: 'connect the store again' });
  if (secret === undefined)
    throw new Refusal('conflict', `${connection.id} has no secret that could sign`, { advice: '`orderbridge rotate-secret` gives it one' });
  // A store that is kept apart has a key that its deliveries never say.
  const store = connection.isApart ? null : connection.store;
  const deliveries = storefront.testDeliveries?.({ id, now, secret, store, order }) ?? [];
  return { orderId: orderIn(storefront, deliveries), deliveries };
}

function orderIn(storefront: Storefront, [first]: readonly Delivery[]): string {
  if (first === undefined) throw new Refusal('invalid', `no test order can be made up for ${storefront.name}`, { advice: 'place one in the store' });
  const parsed = parseJson(first.body);
  const said = storefront.normalize(storefront.envelope(first.headers), parsed.ok ? parsed.value : null);
  if (said.kind === 'order') return said.news.orderId;
  const why = said.kind === 'unreadable' ? said.problems.map(({ detail }) => detail).join('; ') : `it says: ${said.kind}`;
  throw new Refusal('invalid', `that is no order of ${storefront.name} (${why})`, { advice: 'nothing was sent' });
}

type Asked = { connectionId: string; orderId: string; since: string };
type Deps = { pool: Pool; connections: FindConnection };

/** The order once nothing is left to do for what was sent; null: not yet. `since`: ISO instant; what was sent came no earlier. */
export async function settledTest(deps: Deps, { connectionId, orderId, since }: Asked): Promise<OrderReport | null> {
  if ((await findOrder(deps.pool, connectionId, orderId)) === null) return null;
  const report = await showOrder(deps, { connectionId, orderId });
  const hasCome = report.deliveries.some(({ arrivedAt }) => arrivedAt >= since);
  return !hasCome || report.behind || report.state === 'queued' ? null : report;
}
