import { z } from 'zod';
import type { Actor } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool } from '../../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import type { DueNotice } from '../../delivery/notify.ts';
import { isPending } from '../../order/decisions/claim.ts';
import type { OrderState } from '../../order/decisions/order-state.ts';
import type { Problem } from '../../order/facts/failure.ts';
import type { Frozen } from '../../order/facts/settings.ts';
import { writeBridgeActs } from '../bridge-acts.ts';
import { orderState, REEVALUATED, REVIEW_REVISION, storedCode, TAKEN } from '../order-columns.ts';
import { LOCK_ORDER } from '../orders/lock-orders.ts';
import { reevaluate } from '../orders/pending-orders.ts';
import type { KeptOrder } from '../orders/read-orders.ts';

export const reviewRow = rowsOf('orders', z.object({ id: z.int(), connectionId: z.string(), number: z.string().nullable(), code: storedCode }));

/** An order that waits for a person, perhaps once more after one resolved it. */
export type OrderInReview = z.output<typeof reviewRow.schema>;

const IN_REVIEW = `o.state = 'review'`;
const REVIEW_COLUMNS = 'o.id, o.connection_id as "connectionId", o.number, o.review_code as code';

/** Those that need review with one of the codes, the oldest first. `connectionId` null: of every connection. */
export function ordersInReview(pool: Pool, { codes, connectionId }: { codes: readonly string[]; connectionId: string | null }): Promise<OrderInReview[]> {
  return readRows(pool, reviewRow, {
    text: `select ${REVIEW_COLUMNS} from orders o where ${IN_REVIEW} and o.review_code = any($1) and ($2::text is null or o.connection_id = $2) order by o.id`,
    values: [codes, connectionId],
  });
}

/**
 * Has orders in review decided anew, but for those whose code is another one by now, and adds it to the audit log. What a person said of one stays, unless that
 * is what its code asks about. Returns the orders to notify of.
 */
export function releaseFromReview(pool: Pool, orders: readonly OrderInReview[], { by, why }: { by: Actor; why?: string | undefined }): Promise<DueNotice[]> {
  return inTransaction(pool, async (tx) => {
    const review = await readRows(tx, reviewRow, {
      text: `select ${REVIEW_COLUMNS} from orders o join json_to_recordset($1::json) as x(id bigint, code text) on o.id = x.id and o.review_code = x.code
         where ${IN_REVIEW} order by ${LOCK_ORDER} for update of o`,
      values: [JSON.stringify(orders.map(({ id, code }) => ({ id, code })))],
    });
    const notices = await reevaluate(tx, { answeredOf: review.map(({ id }) => id) });
    await writeBridgeActs(
      tx,
      review.map(({ id, connectionId, code }) => ({
        ...{ who: by, act: 'order.released', connectionId, orderRef: id, before: { code } },
        ...(why === undefined ? {} : { why }),
      })),
    );
    return notices;
  });
}

const decidedRow = rowsOf(
  'orders',
  z.object({
    state: orderState,
    revision: z.int(),
    recordedRevision: z.int(),
    reviewRevision: z.int(),
    code: storedCode.nullable(),
    detail: z.string().nullable(),
  }),
);

/** What became of an order; null: nothing yet. */
export async function decidedState(pool: Pool, id: number): Promise<{ state: OrderState; review: Problem | null } | null> {
  const [order] = await readRows(pool, decidedRow, {
    text: `select state, revision, recorded_revision as "recordedRevision", ${REVIEW_REVISION} as "reviewRevision", review_code as code, review_detail as detail
       from orders where id = $1`,
    values: [id],
  });
  if (order === undefined || order.state === 'queued' || isPending(order)) return null;
  const { state, code, detail } = order;
  return { state, review: code === null ? null : { code, detail: detail ?? '' } };
}

/** A recorded order that is to be decided by another mapping than it was recorded with. `complianceId`, `revision`: as it was seen. */
type NewMapping = { id: number; complianceId: string; revision: number; mapping: Frozen };

const rows = rowsOf('orders', z.object({ id: z.int(), connectionId: z.string(), complianceId: z.string() }));

/** Has recorded orders decided anew by these mappings, as far as nothing became of them meanwhile: their records are replaced. Returns the orders to notify of. */
export function reevaluateOrders(pool: Pool, orders: readonly NewMapping[], { by, why }: { by: Actor; why: string }): Promise<DueNotice[]> {
  return inTransaction(pool, async (tx) => {
    const reevaluated = await readRows(tx, rows, {
      text: `with x as (select * from json_to_recordset($1::json) as x (id bigint, "complianceId" text, revision int, mapping jsonb)),
        was as materialized (select o.id, x.mapping from orders o join x on x.id = o.id where o.state = 'recorded' and o.open_step is null
          and o.compliance_id = x."complianceId" and o.revision = x.revision and o.recorded_revision >= o.revision order by ${LOCK_ORDER} for update of o)
        update orders o set mapping = was.mapping, ${REEVALUATED}, ${TAKEN}, attempts = 0 from was where o.id = was.id
        returning o.id, o.connection_id as "connectionId", o.compliance_id as "complianceId"`,
      values: [JSON.stringify(orders)],
    });
    const acts = reevaluated.map(({ id, connectionId, complianceId }) => {
      return { who: by, act: 'order.reevaluated' as const, connectionId, orderRef: id, before: { state: 'recorded', complianceId }, why };
    });
    await writeBridgeActs(tx, acts);
    return reevaluated.map(({ id }) => ({ id, dueAt: 0 }));
  });
}

type Released = Pick<KeptOrder, 'id' | 'connectionId' | 'state' | 'review' | 'resolution'> & { by: Actor; why?: string };

/** Has one order decided anew that needs review, or of which a person's word is taken back. Returns the orders to notify of: nothing if it is neither by now. */
export async function releaseInLedger(pool: Pool, { id, connectionId, state, review, resolution, by, why }: Released): Promise<DueNotice[]> {
  return inTransaction(pool, async (tx) => {
    const released = await reevaluate(tx, state === 'review' ? { ids: [id] } : { saidOf: id });
    const before = { state, code: review?.code ?? null, resolution: resolution?.how ?? null };
    const named = { connectionId, orderRef: id, ...(why === undefined ? {} : { why }) };
    await writeBridgeActs(
      tx,
      released.map(() => ({ who: by, act: 'order.released', ...named, before, after: { state: 'queued' } })),
    );
    return released;
  });
}
