import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { MAY_RECORD } from '../../../platform/postgres/database-place.ts';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readOne, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { AcceptedDelivery } from '../../delivery/jobs.ts';
import type { FirstAttemptOptions, OrderDelivery, Recorded, RecordedOrder } from '../../delivery/record-deliveries.ts';
import { sealedBody } from '../../delivery/sealed-delivery.ts';
import { requeued } from '../../order/decisions/transition.ts';
import { canonicalText } from '../../order/facts/canonical-text.ts';
import type { CustomerFact } from '../../order/facts/facts.ts';
import { otherOrderWords } from '../../order/facts/same-order.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { sealedBuyer } from '../buyers.ts';
import { jsonText } from '../json-columns.ts';
import { FACT_COLUMNS, FACTS_OF_JSON, factColumns, REVIEW_REVISION, SET_FACT_COLUMNS } from '../order-columns.ts';
import { forgetBuyersOf, reportDeliveryOf } from '../outbox-job-store.ts';
import {
  claimedOf,
  dueAt,
  type FirstSteps,
  type FoldOf,
  firstSteps,
  foldDeliveries,
  freeOrderIds,
  type KnownOrder,
  keyColumns,
  keyText,
  type OrderGroup,
  orderGroups,
  stepOfNew,
} from './fold-deliveries.ts';
import { erasedUntil, lockOrders } from './lock-orders.ts';
import { reviewActs } from './review-acts.ts';
import { type BuyerChange, keepSentBuyers } from './sent-with.ts';

/** SQL of the id of the transaction, which has one as soon as it has written something. */
export const XID = 'pg_current_xact_id()::text';

/** `xid`: null if nothing was written that matters. */
type Done<T> = { result: T; xid: string | null };

const MOST_MS = 2_000;
const LOOK_MS = 50;

const statusRow = rowsOf('transactions', z.object({ status: z.string().nullable() }));

/**
 * As `inTransaction`, for claims with their first steps. A connection that breaks at the commit leaves open whether the claims were written; the server knows,
 * and says so on another one. Anyone who never heard of their claims could not send their steps, and these would look like creates whose replies were lost.
 */
export async function inKnownTransaction<T>(pool: Pool, work: (tx: Queryable) => Promise<Done<T>>, leaseMs: number): Promise<T> {
  const at: { end: Done<T> | null; done: number } = { end: null, done: 0 };
  try {
    return await inTransaction(pool, async (tx) => {
      at.end = await work(tx);
      at.done = performance.now();
      return at.end.result;
    });
  } catch (thrown) {
    const { end, done } = at;
    // After half of the lease another worker may soon have the orders.
    const until = done + Math.min(MOST_MS, leaseMs / 2);
    if (end !== null && end.xid !== null && (await wasCommitted(pool, end.xid, until))) return end.result;
    throw thrown;
  }
}

/** False also if it could not be found out in time; `until` of `performance.now()`. */
async function wasCommitted(pool: Pool, xid: string, until: number): Promise<boolean> {
  while (performance.now() < until) {
    const status = await statusOf(pool, xid).catch(() => 'unknown');
    if (performance.now() >= until) return false;
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    await sleep(LOOK_MS);
  }
  return false;
}

async function statusOf(pool: Pool, xid: string): Promise<string | null> {
  return (await readOne(pool, statusRow, { text: 'select pg_xact_status($1::xid8) as status', values: [xid] })).status;
}

/** Two would be enough: an order that another transaction made can be locked by the second try. */
const MOST_TRIES = 5;

type RecordOptions = { firstAttempts?: FirstAttemptOptions | null };

/**
 * Merges a batch of deliveries into the facts of their orders, in one transaction, the rows locked in key order.
 * Recording a delivery again changes nothing. With `attempts`, new orders that are due are claimed, and their first steps journaled, in the same transaction.
 */
