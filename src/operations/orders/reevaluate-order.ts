import { type Connection, termsOf } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { KeptOrder } from '../../bridge/ledger/orders/read-orders.ts';
import { reevaluateOrders } from '../../bridge/ledger/review/release-from-review.ts';
import { frozenBy } from '../../bridge/order/decisions/desired.ts';
import { isContentKnown, wantedOf } from '../../bridge/order/decisions/wanted.ts';
import { noFacts } from '../../bridge/order/facts/facts.ts';
import type { Frozen } from '../../bridge/order/facts/settings.ts';
import { sameContent } from '../../bridge/order/money/same-content.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { documentOf } from '../service/recorded-orders.ts';
import { namedOrder } from './named-order.ts';
import { changedMeanwhile } from './resolve-order.ts';

type Deps = { pool: Pool; notify: Notify; connections: FindConnection };

/**
 * Records an order anew by today's settings, where it was recorded with wrong ones: its record is deleted, and another one made. Recorded orders keep
 * the mapping of their first record otherwise. Only while its month is open.
 */
export async function reevaluateOrder(deps: Deps, { named, by, why }: { named: string; by: Actor; why: string }): Promise<{ id: number }> {
  const order = await namedOrder(deps, named);
  const { id, complianceId, revision } = order;
  const mapping = mappingAnew(order, await knownConnection(deps.connections, order.connectionId));
  if (complianceId === null || mapping === null) {
    throw new Refusal('conflict', {
      en: `by today's settings nothing else would be recorded of the order ${named}`,
      bg: `по днешните настройки за поръчка ${named} би се записало същото`,
      advice: '`orderbridge settings` changes them; `orderbridge order` shows what is recorded',
    });
  }
  const document = await documentOf(deps, complianceId);
  if (document !== null && !isOpen(document)) {
    const month = document.month?.month;
    throw new Refusal('conflict', {
      en: `the file of ${month ?? 'its month'} is made already: what is listed there is corrected by a refund, not replaced`,
      bg: `файлът за ${month ?? 'месеца ѝ'} вече е създаден: описаното в него се коригира с връщане, не се заменя`,
    });
  }
  const notified = await reevaluateOrders(deps.pool, [{ id, complianceId, revision, mapping }], { by, why });
  if (notified.length === 0) throw changedMeanwhile(named);
  deps.notify(notified);
  return { id };
}

export function isOpen({ month }: { month: { state: string } | null }): boolean {
  return month === null || month.state === 'open';
}

/** The mapping by which today's settings would record something else than stands; null: they would not, or the order is not recorded and at rest. */
export function mappingAnew({ orderId, state, facts, record, openStep, resolution }: KeptOrder, connection: Connection): Frozen | null {
  if (state !== 'recorded' || record === null || openStep !== null || resolution !== null || !isContentKnown(record)) return null;
  const terms = termsOf(connection, storefrontOf(storefronts, connection.platform));
  const known = { ...facts, customer: noFacts.customer };
  // Once recorded, it counts whenever it was paid.
  const wanted = wantedOf({ key: { orderId }, facts: known, mapping: null, current: null, previous: null, backfilled: true }, terms);
  if (wanted.kind !== 'record' || sameContent(wanted.record, record)) return null;
  return frozenBy(wanted.record, known, terms.settings.paidStatuses);
}
