import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { AcceptedDelivery, OrderSummary } from '../delivery/jobs.ts';
import type { OrderDelivery, RecordedOrder } from '../delivery/record-deliveries.ts';
import type { DraftLine, Snapshot } from '../order/facts.ts';
import { requeued } from '../order/newer-facts.ts';
import { otherOrderWords } from '../order/other-order-words.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { forgetBuyersOf, tellDeliveryOf } from './errand-store.ts';
import { FACT_COLUMNS, FACTS_OF_JSON, factColumns, SET_FACT_COLUMNS } from './fact-columns.ts';
import { foldDeliveries, type KnownOrder, type OrderFold } from './fold-deliveries.ts';
import { freeOrderIds } from './free-order-ids.ts';
import { jsonText } from './json-text.ts';
import { erasedUntil, lockOrders } from './lock-orders.ts';
import { keyColumns, keyText, type OrderGroup, orderGroups } from './order-groups.ts';
import { parkingActs } from './parking-acts.ts';
import { ASKED } from './replan.ts';

/** One order of a group. `orderId`: its id in the ledger. */
type FoldOf = OrderFold & { group: OrderGroup; orderId: string };

const insertedRow = z.object({
  ...{ id: z.int(), shopId: z.string(), platform: z.string(), store: z.string(), orderId: z.string() },
  isErased: z.boolean(),
  erasedUntil: z.string().nullable(),
});
const insertedRows = rowsOf('orders', insertedRow);
type Inserted = z.output<typeof insertedRow>;

/** Two would be enough: an order that another transaction made can be locked by the second try. */
const MOST_TRIES = 5;

/**
 * Merges a batch of deliveries into the facts of their orders, in one transaction, the rows locked in key order.
 * Recording a delivery again changes nothing.
 */
export async function recordOrders(pool: Pool, items: readonly OrderDelivery[]): Promise<{ orders: RecordedOrder[]; duplicates: number }> {
  const groups = orderGroups(items);
  for (let tries = 1; ; tries += 1) {
    try {
      return await inTransaction(pool, (tx) => recordGroups(tx, groups, tries > 1));
    } catch (thrown) {
      if (!(thrown instanceof Overtaken) || tries === MOST_TRIES) throw thrown;
    }
  }
}

/** Another transaction made one of our orders first: rolled back, and retried, now that its row can be locked. */
class Overtaken extends Error {}

async function recordGroups(tx: Queryable, groups: readonly OrderGroup[], isRetry: boolean): Promise<{ orders: RecordedOrder[]; duplicates: number }> {
  const known = await lockOrders(tx, groups);
  const folds: FoldOf[] = [];
  for (const group of groups) folds.push(...(await foldGroup(tx, { group, rows: known.get(group.text) ?? [], isRetry })));
  const fresh = folds.filter((fold) => fold.known === undefined);
  const inserted = await insertOrders(tx, fresh);
  if (inserted.size < fresh.length) throw new Overtaken();
  await updateOrders(
    tx,
    folds.filter(({ known: row, fold }) => row !== undefined && fold.changed),
  );
  const withIds = folds.map((fold) => withId(fold, inserted.get(keyOf(fold))));
  await insertDetails(tx, withIds);
  await tellDeliveries(tx, withIds);
  await writeBridgeActs(tx, withIds.flatMap(actsOf));
  const outcomes = folds.flatMap(({ fold }) => [...fold.outcomes.values()]);
  return { orders: withIds.map(toRecorded), duplicates: outcomes.filter((outcome) => outcome === 'duplicate').length };
}

type GroupRows = { group: OrderGroup; rows: readonly KnownOrder[]; isRetry: boolean };

async function foldGroup(tx: Queryable, { group, rows, isRetry }: GroupRows): Promise<FoldOf[]> {
  const folds = foldDeliveries(rows, group.deliveries);
  const fresh = folds.filter(({ known }) => known === undefined);
  // Only an id that was given to the second order of another one can be in the way of a first one: the insert finds out.
  const isPlain = fresh.length === 0 || (rows.length === 0 && fresh.length === 1 && !isRetry);
  const ids = isPlain ? [group.key.orderId] : await freeOrderIds(tx, { key: group.key, known: rows.map(({ id }) => id), count: fresh.length });
  if (ids === null) throw new Overtaken();
  return folds.map((fold) => ({ ...fold, group, orderId: fold.known?.orderId ?? ids[fresh.indexOf(fold)] ?? group.key.orderId }));
}

function keyOf({ group, orderId }: FoldOf): string {
  return keyText({ ...group.key, orderId });
}

