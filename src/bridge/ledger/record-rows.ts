import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { OrderDelivery } from '../delivery/record-deliveries.ts';
import { requeued } from '../order/newer-facts.ts';
import { otherOrderWords } from '../order/other-order-words.ts';
import { FACT_COLUMNS, FACTS_OF_JSON, factColumns, SET_FACT_COLUMNS } from './fact-columns.ts';
import { dueAt, type FirstSteps, type FoldOf, stepOfNew } from './first-steps.ts';
import { jsonText } from './json-text.ts';
import { XID } from './known-commit.ts';
import { erasedUntil } from './lock-orders.ts';
import { keyColumns, keyText } from './order-groups.ts';
import { ASKED } from './replan.ts';

const insertedRow = z.object({
  ...{ id: z.int(), shopId: z.string(), platform: z.string(), store: z.string(), orderId: z.string() },
  begun: z.boolean(),
  xid: z.string(),
  isErased: z.boolean(),
  erasedUntil: z.string().nullable(),
});
const insertedRows = rowsOf('orders', insertedRow);
export type Inserted = z.output<typeof insertedRow>;

export function keyOf({ group, orderId }: FoldOf): string {
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
export function insertColumns(of: FoldOf) {
  const { group, first, fold } = of;
  const columns = orderColumns(of);
  if (first === null) return { ...columns, state: 'queued', asked_revision: 0, review_code: null, review_detail: null };
  const detail = otherOrderWords({ orderId: group.key.orderId, id: first.id, snapshot: first.facts.snapshot }, fold.facts.snapshot);
  return { ...columns, state: 'review', asked_revision: fold.revision, review_code: 'order.other', review_detail: detail, dirty_since: null };
}

type First = { first: FirstSteps; leaseMs: number };

// Whoever knows the connection as it was before its trial must not send.
const BEGINS = 'x.step is not null and not exists (select from connections c where c.id = x.connection_id and c.trial_since is not null) as begins';

export async function insertOrders(tx: Queryable, folds: readonly FoldOf[], { first, leaseMs }: First): Promise<Map<string, Inserted>> {
  if (folds.length === 0) return new Map();
  const rows = await readRows(tx, insertedRows, {
    name: 'record-insert',
    text: `with x as materialized (select *, ${BEGINS} from jsonb_to_recordset($1) as x(shop_id uuid, platform text, store text, order_id text, platform_id text, connection_id text, ${FACTS_OF_JSON},
        revision int, state text, asked_revision int, review_code text, review_detail text, dirty_since timestamptz, due_at timestamptz, backfilled boolean,
        step jsonb, step_seq int, kind text, destination uuid, record jsonb, key text)),
      made as (insert into orders (shop_id, platform, store, order_id, platform_id, connection_id, ${FACT_COLUMNS}, revision, state, ${ASKED}, review_code, review_detail, dirty_since, due_at, backfilled,
          open_step, step_seq, fence, lease_until)
        select shop_id, platform, store, order_id, platform_id, connection_id, ${FACT_COLUMNS}, revision, state, asked_revision, review_code, review_detail, dirty_since, due_at, backfilled,
          case when begins then step end, case when begins then step_seq else 0 end, case when begins then 1 else 0 end, case when begins then now() + $2 * interval '1 ms' end from x
        on conflict (shop_id, platform, store, order_id) do nothing returning id, shop_id, platform, store, order_id, platform_id, open_step is not null as begun),
      s as (insert into steps (order_ref, seq, kind, revision, destination_id, record, idempotency_key)
        select made.id, x.step_seq, x.kind, x.revision, x.destination, x.record, x.key from made join x using (order_id, shop_id, platform, store) where made.begun),
      f as (insert into order_facts (order_ref, facts) select made.id, x.facts from made join x using (order_id, shop_id, platform, store))
      select id, shop_id as "shopId", platform, store, order_id as "orderId", begun, ${XID} as xid,
        exists (select from tombstones t where t.shop_id = made.shop_id and t.platform = made.platform and t.store = made.store
          and t.platform_id = coalesce(made.platform_id, made.order_id)) as "isErased", (${erasedUntil('made')}) as "erasedUntil" from made`,
    values: [jsonText(folds.map((fold) => ({ ...insertColumns(fold), ...stepOfNew(first.get(fold)) }))), leaseMs],
  });
  return new Map(rows.map((row) => [keyText(row), row]));
}

export async function updateOrders(tx: Queryable, folds: readonly FoldOf[]): Promise<void> {
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
        ${ASKED} = case when x.asked then x.revision else o.${ASKED} end,
        dirty_since = x.dirty_since, due_at = case when x.raised then x.due_at else o.due_at end,
        attempts = case when x.raised then 0 else o.attempts end
      from x where o.id = x.id`,
    values: [jsonText(folds.map(orderColumns))],
  });
}
