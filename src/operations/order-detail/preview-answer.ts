import { writtenSettings } from '../../bridge/ledger/connections/connection-settings.ts';
import { ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { checkedSettings, editedSettings, withSettings } from '../connections/change-settings.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { type OrderReport, orderReport, withoutBuyer } from '../orders/order-report.ts';
import { orderToCheck } from '../review/check-one.ts';
import { type Chosen, changesFor } from '../review/chosen-settings.ts';
import type { IssueGroup } from '../review/issue-group.ts';
import { type OrderSources, orderSources } from './order-sources.ts';

/** The order that would go first, with the record as it would be. */
export type AnswerPreview = { report: OrderReport; sources: OrderSources };

/** What the order of a group that would go first would be recorded as, if this were chosen; `again` as in a check. Reads only. */
export async function previewAnswer(
  { pool, connections }: { pool: Pool; connections: FindConnection },
  { group, chosen, again }: { group: IssueGroup; chosen: readonly Chosen[]; again: string | null },
): Promise<AnswerPreview | null> {
  const { id } = await orderToCheck(pool, group, again);
  const [order] = await ordersOfIds(pool, [id]);
  const connection = await knownConnection(connections, group.connectionId);
  const written = await writtenSettings(pool, connection.id);
  if (order === undefined || written === null) return null;
  const after = withSettings(connection, checkedSettings(written, editedSettings(written.settings, changesFor(connection, chosen))));
  const view = withoutBuyer(order);
  const report = orderReport({ view, connection: after, deliveries: [], steps: [] });
  // Against the store alone: what is recorded by now is not what would be.
  return { report, sources: orderSources(view, { ...report, record: null, state: 'unconfirmed' }) };
}
