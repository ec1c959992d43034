import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { LOCK_ORDER } from './lock-orders.ts';
import type { OrderInReview } from './release-from-review.ts';
import { CLEARED, TAKEN } from './replan.ts';
import { storedCode } from './stored-order.ts';

const reviewRows = rowsOf('orders', z.object({ id: z.int(), connectionId: z.string(), number: z.string().nullable(), code: storedCode }));

/** Those of these orders that may be released together: each that came under the id of another one is decided by itself. */
export function releasableOf(pool: Pool, ids: readonly number[]): Promise<OrderInReview[]> {
  return readRows(pool, reviewRows, {
    text: `select o.id, o.connection_id as "connectionId", o.number, o.review_code as code from orders o
      where o.id = any($1::bigint[]) and o.state = 'review' and o.review_code <> 'order.other' order by o.id`,
    values: [ids],
  });
}

/** A person's word about orders that have no record. `at`: ISO instant. */
export type WordOfMany = { how: 'not-a-sale' | 'elsewhere'; by: Actor; why: string; at: string };

// As of one order: see `whyNotTaken`.
const MAY_SETTLE = `o.state = 'review' and o.open_step is null and o.compliance_id is null and o.review_code not in ('order.other', 'record.doubled')`;
const SETTLED = `state = 'settled', ${CLEARED}, recorded_revision = o.revision, dirty_since = null, attempts = 0, previous = null, doubted = null, ${TAKEN},
  settled = $2::jsonb || jsonb_build_object('revision', o.revision, 'complianceId', null, 'code', o.review_code)`;

/** Settles those of these orders that may be; returns which. */
export async function settleMany(pool: Pool, ids: readonly number[], { how, by, why, at }: WordOfMany): Promise<number[]> {
  return inTransaction(pool, async (tx) => {
    const rows = await readRows(tx, reviewRows, {
      text: `with was as materialized (
          select o.id, o.review_code as code from orders o where o.id = any($1::bigint[]) and ${MAY_SETTLE} order by ${LOCK_ORDER} for update of o)
        update orders o set ${SETTLED} from was where o.id = was.id returning o.id, o.connection_id as "connectionId", o.number, was.code`,
      values: [ids, JSON.stringify({ how, who: by, why, at })],
    });
    const after = { how, complianceId: null };
    const acts = rows.map(({ id, connectionId, code }) => {
      return { who: by, act: 'order.settled' as const, connectionId, orderRef: id, before: { state: 'review', code }, after, why };
    });
    await writeBridgeActs(tx, acts);
    return rows.map(({ id }) => id);
  });
}