function orderColumns({ group, known, isAnew, orderId, deliveries, fold }: FoldOf) {
  const { customer: _apart, ...facts } = fold.facts;
  const last = deliveries.at(-1) as OrderDelivery;
  return {
    ...keyColumns({ ...group.key, orderId }),
    platform_id: orderId === group.key.orderId ? null : group.key.orderId,
    id: known?.id ?? null,
    connection_id: last.delivery.connectionId,
    ...factColumns(facts),
    revision: fold.revision,
    raised: fold.raised,
    anew: isAnew,
    backfilled: deliveries.some(({ delivery }) => delivery.takenIn === true),
    ...(known === undefined ? {} : requeued(known, fold.raised)),
    dirty_since: fold.dirtySince,
    due_at: fold.dirtySince === null ? null : new Date(dueAt({ deliveries, fold })).toISOString(),
  };
}

/** Of a new order whose id another one has: it is parked until a person has said whether it is the same. */
function insertColumns(of: FoldOf) {
  const { group, first, fold } = of;
  const columns = orderColumns(of);
  if (first === null) return { ...columns, state: 'queued', asked_revision: 0, parked_code: null, parked_detail: null };
  const detail = otherOrderWords({ orderId: group.key.orderId, id: first.id, snapshot: first.facts.snapshot }, fold.facts.snapshot);
  return { ...columns, state: 'parked', asked_revision: fold.revision, parked_code: 'order.other', parked_detail: detail, dirty_since: null };
}

async function insertOrders(tx: Queryable, folds: readonly FoldOf[]): Promise<Map<string, Inserted>> {
  if (folds.length === 0) return new Map();
  const rows = await readRows(tx, insertedRows, {
    name: 'record-insert',
    text: `with x as (select * from jsonb_to_recordset($1) as x(shop_id uuid, platform text, store text, order_id text, platform_id text, connection_id text, ${FACTS_OF_JSON},
        revision int, state text, asked_revision int, parked_code text, parked_detail text, dirty_since timestamptz, due_at timestamptz, backfilled boolean)),
      made as (insert into orders (shop_id, platform, store, order_id, platform_id, connection_id, ${FACT_COLUMNS}, revision, state, ${ASKED}, parked_code, parked_detail, dirty_since, due_at, backfilled)
        select shop_id, platform, store, order_id, platform_id, connection_id, ${FACT_COLUMNS}, revision, state, asked_revision, parked_code, parked_detail, dirty_since, due_at, backfilled from x
        on conflict (shop_id, platform, store, order_id) do nothing returning id, shop_id, platform, store, order_id, platform_id),
      f as (insert into order_facts (order_ref, facts) select made.id, x.facts from made join x using (order_id, shop_id, platform, store))
      select id, shop_id as "shopId", platform, store, order_id as "orderId",
        exists (select from tombstones t where t.shop_id = made.shop_id and t.platform = made.platform and t.store = made.store
          and t.platform_id = coalesce(made.platform_id, made.order_id)) as "isErased", (${erasedUntil('made')}) as "erasedUntil" from made`,
    values: [jsonText(folds.map(insertColumns))],
  });
  return new Map(rows.map((row) => [keyText(row), row]));
}

async function updateOrders(tx: Queryable, folds: readonly FoldOf[]): Promise<void> {
  if (folds.length === 0) return;
  await tx.query({
    name: 'record-update',
    text: `with x as (select * from jsonb_to_recordset($1) as x(id bigint, connection_id text, ${FACTS_OF_JSON}, revision int, raised boolean, queued boolean, unparked boolean,
        asked boolean, anew boolean, dirty_since timestamptz, due_at timestamptz, backfilled boolean)),
      f as (update order_facts f set facts = x.facts from x where f.order_ref = x.id)
      update orders o set ${SET_FACT_COLUMNS}, revision = x.revision, connection_id = x.connection_id, updated_at = now(),
        created_at = case when x.anew then now() else o.created_at end, backfilled = o.backfilled or x.backfilled,
        state = case when x.queued then 'queued' else o.state end,
        parked_code = case when x.unparked then null else o.parked_code end, parked_detail = case when x.unparked then null else o.parked_detail end,
        ${ASKED} = case when x.asked then x.revision else o.${ASKED} end,
        dirty_since = x.dirty_since, due_at = case when x.raised then x.due_at else o.due_at end,
        attempts = case when x.raised then 0 else o.attempts end
      from x where o.id = x.id`,
    values: [jsonText(folds.map(orderColumns))],
  });
}

/** `isErased`: a tombstone asks for its buyer to be erased, who was not yet. */
type WithId = FoldOf & { id: number; isErased: boolean };

function withId(fold: FoldOf, inserted: Inserted | undefined): WithId {
  const { id = 0, erasedUntil = null } = fold.known ?? inserted ?? {};
  const isBefore = erasedUntil !== null && fold.deliveries.some(({ delivery }) => delivery.arrivedAt <= erasedUntil);
  return { ...fold, id, isErased: inserted?.isErased === true || (isBefore && fold.fold.facts.customer.kind !== 'erased') };
}

