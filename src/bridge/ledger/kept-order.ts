import { z } from 'zod';
import { customer, taxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readEach, readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { UnreadableRow } from '../../platform/postgres/unreadable-row.ts';
import type { Problem } from '../order/failure.ts';
import type { OrderState } from '../order/order-state.ts';
import type { StepKind } from '../order/outcome.ts';
import { openStepOf } from './open-step.ts';
import { ASKED } from './replan.ts';
import { storedFacts } from './stored-facts.ts';
import { orderState, receiptState, storedCode, storedMapping, storedStep, storedWord } from './stored-order.ts';

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
  settled: storedWord.nullable(),
  complianceId: text.nullable(),
  destinationId: text.nullable(),
  record: taxRecord.nullable(),
  /** Of the standing record; null: none is requested. */
  receipt: receiptState.nullable(),
  mapping: storedMapping.nullable(),
  openStep: storedStep.nullable(),
  revision: z.int(),
  recordedRevision: z.int(),
  askedRevision: z.int(),
  /** Tries of what is left to do. */
  attempts: z.int(),
  /** Since when the record is behind; null: it is not. */
  dirtySince: text.nullable(),
  facts: storedFacts,
  /** An older state that the store was last seen to show, and when that was. */
  olderThere: z.object({ updatedAt: text, status: text, kept: text.nullable(), at: text }).nullable(),
  /** A backfill took it in. */
  backfilled: z.boolean(),
  customer: customer.nullable(),
  erased: z.boolean(),
  updatedAt: text,
});

type Row = z.output<typeof row>;

/** One order as the command line shows it. */
export type KeptOrder = Omit<Row, 'reviewCode' | 'reviewDetail'> & { review: Problem | null };

const step = z.object({
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
export type KeptStep = z.output<typeof step>;

const orderRows = rowsOf('orders', row);
const stepRows = rowsOf('steps', step);
const stateCounts = rowsOf('orders', z.object({ state: orderState, count: z.int() }));
const orderCount = rowsOf('orders', z.object({ count: z.int() }));
const codeCounts = rowsOf('orders', z.object({ code: text, count: z.int() }));

const COLUMNS = `o.id, o.shop_id as "shopId", o.platform, o.store, o.order_id as "orderId", o.connection_id as "connectionId", n.name as "storeName", o.number, o.state,
  o.review_code as "reviewCode", o.review_detail as "reviewDetail", o.settled, o.compliance_id as "complianceId", o.record_destination as "destinationId", o.record, o.receipt, o.mapping, ${openStepOf('o')} as "openStep", o.revision,
  o.recorded_revision as "recordedRevision", o.${ASKED} as "askedRevision", o.attempts, o.dirty_since as "dirtySince", f.facts, o.older_there as "olderThere", o.backfilled, c.data as customer, c.erased_at is not null as erased, o.updated_at as "updatedAt"`;
const FROM = 'from orders o join order_facts f on f.order_ref = o.id join connections n on n.id = o.connection_id left join customers c on c.order_ref = o.id';

/** The order that a connection's store calls `orderId`, through any of the store's connections: of several the first, or the one that is `ID~2` here. */
export async function findOrder(pool: Pool, connectionId: string, orderId: string): Promise<KeptOrder | null> {
  const found = await readRow(pool, orderRows, {
    text: `select ${COLUMNS} ${FROM} join connections k on k.id = $1 where o.shop_id = k.shop_id and o.platform = k.platform and (o.order_id = $2 or o.platform_id = $2)
     order by (o.store = k.store) desc nulls last, (o.order_id = $2) desc, (o.connection_id = k.id) desc, o.id desc limit 1`,
    values: [connectionId, orderId],
  });
  return found === null ? null : toKept(found);
}

/** Orders by their ids in the ledger, in the order of these. */
export async function ordersOfIds(pool: Pool, ids: readonly number[]): Promise<KeptOrder[]> {
  const rows = await readRows(pool, orderRows, {
    text: `select ${COLUMNS} ${FROM} where o.id = any($1) order by array_position($1::bigint[], o.id::bigint)`,
    values: [ids],
  });
  return rows.map(toKept);
}

/** `ids`: only those of them. */
export type OrdersFilter = { state?: string; connection?: string; ids?: readonly number[] | undefined; limit?: number };

export type OrdersList = { orders: KeptOrder[]; unreadable: UnreadableRow[] };

/** The newest first. One that can't be read does not hide the others. */
export async function keptOrders(pool: Pool, { state, connection, ids, limit = 1_000 }: OrdersFilter): Promise<OrdersList> {
  const { readable, unreadable } = await readEach(pool, orderRows, {
    text: `select ${COLUMNS} ${FROM} where ($1::text is null or o.state = $1) and ($2::text is null or o.connection_id = $2) and ($3::bigint[] is null or o.id = any($3))
     order by o.id desc limit $4`,
    values: [state ?? null, connection ?? null, ids ?? null, limit],
  });
  return { orders: readable.map(toKept), unreadable };
}

export async function stepsOfOrder(pool: Pool, id: number): Promise<KeptStep[]> {
  return readRows(pool, stepRows, {
    text: `select seq, kind, outcome, status, detail, attempts, compliance_id as "complianceId", began_at as at, ended_at as "endedAt" from steps where order_ref = $1 order by seq`,
    values: [id],
  });
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