export async function recordOrders(pool: Pool, items: readonly OrderDelivery[], { firstAttempts = null }: RecordOptions = {}): Promise<Recorded> {
  const groups = orderGroups(items);
  for (let tries = 1; ; tries += 1) {
    try {
      const record = (tx: Queryable) => recordGroups(tx, groups, { isRetry: tries > 1, firstAttempts });
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

type RecordAttempt = Required<RecordOptions> & { isRetry: boolean };

async function recordGroups(tx: Queryable, groups: readonly OrderGroup[], { isRetry, firstAttempts }: RecordAttempt): Promise<Done<Recorded>> {
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
  await keepSentBuyers(tx, withIds.flatMap(buyerChange));
  await insertDetails(tx, withIds);
  await reportDeliveries(tx, withIds);
  await writeBridgeActs(tx, withIds.flatMap(actsOf));
  const outcomes = folds.flatMap(({ fold }) => [...fold.outcomes.values()]);
  const result = { orders: withIds.map((of) => toRecorded(of, first)), duplicates: outcomes.filter((outcome) => outcome === 'duplicate').length };
  const begun = [...inserted.values()].find((one) => one.begun);
  return { result, xid: begun?.xid ?? null };
}

async function foldGroup(tx: Queryable, { group, rows, isRetry }: { group: OrderGroup; rows: readonly KnownOrder[]; isRetry: boolean }): Promise<FoldOf[]> {
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
  const delivered = folds.flatMap(({ id, known, fold }) => {
    const { deliveredAt } = fold.facts.snapshot ?? {};
    return known !== undefined && deliveredAt !== undefined && deliveredAt !== known.facts.snapshot?.deliveredAt ? [id] : [];
  });
  if (delivered.length > 0) await tx.query(reportDeliveryOf('select unnest($1::bigint[])'), [delivered]);
}

function buyerChange({ known, id, fold, isErased }: WithId): BuyerChange[] {
  const after: CustomerFact = isErased ? { kind: 'erased' } : fold.facts.customer;
  return known?.isCreateOpen !== true || after.kind === 'none' ? [] : [{ id, before: known.customer, after }];
}

function customerColumns(tx: Queryable, { known, fold, id, isErased, isAnew }: WithId) {
  if (isErased) return [{ order_ref: id, erased: true }];
  const { customer } = fold.facts;
  // What is sealed is another text each time: that the buyer is the same is seen before.
  const isSame = known?.customer.kind === 'known' && !isAnew && canonicalText(known.customer) === canonicalText(customer);
  if (customer.kind !== 'known' || isSame) return [];
  return [{ order_ref: id, data: sealedBuyer(tx, id, customer.customer), erased: false }];
}

// Of an order that begins anew: the former buyer, and that they were too old.
const FORGET_FORMER = 'update customers set data = null, erased_at = case when by_age then null else erased_at end, by_age = false where order_ref = any($1)';

async function insertDetails(tx: Queryable, folds: readonly WithId[]): Promise<void> {
  const forgotten = folds.flatMap(({ isAnew, id }) => (isAnew ? [id] : []));
  if (forgotten.length > 0) await tx.query(FORGET_FORMER, [forgotten]);
  const each = folds.flatMap(({ deliveries: items, fold, id, isErased }) =>
    items.map(({ delivery }) => ({
      ...deliveryColumns(tx, isErased || delivery.cut === true ? { ...delivery, body: null } : delivery),
      order_ref: id,
      outcome: fold.outcomes.get(delivery.id),
    })),
  );
  // One may be about several orders, as a refund.
  const deliveries = [...Map.groupBy(each, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
  await tx.query({
    name: 'record-details',
    text: `with c as (insert into customers (order_ref, data, erased_at) select order_ref, decode(data, 'base64'), case when erased then now() end
        from jsonb_to_recordset($1) as x(order_ref bigint, data text, erased boolean)
        on conflict (order_ref) do update set data = excluded.data, erased_at = excluded.erased_at where customers.erased_at is null),
        d as (insert into deliveries (id, connection_id, order_ref, topic, platform_delivery_id, store, arrived_at, answer_ms, cut, outcome)
          select id, connection_id, order_ref, topic, platform_delivery_id, store, arrived_at, answer_ms, cut, outcome
          from jsonb_to_recordset($2) as x(${DELIVERY_OF_JSON}, order_ref bigint, outcome text)
          on conflict (id) do nothing returning id, kept_at)
      insert into bodies (delivery_id, kept_at, headers, body)
      select d.id, d.kept_at, x.headers, decode(x.body, 'base64')
      from jsonb_to_recordset($3) as x(id uuid, order_ref bigint, headers jsonb, body text) join d on d.id = x.id left join customers b on b.order_ref = x.order_ref
      where b.erased_at is null`,
    values: [
      JSON.stringify(folds.flatMap((of) => customerColumns(tx, of))),
      jsonText(deliveries.map(({ headers: _apart, body: _too, ...row }) => row)),
      jsonText(deliveries.flatMap(bodyColumns)),
    ],
  });
  const erased = folds.flatMap(({ isErased, id }) => (isErased ? [id] : []));
  if (erased.length > 0) await tx.query(forgetBuyersOf('select unnest($1::bigint[]) as order_ref'), [erased]);
}

export const DELIVERY_OF_JSON =
  'id uuid, connection_id text, topic text, platform_delivery_id text, store text, arrived_at timestamptz, headers jsonb, answer_ms int, cut boolean, body text';

/** A delivery's columns, without its outcome; its body is sealed. */
export function deliveryColumns(db: Queryable, delivery: AcceptedDelivery) {
  const { id, connectionId, topic, platformDeliveryId, store, arrivedAt, headers, answerMs, cut = false } = delivery;
  const body = sealedBody(sealerOf(db), delivery);
  const names = { connection_id: connectionId, platform_delivery_id: platformDeliveryId, arrived_at: arrivedAt, answer_ms: answerMs };
  return { id, topic, store, headers, body, cut, ...names };
}

type BodyColumns = Pick<ReturnType<typeof deliveryColumns>, 'id' | 'headers' | 'body'> & { order_ref: number };

function bodyColumns({ id, order_ref, headers, body }: BodyColumns): BodyColumns[] {
  return body === null ? [] : [{ id, order_ref, headers, body }];
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

const insertedRow = z.object({
  ...{ id: z.int(), shopId: z.string(), platform: z.string(), store: z.string(), orderId: z.string() },
  begun: z.boolean(),
  xid: z.string(),
  isErased: z.boolean(),
  erasedUntil: z.string().nullable(),
});
const insertedRows = rowsOf('orders', insertedRow);
type Inserted = z.output<typeof insertedRow>;

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

/** Of a new order whose id another one has: it needs review until a person has said whether it is the same. */
function insertColumns(of: FoldOf) {
  const { group, first, fold } = of;
  const columns = orderColumns(of);
  if (first === null) return { ...columns, state: 'queued', review_revision: 0, review_code: null, review_detail: null };
  const detail = otherOrderWords({ orderId: group.key.orderId, id: first.id, snapshot: first.facts.snapshot }, fold.facts.snapshot);
  return { ...columns, state: 'review', review_revision: fold.revision, review_code: 'order.other', review_detail: detail, dirty_since: null };
}

type First = { first: FirstSteps; leaseMs: number };

// Anyone who knows the connection as it was before its trial must not send.
const BEGINS = `x.step is not null and ${MAY_RECORD} and not exists (select from connections c where c.id = x.connection_id and c.trial_since is not null) as begins`;

async function insertOrders(tx: Queryable, folds: readonly FoldOf[], { first, leaseMs }: First): Promise<Map<string, Inserted>> {
  if (folds.length === 0) return new Map();
  const rows = await readRows(tx, insertedRows, {
    name: 'record-insert',
    text: `with x as materialized (select *, nextval('orders_id_seq') as id, ${BEGINS} from jsonb_to_recordset($1) as x(shop_id uuid, platform text, store text, order_id text, platform_id text, connection_id text, ${FACTS_OF_JSON},
        revision int, state text, review_revision int, review_code text, review_detail text, dirty_since timestamptz, due_at timestamptz, backfilled boolean,
        step jsonb, step_seq int, kind text, destination uuid, record jsonb, key text)),
      made as (insert into orders (id, shop_id, platform, store, order_id, platform_id, connection_id, ${FACT_COLUMNS}, revision, state, ${REVIEW_REVISION}, review_code, review_detail, dirty_since, due_at, backfilled,
          open_step, step_seq, fence, lease_until) overriding system value
        select id, shop_id, platform, store, order_id, platform_id, connection_id, ${FACT_COLUMNS}, revision, state, review_revision, review_code, review_detail, dirty_since, due_at, backfilled,
          case when begins then step end, case when begins then step_seq else 0 end, case when begins then 1 else 0 end, case when begins then now() + $2 * interval '1 ms' end from x
        on conflict (shop_id, platform, store, order_id) do nothing returning id, shop_id, platform, store, order_id, platform_id, open_step is not null as begun),
      s as (insert into steps (order_ref, seq, kind, revision, destination_id, record, idempotency_key)
        select made.id, x.step_seq, x.kind, x.revision, x.destination, x.record, x.key from made join x using (id) where made.begun),
      f as (insert into order_facts (order_ref, facts) select made.id, x.facts from made join x using (id))
      select id, shop_id as "shopId", platform, store, order_id as "orderId", begun, ${XID} as xid,
        exists (select from tombstones t where t.shop_id = made.shop_id and t.platform = made.platform and t.store = made.store
          and t.platform_id = coalesce(made.platform_id, made.order_id)) as "isErased", (${erasedUntil('made')}) as "erasedUntil" from made`,
    values: [jsonText(folds.map((fold) => ({ ...insertColumns(fold), ...stepOfNew(first.get(fold)) }))), leaseMs],
  });
  return new Map(rows.map((row) => [keyText(row), row]));
}

async function updateOrders(tx: Queryable, folds: readonly FoldOf[]): Promise<void> {
  if (folds.length === 0) return;
  await tx.query({
    name: 'record-update',
    text: `with x as (select * from jsonb_to_recordset($1) as x(id bigint, connection_id text, ${FACTS_OF_JSON}, revision int, raised boolean, queued boolean, cleared boolean,
        asked boolean, anew boolean, dirty_since timestamptz, due_at timestamptz, backfilled boolean)),
      f as (update order_facts f set facts = x.facts from x where f.order_ref = x.id)
      update orders o set ${SET_FACT_COLUMNS}, revision = x.revision, connection_id = x.connection_id, updated_at = now(),
        created_at = case when x.anew then now() else o.created_at end, backfilled = o.backfilled or x.backfilled,
        state = case when x.queued then 'queued' else o.state end,
        review_code = case when x.cleared then null else o.review_code end, review_detail = case when x.cleared then null else o.review_detail end,
        ${REVIEW_REVISION} = case when x.asked then x.revision else o.${REVIEW_REVISION} end,
        dirty_since = x.dirty_since, due_at = case when x.raised then x.due_at else o.due_at end,
        attempts = case when x.raised then 0 else o.attempts end
      from x where o.id = x.id`,
    values: [jsonText(folds.map(orderColumns))],
  });
}
