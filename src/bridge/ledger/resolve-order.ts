import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { stepInDoubt } from '../order/late-reply.ts';
import { madeBy } from '../order/made-by.ts';
import type { CreateStep, DeleteStep, OpenStep } from '../order/step.ts';
import { writeBridgeActs } from './bridge-acts.ts';
import { jsonText } from './json-text.ts';
import { openStepOf } from './open-step.ts';
import { outboxJobsOfRecord } from './outbox-job-store.ts';
import { REPLANNED, TAKEN } from './replan.ts';
import { orderState, storedStep } from './stored-order.ts';

export type Resolution = { recorded: string | null; by: Actor; why?: string };
const openRow = rowsOf(
  'orders',
  z.object({ id: z.int(), connectionId: z.string(), state: orderState, isLeased: z.boolean(), openStep: storedStep.nullable() }),
);

export type Resolved = 'resolved' | 'missing' | 'not-unconfirmed';

/** A person reports whether the record of a create or delete of unknown outcome exists; the order is decided anew from there. */
export async function resolveOrder(pool: Pool, id: number, { recorded, by, why }: Resolution): Promise<Resolved> {
  return inTransaction(pool, async (tx) => {
    // The journal has the record of the step, as it is once the order is locked.
    await tx.query('select from orders where id = $1 for update', [id]);
    const row = await readRow(tx, openRow, {
      text: `select id, connection_id as "connectionId", state, ${openStepOf('orders')} as "openStep", coalesce(lease_until > now(), false) as "isLeased" from orders where id = $1`,
      values: [id],
    });
    if (row === null) return 'missing';
    const step = stepInDoubt(row);
    if (step === null) return 'not-unconfirmed';
    await (step.kind === 'create' ? resolveCreate(tx, { id, step, recorded }) : resolveDelete(tx, { id, step, recorded }));
    await outboxJobsOfRecord(tx, id);
    const named = { connectionId: row.connectionId, orderRef: id, ...(why === undefined ? {} : { why }) };
    const [before, after] = [{ state: row.state, step: step.kind }, { recorded }];
    await writeBridgeActs(tx, [{ who: by, act: 'order.resolved', ...named, before, after }]);
    return 'resolved';
  });
}

type InDoubt<Kind extends OpenStep> = { id: number; step: Kind; recorded: string | null };

const AGAIN = `open_step = null, doubted = null, attempts = 0, ${REPLANNED}, ${TAKEN}`;

async function resolveCreate(tx: Queryable, { id, step, recorded }: InDoubt<CreateStep>): Promise<void> {
  const made = recorded === null ? null : madeBy(step, recorded, Date.now());
  await endStep(tx, [id, step.seq, made === null ? 'not-recorded' : 'recorded', recorded]);
  const standing = made === null ? [null, null, null] : [jsonText(made.standing.record), recorded, made.standing.destinationId];
  const receipt = made === null || made.receipt === null ? null : jsonText(made.receipt);
  const values = [id, ...standing, receipt];
  await tx.query(`update orders set record = $2, compliance_id = $3, record_destination = $4, receipt = $5, ${AGAIN} where id = $1`, values);
}

/** Its record exists after all, or is gone. */
async function resolveDelete(tx: Queryable, { id, step, recorded }: InDoubt<DeleteStep>): Promise<void> {
  await endStep(tx, [id, step.seq, recorded === null ? 'gone' : 'not-deleted', step.complianceId]);
  if (recorded === null) {
    const nothing = 'record = null, compliance_id = null, record_destination = null, receipt = null';
    await tx.query(`update orders set previous = coalesce(record, previous), ${nothing}, ${AGAIN} where id = $1`, [id]);
    return;
  }
  const values = [id, recorded, step.destinationId];
  const stands = 'record = coalesce(record, previous), previous = null, compliance_id = $2, record_destination = $3';
  await tx.query(`update orders set ${stands}, ${AGAIN} where id = $1`, values);
}

async function endStep(tx: Queryable, ended: [id: number, seq: number, outcome: string, complianceId: string | null]): Promise<void> {
  await tx.query(`update steps set outcome = $3, compliance_id = $4, detail = 'said by a person', ended_at = now() where order_ref = $1 and seq = $2`, ended);
}
