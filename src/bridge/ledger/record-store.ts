import { z } from 'zod';
import { customer } from '../../contract/record.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { AcceptedDelivery, OrderSummary } from '../delivery/jobs.ts';
import type { OrderDelivery, RecordedOrder } from '../delivery/record-deliveries.ts';
import type { DraftLine, Snapshot } from '../order/facts.ts';
import { requeued } from '../order/newer-facts.ts';
import type { OrderKey } from '../order/order-key.ts';
import { type Folded, foldDeliveries, type KnownOrder } from './fold-deliveries.ts';
import { jsonText, storable } from './json-text.ts';
import { ASKED } from './replan.ts';
import { storedFacts } from './stored-facts.ts';
import { orderState, storedCode } from './stored-order.ts';

type Group = { key: OrderKey; text: string; deliveries: OrderDelivery[] };

const keyRow = z.object({ id: z.int(), shop_id: z.string(), platform: z.string(), store: z.string(), order_id: z.string() });
const knownRow = keyRow.extend({
  facts: storedFacts,
  revision: z.int(),
  atRest: z.boolean(),
  state: orderState,
  parkedCode: storedCode.nullable(),
  dirty_since: z.string().nullable(),
  customer_data: customer.nullable(),
  erased_at: z.string().nullable(),
});
const insertedRows = rowsOf('orders', keyRow);
const knownRows = rowsOf('orders', knownRow);

/** Two would be enough: an order that another transaction made can be locked by the second try. */
const MOST_TRIES = 5;

/**
 * Merges a batch of deliveries into the facts of their orders, in one transaction, the rows locked in key order.
 * Recording a delivery again changes nothing.
 */
export async function recordOrders(pool: Pool, items: readonly OrderDelivery[]): Promise<{ orders: RecordedOrder[]; duplicates: number }> {
  const groups = grouped(items);
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, (tx) => recordGroups(tx, groups));
    } catch (thrown) {
      if (!(thrown instanceof Overtaken) || tries === MOST_TRIES) throw thrown;
    }
  }
}

/** Another transaction made one of our orders first: rolled back, and retried, now that its row can be locked. */
class Overtaken extends Error {}

async function recordGroups(tx: Queryable, groups: readonly Group[]): Promise<{ orders: RecordedOrder[]; duplicates: number }> {
  const known = await lockKnown(tx, groups);
  const folds = groups.map((group) => ({ group, known: known.get(group.text), fold: foldDeliveries(known.get(group.text), group.deliveries) }));
  const fresh = folds.filter((fold) => fold.known === undefined);
  const inserted = await insertOrders(tx, fresh);
  if (inserted.size < fresh.length) throw new Overtaken();
  await updateOrders(
    tx,
    folds.filter(({ known: row, fold }) => row !== undefined && fold.changed),
  );
  const withIds = folds.map(({ group, known: row, fold }) => ({ group, fold, id: row?.id ?? inserted.get(group.text) ?? 0 }));
  await insertDetails(tx, withIds);
  const outcomes = folds.flatMap(({ fold }) => [...fold.outcomes.values()]);
  return { orders: withIds.map(toRecorded), duplicates: outcomes.filter((outcome) => outcome === 'duplicate').length };
}

