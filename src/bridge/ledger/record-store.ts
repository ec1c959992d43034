import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import type { AcceptedDelivery } from '../delivery/jobs.ts';
import type { FirstAttemptOptions, OrderDelivery, Recorded, RecordedOrder } from '../delivery/record-deliveries.ts';
import type { CustomerFact } from '../order/facts.ts';
import { requeued } from '../order/newer-facts.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { claimedOf, dueAt, type FirstSteps, type FoldOf, firstSteps } from './first-steps.ts';
import { foldDeliveries, type KnownOrder } from './fold-deliveries.ts';
import { freeOrderIds } from './free-order-ids.ts';
import { jsonText } from './json-text.ts';
import { type Done, inKnownTransaction } from './known-commit.ts';
import { lockOrders } from './lock-orders.ts';
import { type OrderGroup, orderGroups } from './order-groups.ts';
import { forgetBuyersOf, reportDeliveryOf } from './outbox-job-store.ts';
import { type Inserted, insertColumns, insertOrders, keyOf, updateOrders } from './record-rows.ts';
import { reviewActs } from './review-acts.ts';
import { type BuyerChange, keepSentBuyers, type Sealing } from './sent-with.ts';

/** Two would be enough: an order that another transaction made can be locked by the second try. */
const MOST_TRIES = 5;

/** `sealing`: by which buyers are kept that open creates were sent with. */
export type RecordOptions = { firstAttempts?: FirstAttemptOptions | null; sealing?: Sealing };

/**
 * Merges a batch of deliveries into the facts of their orders, in one transaction, the rows locked in key order.
 * Recording a delivery again changes nothing. With `attempts`, new orders that are due are claimed, and their first steps journaled, in the same transaction.
 */
export async function recordOrders(
  pool: Pool,
  items: readonly OrderDelivery[],
  { firstAttempts = null, sealing = null }: RecordOptions = {},
): Promise<Recorded> {
  const groups = orderGroups(items);
  for (let tries = 1; ; tries += 1) {
    try {
      const record = (tx: Queryable) => recordGroups(tx, groups, { isRetry: tries > 1, firstAttempts, sealing });
      return await (firstAttempts === null
        ? inTransaction(pool, async (tx) => (await record(tx)).result)
        : inKnownTransaction(pool, record, firstAttempts.leaseMs));
    } catch (thrown) {
      if (!(thrown instanceof Overtaken) || tries === MOST_TRIES) throw thrown;
    }
  }
}

/** Another transaction made one of our orders first: rolled back, and retried, now that its row can be locked. */
class Overtaken extends Error {}

type Way = Required<RecordOptions> & { isRetry: boolean };

async function recordGroups(tx: Queryable, groups: readonly OrderGroup[], { isRetry, firstAttempts, sealing }: Way): Promise<Done<Recorded>> {
  const known = await lockOrders(tx, groups);
  const folds: FoldOf[] = [];
  for (const group of groups) folds.push(...(await foldGroup(tx, { group, rows: known.get(group.text) ?? [], isRetry })));
  const fresh = folds.filter((fold) => fold.known === undefined);
  const first = await firstSteps(fresh, firstAttempts);
  const inserted = await insertOrders(tx, fresh, { first, leaseMs: firstAttempts?.leaseMs ?? 0 });
  if (inserted.size < fresh.length) throw new Overtaken();
  await updateOrders(
    tx,
    folds.filter(({ known: row, fold }) => row !== undefined && fold.changed),
  );
  const withIds = folds.map((fold) => withId(fold, inserted.get(keyOf(fold))));
  await keepSentBuyers(tx, sealing, withIds.flatMap(buyerChange));
  await insertDetails(tx, withIds);
  await reportDeliveries(tx, withIds);
  await writeBridgeActs(tx, withIds.flatMap(actsOf));
  const outcomes = folds.flatMap(({ fold }) => [...fold.outcomes.values()]);
  const result = { orders: withIds.map((of) => toRecorded(of, first)), duplicates: outcomes.filter((outcome) => outcome === 'duplicate').length };
  const begun = [...inserted.values()].find((one) => one.begun);
  return { result, xid: begun?.xid ?? null };
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

/** `isErased`: a tombstone asks for its buyer to be erased, who was not yet. `begins`: it was made with its first step, which is that of this fold. */
type WithId = FoldOf & { id: number; isErased: boolean; begins: FoldOf | null };

function withId(fold: FoldOf, inserted: Inserted | undefined): WithId {
  const { id = 0, erasedUntil = null } = fold.known ?? inserted ?? {};
  const isBefore = erasedUntil !== null && fold.deliveries.some(({ delivery }) => delivery.arrivedAt <= erasedUntil);
  const begins = inserted?.begun === true ? fold : null;
  return { ...fold, id, begins, isErased: inserted?.isErased === true || (isBefore && fold.fold.facts.customer.kind !== 'erased') };
}

/** Of a record that is there; one that is made later tells it by itself. */
async function reportDeliveries(tx: Queryable, folds: readonly WithId[]): Promise<void> {
  const told = folds.flatMap(({ id, known, fold }) => {
    const { deliveredAt } = fold.facts.snapshot ?? {};
    return known !== undefined && deliveredAt !== undefined && deliveredAt !== known.facts.snapshot?.deliveredAt ? [id] : [];
  });
  if (told.length > 0) await tx.query(reportDeliveryOf('select unnest($1::bigint[])'), [told]);
}

function buyerChange({ known, id, fold, isErased }: WithId): BuyerChange[] {
  const after: CustomerFact = isErased ? { kind: 'erased' } : fold.facts.customer;
  return known?.isCreateOpen !== true || after.kind === 'none' ? [] : [{ id, before: known.customer, after }];
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

function toRecorded({ deliveries, fold, id, isErased, begins }: WithId, first: FirstSteps): RecordedOrder {
  const { connectionId } = (deliveries.at(-1) as OrderDelivery).delivery;
  const begun = begins === null ? undefined : first.get(begins);
  return {
    id,
    connectionId,
    revision: fold.revision,
    raised: fold.raised,
    dueAt: dueAt({ deliveries, fold }),
    claimed: begun === undefined ? null : claimedOf(begun, { id, isErased }),
  };
}

/** Newer facts answer what a person was asked; and of an order under the id of another one a person is asked. */
function actsOf(of: WithId): ReturnType<typeof reviewActs> {
  const { known, fold, first, id, deliveries } = of;
  const { connectionId } = (deliveries.at(-1) as OrderDelivery).delivery;
  if (known === undefined) {
    return first === null ? [] : reviewActs({ id, connectionId }, null, { state: 'review', code: 'order.other', detail: insertColumns(of).review_detail });
  }
  const { queued } = requeued(known, fold.raised);
  return queued ? reviewActs({ id, connectionId }, { state: known.state, code: known.reviewCode }, { state: 'queued', code: null }) : [];
}
