import { z } from 'zod';
import { taxRecord } from '../../../contract/record.ts';
import type { Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { Connection } from '../../connections/connection.ts';
import type { CurrentRecord } from '../../order/decisions/claim.ts';
import type { OrderState } from '../../order/decisions/order-state.ts';
import type { OpenStep } from '../../order/decisions/step.ts';
import type { Resolution } from '../../order/decisions/wanted.ts';
import { type Facts, noFacts } from '../../order/facts/facts.ts';
import type { Problem } from '../../order/facts/failure.ts';
import type { Frozen } from '../../order/facts/settings.ts';
import { openStepOf, orderState, REVIEW_REVISION, recordOf, storedCode, storedFacts, storedMapping, storedResolution, storedStep } from '../order-columns.ts';

/** An order as it is compared, without its buyer. `version` changes with every write of its row. */
export type StoreOrder = {
  id: number;
  version: string;
  /** The id that the store knows it by: that of `key`, or, for a second order of one id, the shared one. */
  platformId: string;
  key: { orderId: string };
  number: string | null;
  state: OrderState;
  review: Problem | null;
  resolution: Resolution | null;
  revision: number;
  isPending: boolean;
  isLeased: boolean;
  backfilled: boolean;
  facts: Facts;
  mapping: Frozen | null;
  current: CurrentRecord | null;
  previous: CurrentRecord['record'] | null;
  openStep: OpenStep | null;
};

const text = z.string();
const row = z.object({
  ...{ id: z.int(), version: text, orderId: text, platformId: text, number: text.nullable(), state: orderState, backfilled: z.boolean() },
  ...{
    isPending: z.boolean(),
    isLeased: z.boolean(),
    reviewCode: storedCode.nullable(),
    reviewDetail: text.nullable(),
    resolution: storedResolution.nullable(),
    revision: z.int(),
  },
  ...{ facts: storedFacts, mapping: storedMapping.nullable(), record: taxRecord.nullable(), previous: taxRecord.nullable() },
  ...{ complianceId: text.nullable(), destinationId: text.nullable(), openStep: storedStep.nullable() },
});
const rows = rowsOf('orders', row);
const idRows = rowsOf('orders', z.object({ complianceId: text }));

/** Which orders of a connection's store: written since then, or of these ids, records or ledger ids. */
export type StoreOrdersQuery = { since?: string; platformIds?: readonly string[]; complianceIds?: readonly string[]; ids?: readonly number[] };

const PAGE = 500;

/** Orders of a connection's store, in pages that fit into memory. */
export async function* storeOrders(pool: Pool, { shopId, platform, store }: Pick<Connection, 'shopId' | 'platform' | 'store'>, query: StoreOrdersQuery) {
  if (store === null) return;
  const { since = null, platformIds = [], complianceIds = [], ids = [] } = query;
  for (let after = 0; ; ) {
    const page = await readRows(pool, rows, { text: SELECT, values: [shopId, platform, store, after, since, platformIds, complianceIds, ids] });
    yield page.map(toOrder);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}

const SELECT = `select id, orders.xmin::text as version, order_id as "orderId", coalesce(platform_id, order_id) as "platformId", number, state, backfilled, resolution, revision,
    revision > greatest(recorded_revision, ${REVIEW_REVISION}) as "isPending", coalesce(lease_until > now(), false) as "isLeased",
    review_code as "reviewCode", review_detail as "reviewDetail", facts, mapping, ${recordOf('orders')} as record, ${recordOf('orders', 'previous')} as previous, compliance_id as "complianceId",
    record_destination as "destinationId", ${openStepOf('orders')} as "openStep"
  from orders join order_facts on order_ref = id where shop_id = $1 and platform = $2 and store = $3 and id > $4
    and (updated_at >= $5::timestamptz or coalesce(platform_id, order_id) = any($6) or compliance_id = any($7) or id = any($8::bigint[]))
  order by id limit ${PAGE}`;

function toOrder({ orderId, reviewCode, reviewDetail, record, complianceId, destinationId, facts, ...same }: z.output<typeof row>): StoreOrder {
  const isCurrent = record !== null && complianceId !== null && destinationId !== null;
  return {
    ...same,
    key: { orderId },
    review: reviewCode === null ? null : { code: reviewCode, detail: reviewDetail ?? '' },
    facts: { ...facts, customer: noFacts.customer },
    current: isCurrent ? { record, complianceId, destinationId } : null,
  };
}

/** Which of these records any order of the shop stands for, whatever its store. */
export async function currentInShop(pool: Pool, shopId: string, complianceIds: readonly string[]): Promise<Set<string>> {
  const found = await readRows(pool, idRows, {
    text: 'select compliance_id as "complianceId" from orders where shop_id = $1 and compliance_id = any($2)',
    values: [shopId, complianceIds],
  });
  return new Set(found.map(({ complianceId }) => complianceId));
}