function grouped(items: readonly OrderDelivery[]): Group[] {
  const groups = Map.groupBy(items, ({ key }) => keyText(key));
  return [...groups]
    .map(([text, deliveries]) => ({ text, deliveries, key: storableKey((deliveries[0] as OrderDelivery).key) }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

function storableKey({ shopId, platform, store, orderId }: OrderKey): OrderKey {
  return { shopId: shopId.toLowerCase(), platform, store: storable(store), orderId: storable(orderId) };
}

function keyText(key: OrderKey): string {
  const { shopId, platform, store, orderId } = storableKey(key);
  return JSON.stringify([shopId, platform, store, orderId]);
}

async function lockKnown(tx: Queryable, groups: readonly Group[]): Promise<Map<string, KnownOrder>> {
  const rows = await readRows(tx, knownRows, {
    name: 'record-lock',
    text: `select o.id, o.shop_id, o.platform, o.store, o.order_id, o.facts, o.revision, greatest(o.recorded_revision, o.${ASKED}) >= o.revision as "atRest",
        o.dirty_since, o.state, o.parked_code as "parkedCode", c.data as customer_data, c.erased_at
      from jsonb_to_recordset($1) as k(shop_id uuid, platform text, store text, order_id text)
      join orders o using (shop_id, platform, store, order_id) left join customers c on c.order_ref = o.id
      order by o.shop_id, o.platform, o.store, o.order_id for update of o`,
    values: [jsonText(groups.map(({ key }) => keyColumns(key)))],
  });
  return new Map(rows.map((row) => [keyOf(row), withCustomer(row)]));
}

function keyOf({ shop_id: shopId, platform, store, order_id: orderId }: z.output<typeof keyRow>): string {
  return keyText({ shopId, platform, store, orderId });
}

function withCustomer(row: z.output<typeof knownRow>): KnownOrder {
  if (row.erased_at !== null) return { ...row, customer: { kind: 'erased' } };
  return { ...row, customer: row.customer_data === null ? { kind: 'none' } : { kind: 'known', customer: row.customer_data } };
}

function keyColumns({ shopId, platform, store, orderId }: OrderKey) {
  return { shop_id: shopId, platform, store, order_id: orderId };
}

type FoldOf = { group: Group; known: KnownOrder | undefined; fold: Folded };

function orderColumns({ group, known, fold }: FoldOf) {
  const { customer: _apart, ...facts } = fold.facts;
  const last = group.deliveries.at(-1) as OrderDelivery;
  return {
    ...keyColumns(group.key),
    id: known?.id ?? null,
    connection_id: last.delivery.connectionId,
    number: facts.snapshot?.number ?? null,
    facts,
    revision: fold.revision,
    raised: fold.raised,
    ...(known === undefined ? {} : requeued(known, fold.raised)),
    dirty_since: fold.dirtySince,
    due_at: fold.dirtySince === null ? null : new Date(dueAt({ group, fold })).toISOString(),
  };
}

async function insertOrders(tx: Queryable, folds: readonly FoldOf[]): Promise<Map<string, number>> {
  if (folds.length === 0) return new Map();
  const rows = await readRows(tx, insertedRows, {
    name: 'record-insert',
    text: `insert into orders (shop_id, platform, store, order_id, connection_id, number, facts, revision, state, dirty_since, due_at)
      select shop_id, platform, store, order_id, connection_id, number, facts, revision, 'queued', dirty_since, due_at
      from jsonb_to_recordset($1) as x(shop_id uuid, platform text, store text, order_id text, connection_id text, number text, facts jsonb, revision int,
        dirty_since timestamptz, due_at timestamptz)
      on conflict (shop_id, platform, store, order_id) do nothing returning id, shop_id, platform, store, order_id`,
    values: [jsonText(folds.map(orderColumns))],
  });
  return new Map(rows.map((row) => [keyOf(row), row.id]));
}

async function updateOrders(tx: Queryable, folds: readonly FoldOf[]): Promise<void> {
  if (folds.length === 0) return;
  await tx.query({
    name: 'record-update',
    text: `update orders o set facts = x.facts, number = x.number, revision = x.revision, connection_id = x.connection_id, updated_at = now(),
        state = case when x.queued then 'queued' else o.state end,
        parked_code = case when x.unparked then null else o.parked_code end, parked_detail = case when x.unparked then null else o.parked_detail end,
        ${ASKED} = case when x.asked then x.revision else o.${ASKED} end,
        dirty_since = x.dirty_since, due_at = case when x.raised then x.due_at else o.due_at end,
        attempts = case when x.raised then 0 else o.attempts end
      from jsonb_to_recordset($1) as x(id bigint, connection_id text, number text, facts jsonb, revision int, raised boolean, queued boolean, unparked boolean,
        asked boolean, dirty_since timestamptz, due_at timestamptz)
      where o.id = x.id`,
    values: [jsonText(folds.map(orderColumns))],
  });
}

async function insertDetails(tx: Queryable, folds: readonly { group: Group; fold: Folded; id: number }[]): Promise<void> {
  const customers = folds.flatMap(({ fold, id }) => (fold.facts.customer.kind === 'known' ? [{ order_ref: id, data: fold.facts.customer.customer }] : []));
  const deliveries = folds.flatMap(({ group, fold, id }) =>
    group.deliveries.map(({ delivery }) => ({ ...deliveryColumns(delivery), order_ref: id, outcome: fold.outcomes.get(delivery.id) })),
  );
  await tx.query({
    name: 'record-details',
    text: `with c as (insert into customers (order_ref, data) select order_ref, data from jsonb_to_recordset($1) as x(order_ref bigint, data jsonb)
        on conflict (order_ref) do update set data = excluded.data where customers.erased_at is null and customers.data is distinct from excluded.data)
      insert into deliveries (id, connection_id, order_ref, topic, platform_delivery_id, store, arrived_at, outcome, body)
      select id, connection_id, order_ref, topic, platform_delivery_id, store, arrived_at, outcome, decode(body, 'base64')
      from jsonb_to_recordset($2) as x(id uuid, connection_id text, order_ref bigint, topic text, platform_delivery_id text, store text, arrived_at timestamptz,
        outcome text, body text)
      on conflict (id) do nothing`,
    values: [jsonText(customers), jsonText(deliveries)],
  });
}

/** A delivery's columns, without its outcome. */
export function deliveryColumns(delivery: AcceptedDelivery) {
  const { id, connectionId, topic, platformDeliveryId, store, arrivedAt, body } = delivery;
  return { id, connection_id: connectionId, topic, platform_delivery_id: platformDeliveryId, store, arrived_at: arrivedAt, body };
}

function dueAt({ group, fold }: { group: Group; fold: Folded }): number {
  const settleMs = Math.min(...group.deliveries.map(({ settleSeconds }) => settleSeconds)) * 1000;
  return fold.dirtySince === null ? 0 : Date.parse(fold.dirtySince) + settleMs;
}

function toRecorded({ group, fold, id }: { group: Group; fold: Folded; id: number }): RecordedOrder {
  return { id, revision: fold.revision, raised: fold.raised, dueAt: dueAt({ group, fold }), summary: dashboardSummary(fold.facts) };
}

type Summarized = Pick<Snapshot, 'number' | 'total' | 'currency'> & { lines: Pick<DraftLine, 'quantity' | 'name'>[] };

/** What a person may see of an order on the queue dashboard. */
export function dashboardSummary({ snapshot }: { snapshot: Summarized | null }): OrderSummary {
  if (snapshot === null) return { number: null, total: null, currency: null, lines: [] };
  return {
    number: snapshot.number,
    total: snapshot.total,
    currency: snapshot.currency,
    lines: snapshot.lines.map(({ quantity, name }) => `${quantity} × ${name}`),
  };
}
