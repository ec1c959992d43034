import { z } from 'zod';
import { inTransaction, type Pool } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import { createInDoubt } from '../order/late-reply.ts';
import { madeBy } from '../order/made-by.ts';
import { jsonText } from './json-text.ts';
import { REPLANNED, TAKEN } from './replan.ts';
import { orderState, storedStep } from './stored-order.ts';

export type Resolution = { recorded: string } | { recorded: null };
const openRow = rowsOf('orders', z.object({ id: z.int(), state: orderState, isLeased: z.boolean(), openStep: storedStep.nullable() }));

export type Resolved = 'resolved' | 'missing' | 'not-unconfirmed';

/** A person reports the outcome of a create whose reply was lost; the order is decided anew from there. */
export async function resolveOrder(pool: Pool, id: number, { recorded }: Resolution): Promise<Resolved> {
  return inTransaction(pool, async (tx) => {
    const row = await readRow(tx, openRow, {
      text: 'select id, state, open_step as "openStep", coalesce(lease_until > now(), false) as "isLeased" from orders where id = $1 for update',
      values: [id],
    });
    if (row === null) return 'missing';
    const step = createInDoubt(row);
    if (step === null) return 'not-unconfirmed';
    const made = recorded === null ? null : madeBy(step, recorded, Date.now());
    await tx.query(`update steps set outcome = $3, compliance_id = $4, detail = 'said by a person', ended_at = now() where order_ref = $1 and seq = $2`, [
      id,
      step.seq,
      made === null ? 'not-recorded' : 'recorded',
      recorded,
    ]);
    const standing = made === null ? [null, null, null] : [jsonText(made.standing.record), recorded, made.standing.destinationId];
    await tx.query(
      `update orders set open_step = null, record = $2, compliance_id = $3, record_destination = $4, receipt = $5, attempts = 0, ${REPLANNED}, ${TAKEN} where id = $1`,
      [id, ...standing, made === null || made.receipt === null ? null : jsonText(made.receipt)],
    );
    return 'resolved';
  });
}