/** Of a record that is there; one that is made later tells it by itself. */
async function tellDeliveries(tx: Queryable, folds: readonly WithId[]): Promise<void> {
  const told = folds.flatMap(({ id, known, fold }) => {
    const { deliveredAt } = fold.facts.snapshot ?? {};
    return known !== undefined && deliveredAt !== undefined && deliveredAt !== known.facts.snapshot?.deliveredAt ? [id] : [];
  });
  if (told.length > 0) await tx.query(tellDeliveryOf('select unnest($1::bigint[])'), [told]);
}

function customerColumns({ fold, id, isErased }: WithId) {
  if (isErased) return [{ order_ref: id, erased: true }];
  return fold.facts.customer.kind === 'known' ? [{ order_ref: id, data: fold.facts.customer.customer, erased: false }] : [];
}

// Of an order that begins anew: the former buyer, and that he was too old.
const FORGET_FORMER = 'update customers set data = null, erased_at = case when by_age then null else erased_at end, by_age = false where order_ref = any($1)';

async function insertDetails(tx: Queryable, folds: readonly WithId[]): Promise<void> {
  const forgotten = folds.flatMap(({ isAnew, id }) => (isAnew ? [id] : []));
  if (forgotten.length > 0) await tx.query(FORGET_FORMER, [forgotten]);
  const customers = folds.flatMap(customerColumns);
  const deliveries = folds.flatMap(({ deliveries: items, fold, id, isErased }) =>
    items.map(({ delivery }) => ({
      ...deliveryColumns(delivery),
      ...(isErased ? { body: null } : {}),
      order_ref: id,
      outcome: fold.outcomes.get(delivery.id),
    })),
  );
  await tx.query({
    name: 'record-details',
    text: `with c as (insert into customers (order_ref, data, erased_at) select order_ref, data, case when erased then now() end
        from jsonb_to_recordset($1) as x(order_ref bigint, data jsonb, erased boolean)
        on conflict (order_ref) do update set data = excluded.data, erased_at = excluded.erased_at
          where customers.erased_at is null and (customers.data is distinct from excluded.data or excluded.erased_at is not null)
        returning order_ref, erased_at),
        e as (${forgetBuyersOf('select order_ref from c where erased_at is not null')})
      insert into deliveries (id, connection_id, order_ref, topic, platform_delivery_id, store, arrived_at, outcome, body)
      select id, connection_id, x.order_ref, topic, platform_delivery_id, store, arrived_at, outcome, case when b.erased_at is null then decode(body, 'base64') end
      from jsonb_to_recordset($2) as x(id uuid, connection_id text, order_ref bigint, topic text, platform_delivery_id text, store text, arrived_at timestamptz,
        outcome text, body text)
        left join customers b on b.order_ref = x.order_ref
      on conflict (id) do nothing`,
    values: [jsonText(customers), jsonText(deliveries)],
  });
}

/** A delivery's columns, without its outcome. */
export function deliveryColumns(delivery: AcceptedDelivery) {
  const { id, connectionId, topic, platformDeliveryId, store, arrivedAt, body } = delivery;
  return { id, connection_id: connectionId, topic, platform_delivery_id: platformDeliveryId, store, arrived_at: arrivedAt, body };
}

function dueAt({ deliveries, fold }: Pick<FoldOf, 'deliveries' | 'fold'>): number {
  const settleMs = Math.min(...deliveries.map(({ settleSeconds }) => settleSeconds)) * 1000;
  return fold.dirtySince === null ? 0 : Date.parse(fold.dirtySince) + settleMs;
}

function toRecorded({ deliveries, fold, id }: WithId): RecordedOrder {
  const { connectionId } = (deliveries.at(-1) as OrderDelivery).delivery;
  return { id, connectionId, revision: fold.revision, raised: fold.raised, dueAt: dueAt({ deliveries, fold }), summary: dashboardSummary(fold.facts) };
}

/** Newer facts answer what a person was asked; and of an order under the id of another one a person is asked. */
function actsOf(of: WithId): ReturnType<typeof parkingActs> {
  const { known, fold, first, id, deliveries } = of;
  const { connectionId } = (deliveries.at(-1) as OrderDelivery).delivery;
  if (known === undefined) {
    return first === null ? [] : parkingActs({ id, connectionId }, null, { state: 'parked', code: 'order.other', detail: insertColumns(of).parked_detail });
  }
  const { queued } = requeued(known, fold.raised);
  return queued ? parkingActs({ id, connectionId }, { state: known.state, code: known.parkedCode }, { state: 'queued', code: null }) : [];
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
