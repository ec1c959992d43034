import type { TaxRecord } from '../../contract/record.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Facts } from '../order/facts.ts';
import type { FailureCode } from '../order/failure.ts';
import type { OrderState } from '../order/order-state.ts';
import type { StepKind } from '../order/outcome.ts';
import type { Receipt } from '../order/receipt.ts';
import type { Frozen } from '../order/settings.ts';
import type { OpenStep } from '../order/step.ts';
import { ASKED } from './replan.ts';

/** One order as the command line shows it. */
export type OrderView = {
  id: number;
  shopId: string;
  platform: string;
  store: string;
  orderId: string;
  connectionId: string;
  number: string | null;
  state: OrderState;
  parked: { code: FailureCode; detail: string } | null;
  complianceId: string | null;
  record: TaxRecord | null;
  /** Of the record that stands; null: none is asked for. */
  receipt: Receipt | null;
  mapping: Frozen | null;
  openStep: OpenStep | null;
  revision: number;
  recordedRevision: number;
  askedRevision: number;
  facts: Omit<Facts, 'customer'>;
  customer: object | null;
  erased: boolean;
  updatedAt: string;
};

/** One journaled step. */
export type StepView = {
  seq: number;
  kind: StepKind;
  outcome: string | null;
  status: number | null;
  detail: string | null;
  attempts: number;
  complianceId: string | null;
  at: string;
  endedAt: string | null;
};

type Row = Omit<OrderView, 'parked'> & { parkedCode: FailureCode | null; parkedDetail: string | null };

const COLUMNS = `o.id, o.shop_id as "shopId", o.platform, o.store, o.order_id as "orderId", o.connection_id as "connectionId", o.number, o.state,
  o.parked_code as "parkedCode", o.parked_detail as "parkedDetail", o.compliance_id as "complianceId", o.record, o.receipt, o.mapping, o.open_step as "openStep", o.revision,
  o.recorded_revision as "recordedRevision", o.${ASKED} as "askedRevision", o.facts, c.data as customer, c.erased_at is not null as erased, o.updated_at as "updatedAt"`;
const FROM = 'from orders o left join customers c on c.order_ref = o.id';

/** The order that a connection's store calls `orderId`, through whichever connection it came. */
export async function findOrder(pool: Pool, connectionId: string, orderId: string): Promise<OrderView | null> {
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} ${FROM} join connections k on k.id = $1 where o.shop_id = k.shop_id and o.platform = k.platform and o.order_id = $2
     order by (o.store = k.store) desc nulls last, (o.connection_id = k.id) desc, o.id desc limit 1`,
    [connectionId, orderId],
  );
  return rows[0] === undefined ? null : toView(rows[0]);
}

/** Orders by ledger id (`id:7` means it alone), platform order id or number: what a person may type to name one. */
export async function findOrders(pool: Pool, named: string): Promise<OrderView[]> {
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} ${FROM} where 'id:' || o.id = $1 or o.id::text = $1 or o.order_id = $1 or o.number = $1 order by (o.order_id = $1) desc, o.id limit 50`,
    [named],
  );
  return rows.map(toView);
}

export type OrdersFilter = { state?: string; connection?: string; number?: string; limit?: number };

export async function listOrders(pool: Pool, { state, connection, number, limit = 1_000 }: OrdersFilter): Promise<OrderView[]> {
  const { rows } = await pool.query<Row>(
    `select ${COLUMNS} ${FROM} where ($1::text is null or o.state = $1) and ($2::text is null or o.connection_id = $2) and ($3::text is null or o.number = $3 or o.order_id = $3)
     order by o.id desc limit $4`,
    [state ?? null, connection ?? null, number ?? null, limit],
  );
  return rows.map(toView);
}

export async function stepsOf(pool: Pool, id: number): Promise<StepView[]> {
  const { rows } = await pool.query<StepView>(
    `select seq, kind, outcome, status, detail, attempts, compliance_id as "complianceId", began_at as at, ended_at as "endedAt" from steps where order_ref = $1 order by seq`,
    [id],
  );
  return rows;
}

/** How many orders stand in each state. */
export async function countStates(pool: Pool): Promise<Partial<Record<OrderState, number>>> {
  const { rows } = await pool.query<{ state: OrderState; count: number }>('select state, count(*) as count from orders group by state order by state');
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** How many orders are parked for each reason. */
export async function countParked(pool: Pool): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ code: string; count: number }>(
    `select parked_code as code, count(*) as count from orders where state = 'parked' group by parked_code`,
  );
  return Object.fromEntries(rows.map(({ code, count }) => [code, count]));
}

function toView({ parkedCode, parkedDetail, ...row }: Row): OrderView {
  return { ...row, parked: parkedCode === null ? null : { code: parkedCode, detail: parkedDetail ?? '' } };
}
