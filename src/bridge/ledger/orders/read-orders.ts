import { z } from 'zod';
import { taxRecord } from '../../../contract/record.ts';
import type { Pool, Queryable } from '../../../platform/postgres/postgres.ts';
import { readEach, readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { UnreadableRow } from '../../../platform/postgres/unreadable-row.ts';
import type { StepKind } from '../../order/decisions/answer.ts';
import type { OrderState } from '../../order/decisions/order-state.ts';
import type { OrderKey } from '../../order/facts/facts.ts';
import type { Problem } from '../../order/facts/failure.ts';
import { buyerColumn, type WithBuyer, withBuyers } from '../buyers.ts';
import {
  openStepOf,
  orderState,
  REVIEW_REVISION,
  receiptState,
  recordOf,
  storedCode,
  storedFacts,
  storedMapping,
  storedResolution,
  storedStep,
} from '../order-columns.ts';
import { CALLED, RECORD_PENDING } from './pending-orders.ts';

const text = z.string();

const row = z.object({
  id: z.int(),
  shopId: text,
  platform: text,
  store: text,
  orderId: text,
  connectionId: text,
  /** The name of that connection. */
  storeName: text,
  number: text.nullable(),
  state: orderState,
  reviewCode: storedCode.nullable(),
  reviewDetail: text.nullable(),
  resolution: storedResolution.nullable(),
  complianceId: text.nullable(),
  destinationId: text.nullable(),
  record: taxRecord.nullable(),
  /** Of the current record; null: none is requested. */
  receipt: receiptState.nullable(),
  mapping: storedMapping.nullable(),
  openStep: storedStep.nullable(),
  revision: z.int(),
  recordedRevision: z.int(),
  reviewRevision: z.int(),
  /** Tries of what is left to do. */
  attempts: z.int(),
  /** Since when the record is pending; null: it is not. */
  dirtySince: text.nullable(),
  facts: storedFacts,
  /** An older state that the store was last seen to show, and when that was. */
  olderThere: z.object({ updatedAt: text, status: text, kept: text.nullable(), at: text }).nullable(),
  /** A backfill took it in. */
  backfilled: z.boolean(),
  customer: buyerColumn,
  erased: z.boolean(),
  updatedAt: text,
});

type Row = WithBuyer<z.output<typeof row>>;

/** One order as the command line shows it. */
export type KeptOrder = Omit<Row, 'reviewCode' | 'reviewDetail'> & { review: Problem | null };

export const keptStep = z.object({
  seq: z.int(),
  kind: z.enum(['create', 'delete', 'receipt'] satisfies StepKind[]),
  outcome: text.nullable(),
  status: z.int().nullable(),
  detail: text.nullable(),
  attempts: z.int(),
  complianceId: text.nullable(),
  at: text,
  endedAt: text.nullable(),
});

/** One journaled step. */
export type KeptStep = z.output<typeof keptStep>;

const orderRows = rowsOf('orders', row);
const stepRows = rowsOf('steps', keptStep);
const stateCounts = rowsOf('orders', z.object({ state: orderState, count: z.int() }));
const orderCount = rowsOf('orders', z.object({ count: z.int() }));
const codeCounts = rowsOf('orders', z.object({ code: text, count: z.int() }));

const COLUMNS = `o.id, o.shop_id as "shopId", o.platform, o.store, o.order_id as "orderId", o.connection_id as "connectionId", n.name as "storeName", o.number, o.state,
  o.review_code as "reviewCode", o.review_detail as "reviewDetail", o.resolution, o.compliance_id as "complianceId", o.record_destination as "destinationId", ${recordOf('o')} as record, o.receipt, o.mapping, ${openStepOf('o')} as "openStep", o.revision,
  o.recorded_revision as "recordedRevision", o.${REVIEW_REVISION} as "reviewRevision", o.attempts, o.dirty_since as "dirtySince", f.facts, o.older_there as "olderThere", o.backfilled, c.data as customer, c.erased_at is not null as erased, o.updated_at as "updatedAt"`;
const FROM = 'from orders o join order_facts f on f.order_ref = o.id join connections n on n.id = o.connection_id left join customers c on c.order_ref = o.id';

const shownIn = (pool: Pool) => withBuyers(pool, orderRows);

/** The order that a connection's store calls `orderId`, through any of the store's connections: of several the first, or the one that is `ID~2` here. */
export async function findOrder(pool: Pool, connectionId: string, orderId: string): Promise<KeptOrder | null> {
  const found = await readRow(pool, shownIn(pool), {
    text: `select ${COLUMNS} ${FROM} join connections k on k.id = $1 where o.shop_id = k.shop_id and o.platform = k.platform and (o.order_id = $2 or o.platform_id = $2)
     order by (o.store = k.store) desc nulls last, (o.order_id = $2) desc, (o.connection_id = k.id) desc, o.id desc limit 1`,
    values: [connectionId, orderId],
  });
  return found === null ? null : toKept(found);
}

/** Orders by their ids in the ledger, in the order of these. */
export async function ordersOfIds(pool: Pool, ids: readonly number[]): Promise<KeptOrder[]> {
  const rows = await readRows(pool, shownIn(pool), {
    text: `select ${COLUMNS} ${FROM} where o.id = any($1) order by array_position($1::bigint[], o.id::bigint)`,
    values: [ids],
  });
  return rows.map(toKept);
}

/** `ids`: only those of them. */
export type OrdersFilter = { state?: string; connection?: string; ids?: readonly number[] | undefined; limit?: number };

type OrdersList = { orders: KeptOrder[]; unreadable: UnreadableRow[] };

/** The newest first. One that can't be read does not hide the others. */
export async function keptOrders(pool: Pool, { state, connection, ids, limit = 1_000 }: OrdersFilter): Promise<OrdersList> {
  const { readable, unreadable } = await readEach(pool, shownIn(pool), {
    text: `select ${COLUMNS} ${FROM} where ($1::text is null or o.state = $1) and ($2::text is null or o.connection_id = $2) and ($3::bigint[] is null or o.id = any($3))
     order by o.id desc limit $4`,
    values: [state ?? null, connection ?? null, ids ?? null, limit],
  });
  return { orders: readable.map(toKept), unreadable };
}

const buyerRows = rowsOf('customers', z.object({ id: z.int(), connectionId: text, customer: buyerColumn, erased: z.boolean() }));

/** The buyer of an order, and by which connection it came; null: there is no such order. */
export async function buyerOfOrder(pool: Pool, id: number): Promise<WithBuyer<z.output<typeof buyerRows.schema>> | null> {
  return readRow(pool, withBuyers(pool, buyerRows), {
    text: 'select o.id, o.connection_id as "connectionId", c.data as customer, c.erased_at is not null as erased from orders o left join customers c on c.order_ref = o.id where o.id = $1',
    values: [id],
  });
}

/** Columns of the table `steps` of a `KeptStep`. */
export const STEP_COLUMNS = 'seq, kind, outcome, status, detail, attempts, compliance_id as "complianceId", began_at as at, ended_at as "endedAt"';

export async function stepsOfOrder(pool: Pool, id: number): Promise<KeptStep[]> {
  return readRows(pool, stepRows, { text: `select ${STEP_COLUMNS} from steps where order_ref = $1 order by seq`, values: [id] });
}

/** How many orders are in each state. */
export async function countStates(pool: Pool): Promise<Partial<Record<OrderState, number>>> {
  const rows = await readRows(pool, stateCounts, { text: 'select state, count(*) as count from orders group by state order by state' });
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** How many orders need review for each reason. */
export async function countInReview(pool: Pool): Promise<Record<string, number>> {
  const rows = await readRows(pool, codeCounts, {
    text: `select review_code as code, count(*) as count from orders where state = 'review' group by review_code`,
  });
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
}

/** How many orders have a create or delete whose outcome only a person can find out. */
export async function countUnconfirmed(pool: Pool): Promise<number> {
  return (await readOne(pool, orderCount, { text: `select count(*) as count from orders where state = 'unconfirmed'` })).count;
}

function toKept({ reviewCode, reviewDetail, ...order }: Row): KeptOrder {
  // What was asked before the step that is in doubt is no question now.
  const isAsked = reviewCode !== null && order.state !== 'unconfirmed';
  return { ...order, review: isAsked ? { code: reviewCode, detail: reviewDetail ?? '' } : null };
}

const idRows = rowsOf('orders', z.object({ id: z.int() }));

/** Of one name no more than one beyond these are found. */
export const MOST_NAMED = 10_000;

// Each part finds its rows by an index of its own. Those whose id in the store it is come first.
const NAMED = `
  select id from (
    select id, connection_id, 0 as place from orders where order_id = any($1)
    union all select id, connection_id, 0 from orders where platform_id is not null and platform_id = any($1)
    union all select id, connection_id, 1 from orders where number = any($1)
    union all select id, connection_id, 1 from orders where compliance_id = any($2)) found
  where $3::text[] is null or connection_id = any($3) group by id order by min(place), id limit ${MOST_NAMED + 1}`;

/** What a person calls an order. `records`: further ids of records that the name stands for. `connections`: those of these alone, and null: of all. */
type Named = { named: string; records: readonly string[]; connections: readonly string[] | null };

/**
 * The orders that are called so, as they are at this moment: `id:7` (the ledger's id, which is never ambiguous), the whole number with or without `#`, the
 * platform's order id, or the id of its record.
 */
export async function ordersCalled(pool: Pool, { named, records, connections }: Named): Promise<number[]> {
  const [, id] = /^id:(\d{1,15})$/.exec(named) ?? [];
  if (id !== undefined) return ordersOfLedger(pool, id, connections);
  const bare = named.replace(/^#/, '');
  const rows = await readRows(pool, idRows, { text: NAMED, values: [[named, bare, `#${bare}`], [named, ...records], connections] });
  return rows.map((row) => row.id);
}

export async function ordersOfLedger(pool: Pool, id: string, connections: readonly string[] | null): Promise<number[]> {
  const rows = await readRows(pool, idRows, {
    text: 'select id from orders where id = $1 and ($2::text[] is null or connection_id = any($2))',
    values: [id, connections],
  });
  return rows.map((row) => row.id);
}

const pauseRow = z.object({ id: z.int(), shopId: z.string().nullable(), code: storedCode, detail: z.string(), since: z.string() });
const pauseRows = rowsOf('pauses', pauseRow);

/** The pause that an order waits for; `shopId` null: it is one of the whole destination. `since`: ISO instant. */
export type OrderPause = Omit<z.output<typeof pauseRow>, 'id'>;

/** Of these orders (by their ids in the ledger), the queued ones that a pause keeps waiting. */
export async function pausesOfOrders(pool: Pool, ids: readonly number[]): Promise<ReadonlyMap<number, OrderPause>> {
  const rows = await readRows(pool, pauseRows, {
    text: `select distinct on (o.id) o.id, p.shop_id as "shopId", p.code, p.detail, p.since from orders o join connections n on n.id = o.connection_id
        join pauses p on p.destination_id = ${CALLED} and (p.shop_id is null or p.shop_id = o.shop_id) and p.call_type = 'records'
      where o.id = any($1) and o.state = 'queued' and ${RECORD_PENDING} order by o.id, p.since`,
    values: [ids],
  });
  return new Map(rows.map(({ id, ...pause }) => [id, pause]));
}

const names = rowsOf('orders', z.object({ id: z.int(), orderId: z.string(), number: z.string().nullable() }));

/** What people call an order. */
export type OrderName = z.output<typeof names.schema>;

/** By ledger id; one that was joined to another is absent. */
export async function orderNames(db: Queryable, ids: readonly number[]): Promise<Map<number, OrderName>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(db, names, { text: 'select id, order_id as "orderId", number from orders where id = any($1)', values: [[...new Set(ids)]] });
  return new Map(rows.map((row) => [row.id, row]));
}

const rowsOfRecord = rowsOf(
  'orders',
  z.object({ id: z.int(), orderId: z.string(), number: z.string().nullable(), connectionId: z.string(), state: z.string() }),
);

/** The order that a record is of; `shopId` null: of any shop. Null: no order of the ledger has it. */
export async function orderOfRecord(pool: Pool, shopId: string | null, complianceId: string): Promise<z.output<typeof rowsOfRecord.schema> | null> {
  return readRow(pool, rowsOfRecord, {
    text: `select id, order_id as "orderId", number, connection_id as "connectionId", state from orders
      where compliance_id = $2 and ($1::uuid is null or shop_id = $1) order by id limit 1`,
    values: [shopId, complianceId],
  });
}

const rowsOfRefund = rowsOf('orders', z.object({ order_id: z.string() }));

/** The platform's ids of a store's orders that are known to have a refund. It reads all of the store's orders: refunds are deleted by hand, and rarely. */
export async function ordersOfRefund(pool: Pool, { shopId, platform, store }: Omit<OrderKey, 'orderId'>, refundId: string): Promise<string[]> {
  const rows = await readRows(pool, rowsOfRefund, {
    text: `select coalesce(platform_id, order_id) as order_id from orders join order_facts on order_ref = id where shop_id = $1 and platform = $2 and store = $3
      and (facts -> 'refunds' ? $4 or facts @> jsonb_build_object('snapshot', jsonb_build_object('refunds', jsonb_build_array(jsonb_build_object('id', $4::text)))))
      group by 1 order by min(id)`,
    values: [shopId, platform, store, refundId],
  });
  return rows.map(({ order_id }) => order_id);
}

const ofConnectionRows = rowsOf(
  'orders',
  z.object({
    ...{ orderRef: z.int(), order: text, state: z.union([orderState, z.literal('replaced')]), code: text.nullable(), detail: text.nullable() },
    ...{ complianceId: text.nullable(), destinationId: text.nullable() },
  }),
);

/** What became of orders of a connection, by the platform's ids, or one by ours; of several under one id the newest. Those that never came are absent. */
export function ordersOfConnection(pool: Pool, connectionId: string, orders: readonly string[] | number): Promise<z.output<typeof ofConnectionRows.schema>[]> {
  const [where, value] = typeof orders === 'number' ? ['id = $2', orders] : ['order_id = any($2)', orders.flatMap((id) => [id, `${id}~2`, `${id}~3`])];
  return readRows(pool, ofConnectionRows, {
    text: `select distinct on (coalesce(platform_id, order_id)) id as "orderRef", coalesce(platform_id, order_id) as "order",
        case when state = 'recorded' and exists (select from steps s where s.order_ref = o.id and s.kind = 'delete' and s.outcome in ('deleted', 'gone'))
          then 'replaced' else state end as state,
        review_code as code, review_detail as detail, compliance_id as "complianceId", record_destination as "destinationId"
      from orders o where connection_id = $1 and ${where} order by coalesce(platform_id, order_id), id desc`,
    values: [connectionId, value],
  });
}
