import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { DueNotice } from '../delivery/notify.ts';
import { isBehind } from '../order/claim.ts';
import type { Problem } from '../order/failure.ts';
import type { OrderState } from '../order/order-state.ts';
import { replan } from './behind-store.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { LOCK_ORDER } from './lock-orders.ts';
import { ASKED } from './replan.ts';
import { orderState, storedCode } from './stored-order.ts';

const reviewRow = rowsOf('orders', z.object({ id: z.int(), connectionId: z.string(), number: z.string().nullable(), code: storedCode }));

/** An order that waits for a person, perhaps once more after one settled it. */
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
 * Has orders in review decided anew, but for those whose code is another one by now, and adds it to the trail. What a person said of one stays, unless that
 * is what its code asks about. Returns the orders to notify of.
 */
export function releaseFromReview(pool: Pool, orders: readonly OrderInReview[], { by, why }: { by: Actor; why?: string | undefined }): Promise<DueNotice[]> {
  return inTransaction(pool, async (tx) => {
    const review = await readRows(tx, reviewRow, {
      text: `select ${REVIEW_COLUMNS} from orders o join json_to_recordset($1::json) as x(id bigint, code text) on o.id = x.id and o.review_code = x.code
         where ${IN_REVIEW} order by ${LOCK_ORDER} for update of o`,
      values: [JSON.stringify(orders.map(({ id, code }) => ({ id, code })))],
    });
    const notices = await replan(tx, { answeredOf: review.map(({ id }) => id) });
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
    askedRevision: z.int(),
    code: storedCode.nullable(),
    detail: z.string().nullable(),
  }),
);

/** What became of an order; null: nothing yet. */
export async function decidedState(pool: Pool, id: number): Promise<{ state: OrderState; review: Problem | null } | null> {
  const [order] = await readRows(pool, decidedRow, {
    text: `select state, revision, recorded_revision as "recordedRevision", ${ASKED} as "askedRevision", review_code as code, review_detail as detail
       from orders where id = $1`,
    values: [id],
  });
  if (order === undefined || order.state === 'queued' || isBehind(order)) return null;
  const { state, code, detail } = order;
  return { state, review: code === null ? null : { code, detail: detail ?? '' } };
}
