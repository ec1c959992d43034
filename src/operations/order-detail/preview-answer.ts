import { writtenSettings } from '../../bridge/ledger/connections/connection-settings.ts';
import { ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import { inReviewOfGroup } from '../../bridge/ledger/review/review-groups.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { checkedSettings, editedSettings, withSettings } from '../connections/change-settings.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { type OrderReport, orderReport } from '../orders/order-report.ts';
import { type Chosen, changesFor } from '../review/chosen-settings.ts';
import type { IssueGroup } from '../review/issue-group.ts';
import { type OrderSources, orderSources } from './order-sources.ts';

/** The order that would go first, with the record as it would be. */
export type AnswerPreview = { report: OrderReport; sources: OrderSources };

/** What one order of a group would be recorded as, if this were chosen. Reads only. Null: none of the group is in review any more. */
export async function previewAnswer(
  { pool, connections }: { pool: Pool; connections: FindConnection },
  { group, chosen }: { group: IssueGroup; chosen: readonly Chosen[] },
): Promise<AnswerPreview | null> {
  const [first] = await inReviewOfGroup(pool, group, 1);
  const [order] = first === undefined ? [] : await ordersOfIds(pool, [first.id]);
  const connection = await knownConnection(connections, group.connectionId);
  const written = await writtenSettings(pool, connection.id);
  if (order === undefined || written === null) return null;
  const after = withSettings(connection, checkedSettings(written, editedSettings(written.settings, changesFor(connection, chosen))));
  const view = { ...order, customer: null };
  const report = orderReport({ view, connection: after, deliveries: [], steps: [] });
  // Against the store alone: what is recorded by now is not what would be.
  return { report, sources: orderSources(view, { ...report, record: null, state: 'unconfirmed' }) };
}
